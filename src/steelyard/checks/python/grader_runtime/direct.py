"""Run graded tests without a test runner: assertions, functions, classes, and HumanEval's `check`."""

import importlib
import inspect
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

from steelyard.checks.python.grader_runtime.collect import CHECK, COUNT, SAID, TESTS, WHOLE
from steelyard.checks.python.grader_runtime.handles import (
    REFUSED,
    NeedsShared,
    demand_unrefused,
    is_handle,
)
from steelyard.checks.python.grader_runtime.report import GradeReport, described
from steelyard.checks.python.grader_runtime.wire import Gone

Test = Callable[[], object]
Step = tuple[str, types.CodeType]


class Watched(Protocol):
    """What a run of tests looks at of the line to the answer's process."""

    caught: int
    is_serving: bool
    refused: BaseException | None  # in a thread of the tests, where raising it fails no test

    def demand_alive(self) -> None:
        """Raise Gone if the answer's process is no more."""


class NoLine:
    """There is no line where tests and answer share a process."""

    caught = 0
    is_serving = False
    refused: BaseException | None = None

    def demand_alive(self) -> None:
        """Do nothing: if the answer were gone, so would this be."""


class TestRun:
    """One run of the tests against one answer, and the tale of it."""

    def __init__(
        self,
        report: GradeReport,
        source: str,
        module: types.ModuleType,
        line: Watched,
    ) -> None:
        self.source = source
        self.module = module
        self._line = line
        self._report = report
        self._caught_before = 0
        self._met: Counter[int] = Counter()
        self._outside: Counter[int] = Counter()  # assertions that stand in no test
        vars(module)[COUNT] = self._count
        vars(module)[SAID] = _said
        REFUSED.clear()

    def demand_alive(self) -> None:
        """Raise Gone if the answer's process is no more."""
        self._line.demand_alive()

    def _count(self) -> None:
        """Count an assertion that holds, by its line; in a function that the answer calls at will, once."""
        line = sys._getframe(1).f_lineno  # noqa: SLF001  # public but for its name
        if self._line.is_serving:
            self._met[-line] = 1
        else:
            self._met[line] += 1

    def collected(self, names: list[str]) -> None:
        """Tell which tests there are."""
        self._report.tell("collected", names=names)

    def begin_test(self) -> None:
        """Tell what came of the tests so far, and count the assertions of the next from nothing."""
        self._report.flush()
        self._caught_before = self._line.caught
        self._met.clear()
        REFUSED.clear()  # pytest looks at objects of the answer while it collects

    def ended(self, name: str, status: str, error: BaseException | None = None) -> None:
        """Tell how a test ended, and why; it fails if it was refused something, even if it caught that."""
        refused = next(iter(REFUSED), self._line.refused)
        REFUSED.clear()
        if refused is not None and status != "ignored":
            status, error = "failed", refused
        message = "" if error is None else described(error, self.source)
        caught = self._line.caught - self._caught_before
        self._report.tell(
            "test", name=name, status=status, message=message, asserted=self._met, caught=caught
        )

    def set_up(self, act: Callable[[], object]) -> bool:
        """Run what stands around the tests; whether it went well."""
        self._report.flush()
        self._met.clear()
        try:
            act()
            demand_unrefused()
        except Gone:
            raise
        except BaseException as error:  # noqa: BLE001  # whatever ends it early
            self.setup_failed(error)
            return False
        self._outside.update(self._met)
        return True

    def is_set_up(self) -> None:
        """Tell which assertions were met outside of all tests, as in a loop of the module."""
        caught = self._line.caught
        self._report.tell("outside", status="passed", message="", asserted=self._outside, caught=caught)

    def setup_failed(self, error: BaseException) -> None:
        """Tell that what stands around the tests went wrong."""
        self._report.tell("setup", message=described(next(iter(REFUSED), error), self.source))

    def all(self, names: list[str], steps: list[Step], entry_point: str) -> None:
        """Run every test, and tell about each: first what stands outside functions, then what has a name."""
        self.collected(names)
        for name, code in steps:
            if name:
                self.attempt(name, partial(self._execute, code))
            elif not self.set_up(partial(self._execute, code)):
                return
        self.is_set_up()
        named = dict(self._named(entry_point)) if names != [WHOLE] else {}
        self.collected([*dict.fromkeys([*names, *named])])
        for name, test in named.items():
            self.attempt(name, test)

    def attempt(self, name: str, test: Test) -> None:
        """Run one test, and tell what came of it."""
        self.begin_test()
        try:
            test()
            self.demand_alive()  # a test that catches everything has learnt nothing from a dead answer
        except Gone as gone:
            self.ended(name, "failed", gone)
            raise
        except BaseException as error:  # noqa: BLE001  # whatever ends a test early has failed it
            self.ended(name, "ignored" if _is_skip(error) else "failed", error)
            return
        self.ended(name, "passed")

    def _execute(self, code: types.CodeType) -> None:
        exec(code, self.module.__dict__)  # noqa: S102  # the case's own tests
        demand_unrefused()

    def _check(self, check: Callable[[object], object], entry_point: str) -> object:
        """Run HumanEval's function of tests on the answer's function."""
        return check(vars(self.module)[entry_point])

    def _named(self, entry_point: str) -> Iterator[tuple[str, Test]]:
        """Give the tests that have names, in the order in which they are defined."""
        for name, thing in list(vars(self.module).items()):
            if is_handle(thing) or getattr(thing, "__module__", None) != TESTS:
                continue
            if name == CHECK and entry_point and inspect.isfunction(thing):
                yield CHECK, partial(self._check, thing, entry_point)
            elif name.startswith("test") and inspect.isfunction(thing):
                yield name, partial(_function, thing)
            elif inspect.isclass(thing):
                yield from _methods(name, thing)


def _said(message: Callable[[], object]) -> object:
    """Return the message of an assertion that has failed; an error of the answer in it is no way out."""
    try:
        return message()
    except (Gone, NeedsShared):
        raise
    except BaseException as error:  # noqa: BLE001  # whatever the answer raises
        return f"(its message raised {type(error).__name__})"


def _function(test: Test) -> object:
    return finished(test())


def _methods(name: str, kind: Any) -> Iterator[tuple[str, Test]]:  # noqa: ANN401  # a class of tests, or any other
    """Give the tests of a class: unittest's, or a plain one whose name says so."""
    unittest = sys.modules.get("unittest")
    if unittest is not None and issubclass(kind, unittest.TestCase):
        for method in unittest.TestLoader().getTestCaseNames(kind):
            yield f"{name}.{method}", partial(_debug, kind, method)
    elif name.startswith("Test"):
        for method in [method for method in dir(kind) if method.startswith("test")]:
            yield f"{name}.{method}", partial(_plain_method, kind, method)


def _debug(kind: Any, method: str) -> None:  # noqa: ANN401  # a subclass of unittest.TestCase
    """Run a method of a unittest case with its set-up and clean-up; whatever goes wrong is raised."""
    kind.setUpClass()
    try:
        kind(method).debug()
    finally:
        kind.tearDownClass()
        kind.doClassCleanups()
    for _, error, _ in kind.tearDown_exceptions:
        raise error


def _plain_method(kind: Any, method: str) -> None:  # noqa: ANN401  # any class
    """Run a method of a plain class of tests, as pytest would."""
    test = kind()
    getattr(kind, "setup_class", lambda: None)()
    getattr(test, "setup_method", lambda *_: None)(*_wanted(test, "setup_method", method))
    try:
        finished(getattr(test, method)())
    finally:
        getattr(test, "teardown_method", lambda *_: None)(*_wanted(test, "teardown_method", method))


def _wanted(test: Any, name: str, method: str) -> list[object]:  # noqa: ANN401  # as above
    """Return the method under test if the set-up asks for it."""
    found = getattr(test, name, None)
    return [getattr(test, method)] if found and inspect.signature(found).parameters else []


def finished(result: Any) -> object:  # noqa: ANN401  # whatever a test returns
    """Return what a test returns; a coroutine is run to its end first."""
    return importlib.import_module("asyncio").run(result) if inspect.iscoroutine(result) else result


def _is_skip(error: BaseException) -> bool:
    """Whether a test said of itself that it should be skipped. An answer cannot say so: see `errors`."""
    unittest = sys.modules.get("unittest")
    return unittest is not None and isinstance(error, unittest.SkipTest)
