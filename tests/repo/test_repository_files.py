"""The files that people look for in a repository are there, and say what is true."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from scripts.release_notes import package_version
from tests.repo.package import REPOSITORY

PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "RELEASING.md", "CHANGELOG.md", "ARCHITECTURE.md")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
# Modules that Python has on Linux and not on Windows.
UNIX_ONLY = ("fcntl", "grp", "pwd", "resource", "syslog", "termios")


@pytest.mark.parametrize("page", PAGES)
def test_links_between_files_lead_somewhere(page: str) -> None:
    links = LINK.findall((REPOSITORY / page).read_text(encoding="utf-8"))

    assert not [link for link in links if not (REPOSITORY / link).exists()]


def test_a_citation_names_the_version_that_this_is() -> None:
    citation = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))

    assert citation["version"] == package_version()


def test_every_target_that_contributors_read_of_is_there() -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set()
    for page in ("CONTRIBUTING.md", "RELEASING.md", ".github/pull_request_template.md"):
        text = (REPOSITORY / page).read_text(encoding="utf-8")
        for words in re.findall(r"(?:`|^)make ([a-z -]+)", text, re.MULTILINE):
            named |= set(words.split())

    assert {"check", "lock", "changelog"} <= named
    assert named <= targets


def test_the_development_container_installs_what_ci_installs() -> None:
    described = json.loads((REPOSITORY / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    image = (REPOSITORY / ".devcontainer" / described["build"]["dockerfile"]).read_text(encoding="utf-8")
    tools = (REPOSITORY / "scripts/ci/tools").read_text(encoding="utf-8")
    (demanded,) = re.findall(r"^for tool in (.*); do$", tools, re.MULTILINE)

    assert "COPY scripts/ci/tools " in image
    assert "/tools all" in image
    assert "scripts/ci/tools all" in (REPOSITORY / ".ci/run").read_text(encoding="utf-8")
    # What scripts/ci/tools demands and does not install has to come from another image.
    brought = {
        "cargo": "AS rust",
        "clippy-driver": "component add clippy",
        "node": "AS node",
        "terraform": "AS terraform",
    }
    assert set(demanded.split()) == {*brought, "tsc"}
    assert all(line in image for line in brought.values())


def test_commands_that_need_no_sandbox_run_without_the_modules_of_unix(tmp_path: Path) -> None:
    blocked = f"import sys\nfor name in {UNIX_ONLY}:\n    sys.modules[name] = None\n"
    (tmp_path / "sitecustomize.py").write_text(blocked, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=250,
        )

    assert "ModuleNotFoundError" in run("-c", "import resource").stderr  # the block works
    done = run(str(REPOSITORY / "scripts/smoke_portable.py"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the commands without a sandbox work here" in done.stdout


def test_no_message_says_to_install_by_a_name_that_is_not_registered() -> None:
    sources = (REPOSITORY / "src").rglob("*.py")
    named = re.compile(r"pip install [^\n]*steelyard\[")

    assert [str(path) for path in sources if named.search(path.read_text(encoding="utf-8"))] == []
