"""The Python and the packages that a user names for the answers to a benchmark."""

from pathlib import Path

from steelyard.errors import InputError, UserError
from steelyard.model.environment import Environment, python_problem, unpinned


def named_environment(packages: str | Path | None, python: str) -> Environment | None:
    """Return the environment of a list of pinned packages, under the same rules as that of an eval set."""
    if python and (problem := python_problem(python)):
        raise UserError(f"`python={python}`: {problem}")
    if packages is None:
        if python:
            raise UserError(f"`python={python}` is the Python of packages; name them too: `packages=FILE`")
        return None
    text = _text(Path(packages))
    for number, line in unpinned(text):
        raise InputError(
            f"{packages}, line {number}, {line!r}, pins no package to one version; "
            "write it as `name==1.2.3`, without options and addresses"
        )
    return Environment(python=python, requirements=text)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
