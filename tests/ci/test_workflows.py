"""Workflows and templates fit their schemas, are pinned, and name only what exists."""

import os
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml
from check_jsonschema.cli.main_command import main as check_jsonschema
from click.testing import CliRunner

from steelyard.app.baseline import NAME
from tests.ci.fake_programs import FakePrograms
from tests.ci.repository_files import (
    ACTION,
    EXAMPLE,
    GITLAB,
    IMAGE_FILES,
    ISSUE_FORMS,
    WORKFLOWS,
    read,
    shell_of,
    workflows_in_pages,
)
from tests.repo.package import REPOSITORY

WORKFLOW = REPOSITORY / ".github/workflows"
DEVELOPMENT_IMAGE = REPOSITORY / ".devcontainer/Containerfile"
BIN = Path(sys.executable).parent
FORMS = [form for form in ISSUE_FORMS if form.name != "config.yml"]
SCHEMAS = {
    "vendor.github-workflows": [*WORKFLOWS, EXAMPLE],
    "custom.github-workflows-require-timeout": WORKFLOWS,
    "vendor.github-actions": [ACTION],
    "vendor.dependabot": [REPOSITORY / ".github/dependabot.yml"],
    "vendor.github-issue-forms": FORMS,
    "vendor.github-issue-config": [REPOSITORY / ".github/ISSUE_TEMPLATE/config.yml"],
    "vendor.gitlab-ci": [GITLAB],
    "vendor.citation-file-format": [REPOSITORY / "CITATION.cff"],
}
USES = re.compile(r"^[ -]*\buses: (\S+)(.*)$", re.MULTILINE)
PINNED = re.compile(r"(?P<action>[\w.-]+/[\w./-]+)@(?P<commit>[0-9a-f]{40})")
VERSION = re.compile(r" # v\d+\.\d+\.\d+")
OURS = re.compile(r"\./\.github/workflows/\w+\.yml|OWNER/steelyard@COMMIT")
IMAGE = re.compile(r"\bdocker\.io/[^\s@]+\S*")
DIGEST = re.compile(r"docker\.io/[\w./-]+:\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}")


def check_schema(name: str, files: list[Path]) -> None:
    """Fail unless the files fit a schema that comes with check-jsonschema; nothing is downloaded."""
    words = ["--builtin-schema", name, "--default-filetype", "yaml"]
    if name == "vendor.gitlab-ci":
        words += ["--data-transform", "gitlab-ci"]
    done = CliRunner().invoke(check_jsonschema, [*words, *map(str, files)])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_fit_their_schema(schema: str) -> None:
    assert SCHEMAS[schema]
    check_schema(schema, SCHEMAS[schema])


def test_workflows_that_the_pages_show_fit_the_schema(tmp_path: Path) -> None:
    files = []
    for name, text in workflows_in_pages():
        files.append(tmp_path / f"{name}.yml")
        files[-1].write_text(text, encoding="utf-8")

    assert files
    check_schema("vendor.github-workflows", files)


def test_jobs_of_one_branch_run_one_after_the_other() -> None:
    shown = [yaml.safe_load(text) for _, text in workflows_in_pages()]

    for workflow in (read(EXAMPLE), *shown):
        assert workflow["concurrency"] == {"group": "evaluate-${{ github.ref }}", "cancel-in-progress": False}
    assert read(GITLAB)[".steelyard"]["resource_group"] == "steelyard-$BASELINE-$CI_COMMIT_REF_SLUG"


def test_zizmor_finds_no_hole_in_a_workflow(tmp_path: Path) -> None:
    example = tmp_path / "evaluate.yml"
    example.write_text(
        EXAMPLE.read_text(encoding="utf-8").replace("@COMMIT", "@" + "0" * 40), encoding="utf-8"
    )
    words = [str(BIN / "zizmor"), "--offline", "--no-progress", "--no-config", "--strict-collection"]

    done = subprocess.run(
        [*words, REPOSITORY / ".github", ACTION, example], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


def texts() -> list[str]:
    """Return every text in which an action is used, those of the pages too."""
    files = [*WORKFLOWS, EXAMPLE, ACTION]
    return [
        *(file.read_text(encoding="utf-8") for file in files),
        *(text for _, text in workflows_in_pages()),
    ]


def test_every_action_is_pinned_by_a_commit_with_its_version_beside_it() -> None:
    uses = [use for text in texts() for use in USES.findall(text)]
    foreign = [(name, rest) for name, rest in uses if not OURS.fullmatch(name)]

    assert len(foreign) > 20
    assert not [name for name, rest in foreign if not (PINNED.fullmatch(name) and VERSION.fullmatch(rest))]


def test_one_action_has_one_commit_everywhere() -> None:
    commits: dict[str, set[str]] = {}
    for use in chain.from_iterable(PINNED.finditer(text) for text in texts()):
        repository = "/".join(use["action"].split("/")[:2])
        commits.setdefault(repository, set()).add(use["commit"])

    assert commits
    assert not {repository: many for repository, many in commits.items() if len(many) > 1}


def images() -> list[str]:
    """Return every image that an image file, a workflow or the GitLab template names."""
    return [
        image
        for file in (*IMAGE_FILES, GITLAB, *WORKFLOWS)
        for image in IMAGE.findall(file.read_text(encoding="utf-8"))
    ]


def test_every_image_is_pinned_by_its_digest_and_one_version_has_one_digest() -> None:
    digests: dict[str, set[str]] = {}
    for image in images():
        digests.setdefault(image.partition("@")[0], set()).add(image)

    assert not [image for image in images() if not DIGEST.fullmatch(image)]
    assert not {image: many for image, many in digests.items() if len(many) > 1}


def test_every_stage_of_an_image_begins_with_an_image_that_is_named_in_full() -> None:
    bases = [
        base
        for file in IMAGE_FILES
        for base in re.findall(r"^FROM (\S+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]

    assert bases
    assert not [base for base in bases if base != "${PYTHON_IMAGE}" and not base.startswith("docker.io/")]
    assert str(read(GITLAB)[".steelyard"]["image"]).startswith("docker.io/")


def python_of(image: str) -> str:
    """Return the version of Python, such as 3.13, in the name of an image."""
    return image.partition("/python:")[2].rpartition(".")[0]


def promised_pythons() -> set[str]:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return set(re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"])))


def test_each_change_has_one_full_suite_and_quick_tests_on_the_other_pythons() -> None:
    jobs = read(WORKFLOW / "checks.yml")["jobs"]
    (default,) = re.findall(
        r"^ARG PYTHON_IMAGE=(.*)@", DEVELOPMENT_IMAGE.read_text(encoding="utf-8"), re.MULTILINE
    )

    assert {python_of(default), *jobs["quick"]["strategy"]["matrix"]["python"]} == promised_pythons()
    assert "make install quick" in [step.get("run") for step in jobs["quick"]["steps"]]
    assert [name for name, job in jobs.items() if ".ci/run" in str(job)] == ["checks"]
    assert "strategy" not in jobs["checks"]


def test_each_night_has_full_suites_on_the_other_pythons_and_on_arm64() -> None:
    jobs = read(WORKFLOW / "nightly.yml")["jobs"]
    pythons = jobs["pythons"]["strategy"]["matrix"]["python"]
    suites = jobs["suites"]["strategy"]["matrix"]["include"]
    quick = read(WORKFLOW / "checks.yml")["jobs"]["quick"]["strategy"]["matrix"]["python"]

    assert [python["version"] for python in pythons] == quick
    assert all(python_of(python["image"]) == python["version"] for python in pythons)
    assert {"target": "check", "runner": "ubuntu-24.04-arm"} in suites
    assert {suite["target"] for suite in suites} - {"check-all"} <= make_targets()
    assert "make lowest" in [step.get("run") for step in jobs["lowest"]["steps"]]


@pytest.mark.parametrize(("architecture", "installed"), [("amd64", 1), ("i386", 1), ("arm64", 0)])
def test_the_second_kernel_is_installed_where_debian_has_it(
    architecture: str, installed: int, tmp_path: Path
) -> None:
    fakes = FakePrograms(tmp_path / "programs")
    for name in ("apt-get", "cargo", "clippy-driver", "node", "npm", "terraform", "tsc"):
        fakes.add(name)
    fakes.add("dpkg", prints=architecture)
    tools = ["/bin/bash", str(REPOSITORY / "scripts/ci/tools"), "all"]
    subprocess.run(tools, env={"PATH": str(fakes.folder)}, check=True, timeout=250)

    (install,) = [call for call in fakes.calls() if call.startswith("apt-get install")]
    assert install.split().count("user-mode-linux") == installed


def make_targets() -> set[str]:
    """Return the targets of the Makefile."""
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


def test_every_target_and_script_that_a_workflow_runs_is_there() -> None:
    shell = "\n".join(chain.from_iterable(shell_of(file) for file in WORKFLOWS))
    targets = set(
        chain.from_iterable(words.split() for words in re.findall(r"\bmake ([a-z -]+)$", shell, re.MULTILINE))
    )
    scripts = set(re.findall(r"(?<![\w./])(?:\.ci|action|scripts)/[\w./-]+", shell))

    assert {"install", "lowest", "wheel", "sbom", "docs"} <= targets <= make_targets()
    assert {".ci/run", "action/install.sh", "scripts/smoke_portable.py"} <= scripts
    assert not [name for name in scripts if not (REPOSITORY / name).is_file()]
    assert not [
        name for name in scripts if not name.endswith(".py") and not os.access(REPOSITORY / name, os.X_OK)
    ]


def test_every_hook_before_a_commit_is_a_target_of_make() -> None:
    (ours,) = read(REPOSITORY / ".pre-commit-config.yaml")["repos"]
    entries = [hook["entry"].split() for hook in ours["hooks"]]

    assert ours["repo"] == "local"
    assert all(hook["language"] == "system" and not hook["pass_filenames"] for hook in ours["hooks"])
    assert {program for program, _ in entries} == {"make"}
    assert {target for _, target in entries} <= make_targets()


def test_a_baseline_is_looked_up_by_its_exact_name() -> None:
    text = ACTION.read_text(encoding="utf-8")
    (prefix,) = re.findall(r"restore-keys: (.*)", text)
    keys = re.findall(r" key: (steelyard-.*)", text)

    assert prefix.endswith("}}/")
    assert not NAME.fullmatch("main/")  # so the key of `main-2` begins with no prefix of `main`
    assert len(keys) == 2
    assert all(key.startswith(prefix) for key in keys)
