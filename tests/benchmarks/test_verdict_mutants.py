"""Decisions and numbers are broken; words, types and messages stay."""

import ast

from benchmarks.mutations import mutant
from benchmarks.verdict_mutants import MODULES, Target, chosen, difference

SOURCE = '''
LIMIT: float = 0.5

def is_low(value: float) -> bool:
    """Return whether 1 is low."""
    if value < 0:
        raise ValueError(f"{value} is below {0 + 1}")
    return value < LIMIT and not value > 2
'''


def changes() -> set[str]:
    plain = ast.unparse(ast.parse(SOURCE))
    made = [mutant(SOURCE, *place).source for place in chosen(SOURCE, None, seed="")]
    return {line for one in made for line in difference(plain, one).splitlines() if line.startswith("+")}


def test_comparisons_operators_and_numbers_are_changed() -> None:
    assert {
        "+    if value <= 0:",
        "+    if not value < 0:",
        "+LIMIT: float = 1.5",
        "+    return value < LIMIT or not value > 2",
        "+    return value < LIMIT and (not value >= 2)",
    } & changes() >= {"+    if value <= 0:", "+    if not value < 0:", "+LIMIT: float = 1.5"}


def test_messages_and_docstrings_stay() -> None:
    assert not [line for line in changes() if "raise" in line or "Return whether" in line]


def test_a_sample_is_the_same_every_time() -> None:
    assert chosen(SOURCE, 3, seed="a") == chosen(SOURCE, 3, seed="a")
    assert len(chosen(SOURCE, 3, seed="a")) == 3


def test_every_module_that_is_named_has_tests() -> None:
    targets = [Target(f"{part}/{name}") for part, names in MODULES.items() for name in names.split()]

    assert [path for target in targets for path in target.tests if not path.exists()] == []
