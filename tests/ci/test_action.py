"""The GitHub Action: its script run as GitHub would, with an event file, and its inputs and steps."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

import steelyard
from steelyard.render.json import JsonRenderer
from tests.cli.forges import TOKEN, Forge, forge
from tests.repo.package import REPOSITORY

SCRIPT = REPOSITORY / "action" / "action.sh"
HEADER = "model,case,attempt,passed\n"


@pytest.fixture
def job(tmp_path: Path) -> Iterator["Job"]:
    with forge(Forge()) as served:
        yield Job(tmp_path, served)


class Job:
    """A job on a machine of GitHub, with the pull request number 7."""

    def __init__(self, folder: Path, served: Forge) -> None:
        self.folder, self.forge = folder, served
        event = {"pull_request": {"number": 7, "head": {"sha": "fedcba"}}}
        (folder / "event.json").write_text(json.dumps(event), encoding="utf-8")
        self._runs = 0

    def outcomes(self, name: str, passes: Mapping[str, int], samples: int = 10) -> str:
        """Write outcomes of some cases, so many of the samples passed."""
        rows = [
            f"m,{case},{attempt},{str(attempt < passed).lower()}\n"
            for case, passed in passes.items()
            for attempt in range(samples)
        ]
        (self.folder / name).write_text(HEADER + "".join(rows), encoding="utf-8")
        return name

    def report(self, name: str, passes: Mapping[str, int], samples: int = 10) -> str:
        """Write the report of such outcomes."""
        outcomes = self.folder / self.outcomes("outcomes.csv", passes, samples)
        (self.folder / name).write_text(
            JsonRenderer().render(steelyard.score_files([outcomes])), encoding="utf-8"
        )
        return name

    def keep(self, passes: Mapping[str, int], samples: int = 10) -> None:
        """Keep such outcomes as the baseline."""
        kept = self.folder / self.report("main.json", passes, samples)
        steelyard.set_baseline("main", kept, baselines=self.folder / ".steelyard/baselines")

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run both steps of the action with some of its inputs; only the second has the token."""
        self._runs += 1
        generated = self._step("generate", {**inputs, "COMMENT_TOKEN": ""})
        if generated.returncode != 0:
            return generated
        found = {name: value for name, value in inputs.items() if name not in {"OUTCOMES", "EVAL_SET"}}
        gated = self._step("gate", {**found, "CURRENT": self.outputs()["current"]})
        gated.stderr = generated.stderr + gated.stderr
        return gated

    def _step(self, stage: str, inputs: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        return self.shell(
            ["bash", str(SCRIPT), stage],
            {
                "HOME": str(self.folder),
                "GITHUB_ACTIONS": "true",
                "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
                "GITHUB_API_URL": self.forge.url,
                "GITHUB_REPOSITORY": "we/ours",
                "GITHUB_RUN_ID": str(self._runs),
                "GITHUB_SHA": "abc123",
                "COMMENT_TOKEN": TOKEN,
                "GITHUB_OUTPUT": str(self.folder / "output"),
                "COMMENT": "true",
                "INCONCLUSIVE": "fail",
                **inputs,
            },
        )

    def shell(self, words: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Run a shell that finds the commands of this environment."""
        tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            words,
            cwd=self.folder,
            env={"PATH": tools, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=250,
        )

    def outputs(self) -> dict[str, str]:
        """Return what the last step handed on."""
        lines = (self.folder / "output").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)


GOOD = dict.fromkeys([f"case-{number}" for number in range(40)], 10)


def test_the_first_job_has_nothing_to_compare_with_and_passes(job: Job) -> None:
    done = job.run(CURRENT=job.report("now.json", GOOD))

    assert (done.returncode, job.outputs()["verdict"]) == (0, "none")
    assert "There is no baseline `main`" in job.forge.comments[0]["body"]


def test_a_drop_against_the_main_branch_fails_the_job_and_is_told_in_the_comment(job: Job) -> None:
    job.run(OUTCOMES=job.outcomes("main.csv", GOOD), KEEP="true")
    done = job.run(OUTCOMES=job.outcomes("now.csv", {**GOOD, "case-7": 0}))

    assert (done.returncode, job.outputs()["verdict"]) == (1, "fail")
    assert "case-7" in job.forge.comments[0]["body"]
    assert len(job.forge.comments) == 1
    assert (job.folder / job.outputs()["folder"] / "report.html").is_file()


def test_outcomes_may_stand_on_several_lines_and_a_drop_that_is_meant_can_be_accepted(job: Job) -> None:
    job.keep(GOOD)
    half = len(GOOD) // 2
    first, second = dict(list(GOOD.items())[:half]), dict(list(GOOD.items())[half:])
    lines = [job.outcomes("a.csv", first), job.outcomes("b.csv", {**second, "case-39": 0})]

    done = job.run(OUTCOMES="\n".join(lines), ACCEPT="true")

    assert (done.returncode, job.outputs()["verdict"], job.outputs()["kept"]) == (1, "fail", "true")
    assert job.run(CURRENT=job.report("now.json", {**GOOD, "case-39": 0})).returncode == 0


def test_only_the_command_that_comments_gets_the_token(job: Job) -> None:
    spy = job.folder / "spy"
    shows_parent = "tr '\\\\0' '\\\\n' < /proc/$PPID/environ"
    spy.write_text(f'#!/bin/sh\nenv > "env-of-$1"; {shows_parent} >> "env-of-$1"\n', encoding="utf-8")
    spy.chmod(0o755)

    for inputs in ({"EVAL_SET": "set.toml"}, {"OUTCOMES": "outcomes.csv"}):
        assert job.run(STEELYARD=str(spy), **inputs).returncode == 0

    seen = {path.name: path.read_text(encoding="utf-8") for path in job.folder.glob("env-of-*")}
    assert sorted(seen) == ["env-of-ci", "env-of-import", "env-of-run"]
    assert [name for name, variables in seen.items() if TOKEN in variables] == ["env-of-ci"]
    assert "COMMENT_TOKEN" not in seen["env-of-ci"]


def test_nothing_changed_passes(job: Job) -> None:
    job.keep(GOOD)
    done = job.run(CURRENT=job.report("now.json", GOOD))

    assert (done.returncode, job.outputs()["verdict"]) == (0, "pass")


@pytest.mark.parametrize(("inconclusive", "code"), [("pass", 0), ("fail", 1), ("", 4)])
def test_too_little_data_does_to_the_job_what_its_owner_wants(inconclusive: str, code: int, job: Job) -> None:
    few = {"a": 2, "b": 1}
    job.keep(few, samples=2)
    done = job.run(CURRENT=job.report("now.json", few, samples=2), INCONCLUSIVE=inconclusive)

    assert (done.returncode, job.outputs()["verdict"]) == (code, "inconclusive")


def test_a_change_that_removes_cases_does_not_pass(job: Job) -> None:
    job.keep({**GOOD, "hard": 0})
    done = job.run(CURRENT=job.report("now.json", GOOD), INCONCLUSIVE="pass")

    assert (done.returncode, job.outputs()["verdict"]) == (4, "inconclusive")
    assert "hard" in job.forge.comments[0]["body"]


def test_an_eval_set_is_run_with_recorded_answers(job: Job) -> None:
    begun = subprocess.run(
        [Path(sys.executable).parent / "steelyard", "init", "."],
        cwd=job.folder,
        capture_output=True,
        check=True,
    )
    assert begun.returncode == 0
    inputs = {"EVAL_SET": "eval-sets/first.toml", "REPLAY": "answers/first.jsonl", "RUN_OPTIONS": "--quiet"}

    done = job.run(**inputs, GATE_OPTIONS="--margin 0.5\n--folder pages", KEEP="true")

    assert (done.returncode, job.outputs()["folder"], job.outputs()["kept"]) == (0, "pages", "true"), (
        done.stderr
    )
    assert "generated 30 of 30" in done.stderr
    assert (job.folder / ".steelyard/baselines/main.json").is_file()
    # The workflow that we tell people to copy is not red for a change that changes nothing.
    step = weighing_step()
    again = job.run(**inputs, INCONCLUSIVE=step["with"]["inconclusive"])
    assert (again.returncode, job.outputs()["verdict"]) == (0, "inconclusive")


@pytest.mark.parametrize("inputs", [{}, {"CURRENT": "a.json", "EVAL_SET": "b.toml"}])
def test_the_script_wants_one_thing_to_weigh(inputs: dict[str, str], job: Job) -> None:
    done = job.run(**inputs)

    assert done.returncode == 2
    assert "eval-set, outcomes and current" in done.stderr


@pytest.mark.parametrize("name", ["KEEP", "ACCEPT", "REQUIRE_BASELINE", "COMMENT"])
def test_a_switch_is_true_or_false_and_nothing_else(name: str, job: Job) -> None:
    current = job.report("now.json", GOOD)

    for value in ("yes", "True", "1"):
        done = job.run(**{"CURRENT": current, name: value})
        assert done.returncode == 2
        assert (
            f"the input {name.lower().replace('_', '-')} must be true or false, not '{value}'" in done.stderr
        )
    for value in ("false", ""):
        assert job.run(**{"CURRENT": current, name: value}).returncode == 0


def test_a_job_may_insist_on_a_baseline(job: Job) -> None:
    assert job.run(CURRENT=job.report("now.json", GOOD), REQUIRE_BASELINE="true").returncode == 2


def test_a_run_that_cannot_be_made_ends_the_job_with_its_code(job: Job) -> None:
    done = job.run(EVAL_SET="absent.toml", REPLAY="absent.jsonl")

    assert done.returncode == 2
    assert not (job.folder / "output").exists()


def action() -> dict[str, Any]:
    """Return the action as GitHub reads it."""
    read: dict[str, Any] = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
    return read


def test_every_input_is_used_and_every_one_used_is_there() -> None:
    told = action()
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(told["runs"])))

    assert used == set(told["inputs"])


def test_every_variable_of_the_script_is_set_by_the_action() -> None:
    steps = [step for step in action()["runs"]["steps"] if step.get("id") in {"generate", "evaluate"}]
    variables = {name for step in steps for name in step["env"]}
    wanted = set(re.findall(r"\$\{([A-Z_]+):-", SCRIPT.read_text(encoding="utf-8")))

    assert wanted - {"STEELYARD", "GITHUB_OUTPUT"} == variables - {"HERE"}


def test_only_the_step_that_comments_has_the_token() -> None:
    """A variable stays readable in /proc for as long as the shell of its step runs."""
    steps = action()["runs"]["steps"]

    assert [step["name"] for step in steps if "inputs.token" in json.dumps(step)] == ["Compare and comment"]
    assert "gate" in next(step["run"] for step in steps if step.get("name") == "Compare and comment")


def example() -> dict[str, Any]:
    """Return the workflow that we tell people to copy."""
    read: dict[str, Any] = yaml.safe_load(
        (REPOSITORY / "examples/ci/evaluate.yml").read_text(encoding="utf-8")
    )
    return read


def weighing_step() -> dict[str, Any]:
    """Return the step of the example workflow that uses our action."""
    steps = example()["jobs"]["evaluate"]["steps"]
    (step,) = (step for step in steps if step["uses"].startswith("OWNER/steelyard@"))
    found: dict[str, Any] = step
    return found


def test_the_example_workflow_gives_only_inputs_that_there_are() -> None:
    step = weighing_step()

    assert set(step["with"]) <= set(action()["inputs"])


def test_only_the_main_branch_has_the_button_that_accepts() -> None:
    accepted = weighing_step()["with"]["accept"]

    assert accepted.startswith("${{ inputs.accept && github.ref == format('refs/heads/{0}',")
    assert "github.event.repository.default_branch" in accepted


def test_the_gitlab_template_keeps_its_token_from_runs(job: Job, tmp_path: Path) -> None:
    template = yaml.safe_load((REPOSITORY / "action/gitlab.yml").read_text(encoding="utf-8"))[".steelyard"]
    seen = tmp_path / "seen"
    exported = "$(env | grep -c =secret)"
    fake = f'steelyard() {{ echo "$1 ${{STEELYARD_GITLAB_TOKEN:-none}} {exported}" >> "{seen}"; }}'
    variables = {name: str(value) for name, value in template["variables"].items()}

    done = job.shell(
        ["sh", "-e", "-c", "\n".join([fake, *template["script"]])],
        # A variable of a project that has the name of one of ours is exported whatever it holds.
        {
            **variables,
            "STEELYARD_GITLAB_TOKEN": "secret",
            "TOKEN": "of the project",
            "CI_JOB_ID": "7",
            "EVAL_SET": "set.toml",
        },
    )

    assert done.returncode == 0, done.stderr
    *before, ci = seen.read_text(encoding="utf-8").splitlines()
    assert before == ["doctor none 0", "run none 0"]
    assert ci.startswith("ci secret")
    assert template["cache"]["paths"] == ["$BASELINES"]


def test_the_shell_of_a_gitlab_job_keeps_the_token(job: Job, tmp_path: Path) -> None:
    """A known limit: GitLab gives a variable to the whole job, so any process of its user can read it."""
    template = yaml.safe_load((REPOSITORY / "action/gitlab.yml").read_text(encoding="utf-8"))[".steelyard"]
    seen = tmp_path / "seen"
    fake = (
        f"steelyard() {{ tr '\\0' '\\n' </proc/$$/environ | grep -c ^STEELYARD_GITLAB_TOKEN= >>'{seen}'; }}"
    )
    variables = {name: str(value) for name, value in template["variables"].items()}

    done = job.shell(
        ["sh", "-e", "-c", "\n".join([fake, *template["script"]])],
        {**variables, "STEELYARD_GITLAB_TOKEN": "secret", "CI_JOB_ID": "7", "EVAL_SET": "set.toml"},
    )

    assert done.returncode == 0, done.stderr
    assert seen.read_text(encoding="utf-8").split() == ["1", "1", "1"]


def test_the_shell_of_the_gitlab_template_runs(job: Job) -> None:
    template = yaml.safe_load((REPOSITORY / "action/gitlab.yml").read_text(encoding="utf-8"))[".steelyard"]
    job.report("now.json", GOOD)
    variables = {name: str(value) for name, value in template["variables"].items()}
    for verdict in ("no baseline", "PASS"):
        done = job.shell(
            ["sh", "-e", "-c", "\n".join(template["script"])],
            {
                **variables,
                "CURRENT": "now.json",
                "CI_COMMIT_BRANCH": "main",
                "CI_DEFAULT_BRANCH": "main",
                "GITLAB_CI": "true",
            },
        )
        assert done.returncode == 0, done.stderr
        assert verdict in done.stdout + done.stderr
