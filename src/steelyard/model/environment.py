"""Hold the environment of answers: which Python, and the packages that they may import, of PyPI or npm.

Every package is pinned to one version: an answer must meet the same packages today and next year.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

PYTHON = re.compile(r"3\.(\d{1,2})(\.\d{1,2})?")
OLDEST_MINOR = 11  # the interpreter is started with `-P`, which earlier ones do not have
COMMENT = re.compile(r"(^|\s)#.*")
PINNED = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(\[[A-Za-z0-9._,\s-]*\])?\s*"  # a name, and perhaps extras
    r"==\s*(?P<version>[A-Za-z0-9][A-Za-z0-9._+!-]*)"
    r"(\s*;[^;]*?)?"  # where it is wanted, such as `python_version < "3.13"`
    r"(\s+--hash[= ][A-Za-z0-9]+:[0-9a-f]+)*"
)
NPM_NAME = re.compile(
    r"(@[A-Za-z0-9~-][A-Za-z0-9._~-]*/)?[A-Za-z0-9~-][A-Za-z0-9._~-]*"
)  # perhaps with a scope
NPM_PINNED = re.compile(rf"(?P<name>{NPM_NAME.pattern})@(?P<version>\d+\.\d+\.\d+([-+][A-Za-z0-9.+-]+)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Packages and Python of answers and tests; an empty field means the checking machine's own."""

    python: str = ""  # a version, such as `3.12`; empty: the Python that Steelyard runs on
    requirements: str = ""  # the text of a requirements file
    npm: tuple[str, ...] = ()  # for JavaScript and TypeScript, each such as `lodash@4.17.21`

    def form(self) -> dict[str, object]:
        """Return the fields for a digest; comments and the order of lines are no part of it.

        >>> Environment(requirements="numpy==2.1.0  # arrays").form()["requirements"]
        ['numpy==2.1.0']
        """
        return {
            "python": self.python,
            "requirements": sorted_lines(self.requirements),
            "npm": sorted(set(self.npm)),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentState:
    """What this machine has of an environment."""

    language: str = "Python"
    packages: int
    missing: int = 0  # packages that are still to be installed
    problem: str = ""  # why they cannot be, as far as is known beforehand

    @property
    def is_installed(self) -> bool:
        """Whether all of it is there.

        >>> EnvironmentState(packages=2).is_installed, EnvironmentState(packages=2, missing=1).is_installed
        (True, False)
        """
        return not self.missing and not self.problem


def requirement_lines(text: str) -> Iterator[tuple[int, str]]:
    r"""Give each requirement with the number of its first line; a backslash joins a line with the next.

    >>> list(requirement_lines("# arrays\nnumpy==2.1.0 \\\n  --hash=sha256:ab\n"))
    [(2, 'numpy==2.1.0 --hash=sha256:ab')]
    """
    begun, parts = 1, list[str]()
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        begun = begun if parts else number
        bare = COMMENT.sub("", line).strip()
        parts.append(bare.removesuffix("\\").strip())
        if bare.endswith("\\"):
            continue
        if joined := " ".join(part for part in parts if part):
            yield begun, joined
        parts = []


def sorted_lines(text: str) -> list[str]:
    """Return the requirements in a fixed order."""
    return sorted({line for _, line in requirement_lines(text)})


def unpinned(text: str) -> list[tuple[int, str]]:
    r"""Return each line that does not pin a package to one version, with its number.

    >>> unpinned("numpy==2.1.0\npandas>=2\n--index-url https://example.org\nscipy==1.*")
    [(2, 'pandas>=2'), (3, '--index-url https://example.org'), (4, 'scipy==1.*')]
    """
    return [(number, line) for number, line in requirement_lines(text) if not PINNED.fullmatch(line)]


def pins(text: str) -> dict[str, str]:
    """Return the version of each package, by its name as indexes spell it.

    >>> pins("Flask_Login==0.6.3")
    {'flask-login': '0.6.3'}
    """
    matches = (PINNED.fullmatch(line) for _, line in requirement_lines(text))
    return {package_name(item["name"]): item["version"] for item in matches if item}


def npm_pin(package: str) -> tuple[str, str] | None:
    """Return the name and the version of an npm package, or None for one that is not pinned to a version.

    >>> npm_pin("@scope/name@1.0.0"), npm_pin("lodash@^4")
    (('@scope/name', '1.0.0'), None)
    """
    match = NPM_PINNED.fullmatch(package)
    return (match["name"], match["version"]) if match else None


def package_name(name: str) -> str:
    """Return the name of a package as indexes spell it.

    >>> package_name("Flask_Login")
    'flask-login'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def python_problem(version: str) -> str | None:
    """Return what is wrong with the version of a Python, if anything is.

    >>> python_problem("3.12"), python_problem("3.9")
    (None, "found '3.9', expected a Python from 3.11 on")
    """
    match = PYTHON.fullmatch(version)
    if match is None:
        return f"found {version!r}, expected the version of a Python, such as '3.12'"
    return None if int(match[1]) >= OLDEST_MINOR else f"found {version!r}, expected a Python from 3.11 on"
