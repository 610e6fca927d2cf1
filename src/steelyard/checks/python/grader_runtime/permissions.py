"""Say what an answer may do to the objects that a test hands it: use them, and nothing that leads further.

A function leads to the tests' module by its globals, a frame to everything; a mock could be told to lie.
"""

import sys
import types
from collections.abc import Sequence

from steelyard.checks.python.grader_runtime.dunders import ALL

TESTS = "graded_tests"  # the name of the module that holds the tests
CODE = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.GeneratorType,
    types.CoroutineType,
    types.AsyncGeneratorType,
    types.FrameType,
    types.CodeType,
    types.TracebackType,
    types.ModuleType,
)
MOCKING = (
    *("assert_", "call", "mock_", "method_calls", "return_value", "side_effect"),
    *("configure_mock", "attach_mock", "reset_mock"),
)  # how names begin by which a mock tells or learns what it has seen


class Permissions:
    """What the grader lets an answer do; `trusted` names the answer's classes whose operators count."""

    def __init__(self, trusted: frozenset[str] = frozenset()) -> None:
        self.trusted = trusted

    def demand(self, kind: str, thing: object, rest: Sequence[object]) -> None:
        """Raise an error, which the answer gets, unless it may do what it asks for."""
        if kind == "special" and rest and rest[0] in ALL:
            return
        name = rest[0] if rest else None
        if not isinstance(name, str) or name.startswith("_") or isinstance(thing, CODE):
            raise AttributeError(f"{name!r} of a test's object is out of reach")
        if _is_mock(thing) and name.startswith(MOCKING):
            raise AttributeError(f"{name!r} of a mock is out of reach")
        if kind != "get" and type(thing).__module__ != TESTS:
            raise AttributeError(f"{name!r} of a test's object cannot be changed")


def _is_mock(thing: object) -> bool:
    # Imported only if the tests have done so: it takes longer than most checks.
    mocks = sys.modules.get("unittest.mock")
    return mocks is not None and isinstance(thing, mocks.NonCallableMock)
