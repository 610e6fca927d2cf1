"""Keep the assertions of unittest from showing an object of the answer what is expected."""

import importlib

from steelyard.checks.python.grader_runtime.handles import is_handle, refuse


def guard_unittest() -> None:
    """Let `assertSetEqual` take plain sets alone: it asks both of its arguments how they differ."""
    test_case = importlib.import_module("unittest").TestCase
    plain = test_case.assertSetEqual

    def guarded(self: object, first: object, second: object, msg: object = None) -> None:
        if any(is_handle(one) and not isinstance(one, frozenset) for one in (first, second)):
            refuse("assertSetEqual of an object of the answer")
        plain(self, first, second, msg)

    if plain.__module__ != __name__:
        test_case.assertSetEqual = guarded
