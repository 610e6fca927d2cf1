"""Print the notes of a release for its tag and repository, from CHANGELOG.md.

Fails if the tag is not the version of the package, if the package names another repository, or if the
changelog has no notes for the version.
"""

import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]


def pyproject() -> dict[str, Any]:
    """Return the content of pyproject.toml."""
    return tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))


def package_version() -> str:
    """Return the version that a build of the package would get."""
    project = pyproject()
    source = (REPOSITORY / project["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")
    found = re.search(r'^VERSION = "([^"]+)"$', source, re.MULTILINE)
    if found is None:
        raise LookupError("the file that pyproject.toml names holds no VERSION")
    return found[1]


def notes_of(version: str, changelog: str) -> str:
    """Return the section of a version without its heading; empty if there is none."""
    section = re.search(
        rf"^## {re.escape(version)} \([^)\n]*\)\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    return section[1].strip() if section else ""


def foreign_addresses(urls: Mapping[str, str], repository: str) -> list[str]:
    """Return the addresses that do not belong to `OWNER/NAME` on GitHub."""
    owner, _, name = repository.partition("/")
    own = re.compile(rf"https://(github\.com/{owner}|{owner}\.github\.io)/{name}(/.*)?", re.IGNORECASE)
    return [url for url in urls.values() if not own.fullmatch(url)]


def main() -> None:
    """Print the notes of the tag that is the first argument; the second is the repository, `OWNER/NAME`."""
    (tag, repository), version = sys.argv[1:], package_version()
    if foreign := foreign_addresses(pyproject()["project"]["urls"], repository):
        sys.exit(f"[project.urls] in pyproject.toml: not addresses of {repository}: {', '.join(foreign)}")
    if tag != f"v{version}":
        sys.exit(
            f"the tag is {tag}, but the package is version {version}: tag v{version}, or change the version"
        )
    notes = notes_of(version, (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8"))
    if not notes:
        sys.exit(f"CHANGELOG.md has no notes for {version}: run `towncrier build --version {version}` first")
    print(notes)


if __name__ == "__main__":
    main()
