"""Every module in `simulations/` is run by a test here at a small size, itself or as a part of another."""

import re
from pathlib import Path

from tests.repo.package import REPOSITORY

FOLDER = REPOSITORY / "perf" / "simulations"
IMPORT = re.compile(r"^from perf.simulations\.(\w+) import", re.MULTILINE)


def imported_by(path: Path) -> set[str]:
    # The table of all simulations imports every one of them, which does not run any.
    return set(IMPORT.findall(path.read_text(encoding="utf-8"))) - {"__main__"}


def test_no_simulation_is_left_out() -> None:
    there = {path.stem for path in FOLDER.glob("[!_]*.py")}
    run: set[str] = set()
    found = {name for path in Path(__file__).parent.glob("test_*.py") for name in imported_by(path)}
    while found - run:
        run |= found
        found = {name for module in run for name in imported_by(FOLDER / f"{module}.py")}

    assert there - run == set()
