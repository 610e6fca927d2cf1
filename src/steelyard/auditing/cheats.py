"""Answers that solve nothing: tests that pass one of them measure nothing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from steelyard.auditing.python_case import defined_names, expected_values
from steelyard.model.case import Case

COMMON_VALUES = ("None", "True", "False", "0", "1", "''", "[]")
FREQUENT_VALUES = 2  # of the expected ones

EQUAL_TO_ALL = """class _Any:
    def __getattr__(self, name):
        return self
    def __call__(self, *args, **kwargs):
        return self
    def _same(self, *others):
        return self
    def _true(self, *others):
        return True
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _true
    __add__ = __radd__ = __sub__ = __rsub__ = __abs__ = __round__ = __getitem__ = _same
    def __ne__(self, other):
        return False
    def __hash__(self):
        return 0
    def __len__(self):
        return 1
    def __iter__(self):
        return iter(())
"""
PRINTS = """print("1 passed in 0.01s")
print("OK")
print('{"passed": true, "score": 1, "reward": 1.0}')
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cheat:
    """An answer that solves nothing."""

    name: str
    source: str


def cheating_answers(case: Case) -> Iterator[Cheat]:
    """Yield answers that try to pass without solving the case; its reference is a whole program."""
    functions, classes = defined_names(case.reference or "")
    yield Cheat(name="an answer that calls exit(0)", source="import sys\nsys.exit(0)\n")
    yield Cheat(name="an answer that calls os._exit(0)", source="import os\nos._exit(0)\n")
    exits = _definitions(functions, classes, "__import__('os')._exit(0)")
    yield Cheat(name="an answer whose functions call os._exit(0)", source=exits)
    equal = f"{EQUAL_TO_ALL}\n{_definitions(functions, classes, '_Any()')}"
    yield Cheat(name="an answer whose results equal everything", source=equal)
    printed = f"{PRINTS}{_definitions(functions, classes, 'None')}"
    yield Cheat(name="an answer that prints a report of success", source=printed)


def constant_answers(case: Case) -> Iterator[Cheat]:
    """Yield answers that return the same value for every input."""
    functions, classes = defined_names(case.reference or "")
    counts = Counter(expected.value for expected in expected_values(case))
    frequent = [value for value, _ in counts.most_common(FREQUENT_VALUES)]
    for value in dict.fromkeys((*frequent, *COMMON_VALUES)):
        yield Cheat(
            name=f"an answer that always returns {value[:60]}", source=_definitions(functions, classes, value)
        )


def _definitions(functions: Sequence[str], classes: Sequence[str], result: str) -> str:
    """Return functions and classes that give one result for every call."""
    texts = [f"def {name}(*args, **kwargs):\n    return {result}\n" for name in functions]
    texts += [
        f"class {name}:\n    def __init__(self, *args, **kwargs):\n        pass\n"
        f"    def __getattr__(self, name):\n        return lambda *args, **kwargs: {result}\n"
        for name in classes
    ]
    return "\n".join(texts) or "pass\n"
