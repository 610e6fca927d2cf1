"""What installs Steelyard in CI takes a checkout and its lock file, never a name that is not ours."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.ci.fake_programs import FakePrograms
from tests.ci.repository_files import ACTION, GITLAB, IMAGE_FILES, PAGES, WORKFLOWS, read
from tests.repo.package import REPOSITORY

SCRIPTS = [
    path for folder in (".ci", "scripts/ci", "action") for path in sorted((REPOSITORY / folder).iterdir())
]
BY_NAME = re.compile(r"\binstall\b[^\n]*[\s\"']steelyard(?=$|[\s\"'\[=<>~])")
INSTALL = REPOSITORY / "action/install.sh"


@pytest.fixture
def fakes(tmp_path: Path) -> FakePrograms:
    return FakePrograms(tmp_path / "programs")


def run(script: str, fakes: FakePrograms, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script that finds the fake programs."""
    return subprocess.run(
        ["/bin/bash", "-e", "-c", script],
        env={"PATH": fakes.path, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )


def test_nothing_installs_the_name_from_an_index() -> None:
    pages = [page for page in PAGES if page.parent.name != "internals"]
    files = [*SCRIPTS, *WORKFLOWS, *IMAGE_FILES, ACTION, GITLAB, *pages, REPOSITORY / "README.md"]

    found = {file.name: BY_NAME.findall(file.read_text(encoding="utf-8")) for file in files}

    assert not {name: lines for name, lines in found.items() if lines}


@pytest.mark.parametrize(
    "line", ["pip install steelyard", "pip install --quiet 'steelyard[llm]'", 'uv pip install "steelyard==1"']
)
def test_installing_the_name_would_be_found(line: str) -> None:
    assert BY_NAME.search(line)


def test_the_install_script_takes_the_locks_and_this_checkout(fakes: FakePrograms) -> None:
    python = fakes.add("python")
    subprocess.run([INSTALL, python], check=True, timeout=250)

    locks = f"-r {REPOSITORY}/requirements/user.lock -r {REPOSITORY}/requirements/release.lock"
    assert fakes.calls() == [
        f"python -m pip install --quiet --require-hashes {locks}",
        f"python -m pip install --quiet --no-deps --no-build-isolation {REPOSITORY}",
    ]


def test_extras_come_in_the_tested_versions(fakes: FakePrograms) -> None:
    python = fakes.add("python")
    subprocess.run([INSTALL, python, "ray,view"], check=True, timeout=250)

    assert re.search(rf"--constraint \S+ {REPOSITORY}\[ray,view\]$", fakes.calls()[-1])


@pytest.mark.parametrize(
    ("install", "call"), [("", "bash {}"), ("ours.whl", "python -m pip install --quiet ours.whl")]
)
def test_the_action_installs_its_own_commit_unless_an_input_says_otherwise(
    install: str, call: str, tmp_path: Path, fakes: FakePrograms
) -> None:
    (step,) = (step for step in read(ACTION)["runs"]["steps"] if step.get("name") == "Install Steelyard")
    fakes.add("bash")
    (tmp_path / "steelyard").symlink_to(tmp_path)
    (tmp_path / "bin").symlink_to(fakes.add("python").parent)

    done = run(
        step["run"], fakes, INSTALL=install, HERE=str(REPOSITORY), PYTHON="true", RUNNER_TEMP=str(tmp_path)
    )

    assert done.returncode == 0, done.stderr
    assert fakes.calls() == [call.format(f"{INSTALL} {tmp_path}/steelyard/bin/python")]


def gitlab_install() -> str:
    """Return the shell by which the GitLab template installs."""
    return "\n".join(read(GITLAB)[".steelyard"]["before_script"])


def gitlab_variables() -> dict[str, str]:
    """Return the template's defaults of what to install."""
    variables = read(GITLAB)[".steelyard"]["variables"]
    return {name: value for name, value in variables.items() if name.startswith("STEELYARD_")}


@pytest.mark.parametrize(
    "given", [{}, {"STEELYARD_REPOSITORY": "https://example.org"}, {"STEELYARD_COMMIT": "0"}]
)
def test_the_gitlab_template_installs_nothing_until_it_is_said_what(
    given: dict[str, str], fakes: FakePrograms
) -> None:
    for name in ("apt-get", "git", "pip"):
        fakes.add(name)

    done = run(gitlab_install(), fakes, **{**gitlab_variables(), **given})

    assert done.returncode == 2
    assert "set STEELYARD_REPOSITORY and STEELYARD_COMMIT" in done.stderr
    assert fakes.calls() == []


def test_the_gitlab_template_installs_the_commit_that_it_is_given(
    tmp_path: Path, fakes: FakePrograms
) -> None:
    fakes.add("apt-get")
    commit = repository_with_install_script(tmp_path / "origin")
    given = {"STEELYARD_REPOSITORY": str(tmp_path / "origin"), "STEELYARD_COMMIT": commit}

    done = run(gitlab_install(), fakes, **{**gitlab_variables(), **given}, TMPDIR=str(tmp_path))

    assert (done.returncode, done.stdout) == (0, "the script of this commit for python3\n"), done.stderr


def test_the_gitlab_template_hands_its_variable_to_pip(fakes: FakePrograms) -> None:
    for name in ("apt-get", "git", "pip"):
        fakes.add(name)

    run(gitlab_install(), fakes, **{**gitlab_variables(), "STEELYARD_INSTALL": "ours.whl"})

    assert fakes.calls()[-1] == "pip install --quiet ours.whl"


def repository_with_install_script(folder: Path) -> str:
    """Make a Git repository with an install script that tells of itself; return its commit."""
    (folder / "action").mkdir(parents=True)
    (folder / "action/install.sh").write_text('echo "the script of this commit for $1"\n', encoding="utf-8")
    git = ["git", "-C", str(folder), "-c", "user.name=we", "-c", "user.email=we@example.org"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "one"]):
        subprocess.run([*git, *words], check=True, timeout=250)
    shown = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True, timeout=250
    )
    return shown.stdout.strip()
