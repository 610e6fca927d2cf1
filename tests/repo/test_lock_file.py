"""The lock files answer for every dependency that pyproject.toml names."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.repo.package import REPOSITORY

PINNED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)", re.MULTILINE)


DEVELOPERS, USERS = "requirements/dev.lock", "requirements/user.lock"
RELEASE, INSTALL = "requirements/release.lock", "requirements/uv.lock"
LOCKS = (DEVELOPERS, USERS, RELEASE, INSTALL)
EXTRAS_OF_USERS = ("cloud", "html", "json", "llm")


def locked(lock: str) -> dict[str, set[Version]]:
    """Return each locked name with its versions; a universal lock may hold one per Python version."""
    versions: dict[str, set[Version]] = {}
    for pin in PINNED.finditer((REPOSITORY / lock).read_text(encoding="utf-8")):
        versions.setdefault(canonicalize_name(pin["name"]), set()).add(Version(pin["version"]))
    return versions


def required(lock: str) -> Iterator[Requirement]:
    """Return what a lock must answer for: the package, its extras, the groups."""
    file = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    project, groups = file["project"], file["dependency-groups"]
    extras = {name: lines for name, lines in project["optional-dependencies"].items() if name != "all"}
    wanted = {
        DEVELOPERS: [project["dependencies"], *extras.values(), *groups.values()],
        USERS: [
            project["dependencies"],
            *(project["optional-dependencies"][name] for name in EXTRAS_OF_USERS),
        ],
        RELEASE: [groups["release"]],
        INSTALL: [groups["install"]],
    }
    for group in wanted[lock]:
        yield from (Requirement(line) for line in group if isinstance(line, str))


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_holds_a_fitting_version_of_every_dependency(lock: str) -> None:
    pins = locked(lock)

    unmet = [
        str(wanted)
        for wanted in required(lock)
        if not all(
            wanted.specifier.contains(version)
            for version in pins.get(canonicalize_name(wanted.name), {Version("0")})
        )
    ]

    assert not unmet, "run `make lock`, then `make install`"


@pytest.mark.parametrize("lock", [USERS, RELEASE, INSTALL])
def test_what_users_and_releases_get_is_what_was_tested(lock: str) -> None:
    tested = locked(DEVELOPERS)

    assert not {name: pins for name, pins in locked(lock).items() if not pins <= tested.get(name, set())}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_version_has_a_hash(lock: str) -> None:
    text = (REPOSITORY / lock).read_text(encoding="utf-8")

    blocks = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]

    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)
