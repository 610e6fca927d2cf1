"""Reading an answer takes time in proportion to its length: no answer holds a run up."""

import re
import time
from collections.abc import Callable

import pytest

from steelyard.checks.extraction.extract import extract
from steelyard.checks.recipes.recipe import recipes
from steelyard.checks.terraform.blocks import scan

SMALL, TIMES = 4_000, 16
UNITS = (
    "\n",
    " \n",
    "\n\t",
    " ",
    "public ",
    "public\n",
    "@a ",
    "@a\n",
    "/*",
    '"\\"',
    "'",
    '"""',
    "import ",
    "${",
    '"${',
    "const ",
    '{"a":',
    "<<A\n",
    "%{",
)


def patterns() -> dict[str, str]:
    """Return the patterns that recipes look for in answers."""
    found = {}
    for name, recipe in recipes().items():
        named = {"forbidden": recipe.forbidden, "answer": recipe.answer_name, "package": recipe.package}
        found.update({f"{name}, {kind}": pattern for kind, pattern in named.items() if pattern})
    return found


def seconds(read: Callable[[str], object], text: str) -> float:
    """Return the processor time of a reading: the best of three, since others compute here too."""
    times = []
    for _ in range(3):
        began = time.process_time()
        read(text)
        times.append(time.process_time() - began)
    return min(times)


def is_in_proportion(read: Callable[[str], object], unit: str) -> bool:
    """Whether a longer text takes as many times longer, or about that; a square would be far off."""
    short, long = (unit * (length // len(unit)) for length in (SMALL, SMALL * TIMES))
    at_most: float = max(0.05, TIMES**1.6 * seconds(read, f"x\n{short}y"))
    return seconds(read, f"x\n{long}y") < at_most


@pytest.mark.parametrize("hunk", ["@@\n-a\n+a\n", "@@ -1,0 +2 @@\n+b\n", "@@ -1 +1,2 @@\n-x\n+x\n+x\n"])
def test_many_hunks_for_a_long_file_take_no_longer_than_it_takes_to_see_them(hunk: str) -> None:
    diff = "--- /dev/null\n+++ b/answer.py\n@@ -0,0 +1 @@\n+x\n" + "+\n" * 20_000 + "+a\n" + hunk * 20_000

    assert seconds(lambda text: extract(text, "python"), f"```diff\n{diff}```\n") < 5


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("pattern", patterns().values(), ids=patterns().keys())
def test_a_recipe_looks_through_an_answer_in_proportion_to_its_length(pattern: str, unit: str) -> None:
    assert is_in_proportion(lambda text: list(re.finditer(pattern, text)), unit)


@pytest.mark.parametrize("unit", UNITS)
def test_terraform_is_scanned_in_proportion_to_its_length(unit: str) -> None:
    assert is_in_proportion(scan.__wrapped__, unit)
