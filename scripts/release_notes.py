"""Print the notes of a release for its tag, from CHANGELOG.md.

Ends with an error if the tag is not the version of the package, or if the changelog has no notes for it.
"""

import re
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def package_version() -> str:
    """Return the version that a build of the package would get."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
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


def main() -> None:
    """Print the notes for the tag that the command line names."""
    tag, version = sys.argv[1], package_version()
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
