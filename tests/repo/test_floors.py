"""Every floor that pyproject.toml promises is one that `make lowest` runs the tests with."""

import re

import pytest
from packaging.requirements import Requirement

from tests.repo.floors import dependencies, floor
from tests.repo.package import REPOSITORY
from tests.repo.test_lock_file import DEVELOPERS, required


def lowest_job() -> str:
    """Return the lines of `make lowest`."""
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    found = re.search(r"^lowest:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert found
    return found[1]


def test_every_dependency_has_one_floor_and_no_ceiling() -> None:
    assert all(floor(wanted) for wanted in dependencies())


def test_a_dependency_with_a_ceiling_is_refused() -> None:
    with pytest.raises(ValueError, match="one lower bound"):
        floor(Requirement("numpy>=2,<3"))


def test_the_lowest_job_installs_these_floors_and_all_extras() -> None:
    job = lowest_job()

    assert "tests.repo.floors > $(LOWEST)/floors.txt" in job
    assert "--constraint $(LOWEST)/floors.txt" in job
    assert "--editable '.[all]'" in job


def test_no_group_asks_for_more_than_the_package_does() -> None:
    ours = {wanted.name for wanted in dependencies()}
    in_the_package = {str(wanted) for wanted in dependencies()}

    asked = [wanted for wanted in required(DEVELOPERS) if wanted.name in ours]

    assert [str(wanted) for wanted in asked if str(wanted) not in in_the_package] == []
