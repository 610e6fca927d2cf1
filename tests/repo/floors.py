"""Print the lowest version of every dependency that pyproject.toml promises, as pip's constraints.

`make lowest` installs exactly these and runs the tests with them, so no floor is promised that is not tested.
"""

import tomllib
from collections.abc import Iterator

from packaging.requirements import Requirement

from tests.repo.package import REPOSITORY


def dependencies() -> Iterator[Requirement]:
    """Return what the package and its extras need, without the extra that is made of the others."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for group in (project["dependencies"], *project["optional-dependencies"].values()):
        yield from (wanted for line in group if (wanted := Requirement(line)).name != project["name"])


def floor(wanted: Requirement) -> str:
    """Return the lowest version that a requirement allows; raises ValueError if it says anything else."""
    bounds = list(wanted.specifier)
    if len(bounds) != 1 or bounds[0].operator != ">=":
        raise ValueError(f"{wanted}: a dependency has one lower bound and nothing else")
    return bounds[0].version


if __name__ == "__main__":
    for needed in dependencies():
        print(f"{needed.name}=={floor(needed)}")  # noqa: T201  # the constraints are what it prints
