"""Read the workflows, templates and image files of the repository, as text and as data."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.repo.package import REPOSITORY

WORKFLOWS = sorted((REPOSITORY / ".github/workflows").glob("*.yml"))
EXAMPLE = REPOSITORY / "examples/ci/evaluate.yml"
ACTION = REPOSITORY / "action.yml"
GITLAB = REPOSITORY / "action/gitlab.yml"
IMAGE_FILES = [REPOSITORY / "containers/Containerfile", REPOSITORY / ".devcontainer/Containerfile"]
ISSUE_FORMS = sorted((REPOSITORY / ".github/ISSUE_TEMPLATE").glob("*.yml"))
PAGES = sorted((REPOSITORY / "docs").rglob("*.md"))
YAML_BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(path: Path) -> dict[str, Any]:
    """Return a YAML file as data."""
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return data


def workflows_in_pages() -> Iterator[tuple[str, str]]:
    """Return each GitHub workflow that a page shows, with a name for it."""
    for page in PAGES:
        for number, block in enumerate(YAML_BLOCK.findall(page.read_text(encoding="utf-8"))):
            if "\njobs:" in block:
                yield f"{page.stem}-{number}", block


def shell_of(path: Path) -> Iterator[str]:
    """Return the shell scripts of a workflow's steps."""
    for job in read(path)["jobs"].values():
        yield from (step["run"] for step in job.get("steps", ()) if "run" in step)
