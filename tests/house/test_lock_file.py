"""The lock file answers for every dependency that pyproject.toml names."""

import re
import tomllib
from collections.abc import Iterator

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.house.package import REPOSITORY

PINNED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)", re.MULTILINE)


def locked() -> dict[str, set[Version]]:
    """Return each locked name with its versions; a universal lock may hold one per Python version."""
    versions: dict[str, set[Version]] = {}
    for pin in PINNED.finditer((REPOSITORY / "requirements-dev.lock").read_text(encoding="utf-8")):
        versions.setdefault(canonicalize_name(pin["name"]), set()).add(Version(pin["version"]))
    return versions


def required() -> Iterator[Requirement]:
    """Return what the package and the development groups ask for."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    for group in (project["project"]["dependencies"], *project["dependency-groups"].values()):
        yield from (Requirement(line) for line in group if isinstance(line, str))


def test_the_lock_holds_a_fitting_version_of_every_dependency() -> None:
    pins = locked()

    unmet = [
        str(wanted)
        for wanted in required()
        if not all(
            wanted.specifier.contains(version)
            for version in pins.get(canonicalize_name(wanted.name), {Version("0")})
        )
    ]

    assert not unmet, "run `make lock`, then `make install`"


def test_every_locked_version_has_a_hash() -> None:
    text = (REPOSITORY / "requirements-dev.lock").read_text(encoding="utf-8")

    blocks = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]

    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)
