"""Run graded tests without a test runner: statements, functions, classes, and HumanEval's `check`."""

import importlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Protocol

from steelyard.checks.python.grader_runtime.collect import CHECK, COUNT, TESTS
from steelyard.checks.python.grader_runtime.handles import FAILURES, is_handle
from steelyard.checks.python.grader_runtime.report import GradeReport, described
from steelyard.checks.python.grader_runtime.wire import Gone

Test = Callable[[], object]
Step = tuple[str, types.CodeType]


class Line(Protocol):
    """The line to the answer's process."""

    is_counting: bool

    def begin_test(self) -> None:
        """Take what is handed over from now on for that of another test."""

    def demand_alive(self) -> None:
        """Raise Gone if the answer's process is no more."""


class NoLine:
    """There is no line where tests and answer share a process."""

    is_counting = True

    def begin_test(self) -> None:
        """Do nothing: nothing is handed over."""

    def demand_alive(self) -> None:
        """Do nothing: if the answer were gone, so would this be."""


class TestRun:
    """One run of the tests against one answer, and the tale of it."""

    def __init__(
        self,
        report: GradeReport,
        job: Mapping[str, Any],
        module: types.ModuleType,
        line: Line,
    ) -> None:
        self.source: str = job["tests"]
        # The modules whose tests run: tests may have some from a file of the case.
        self._homes = {TESTS, *(path.removesuffix(".py").replace("/", ".") for path in job["files"])}
        self.module = module
        self.demand_alive = line.demand_alive
        self._line = line
        self._report = report
        self._asserted = 0  # assertions that have held in the test that runs now
        vars(module)[COUNT] = self._count
        FAILURES.clear()

    def _count(self) -> None:
        self._asserted += self._line.is_counting

    def collected(self, names: list[str]) -> None:
        """Tell which tests there are."""
        self._report.tell("collected", names=names)

    def begin_test(self) -> None:
        """Tell what came of the tests so far, and start the next from nothing."""
        self._report.flush()
        self._asserted = 0
        self._line.begin_test()
        FAILURES.clear()  # pytest looks at objects of the answer while it collects

    def ended(self, name: str, status: str, error: BaseException | None = None) -> None:
        """Tell how a test ended, and why; what was refused fails it even if it caught that."""
        if FAILURES:
            status, error = "failed", FAILURES[0]
        message = "" if error is None else described(error, self.source)
        self._report.tell("test", name=name, status=status, message=message, asserted=self._asserted)

    def set_up(self, act: Callable[[], object]) -> bool:
        """Run what stands around the tests; whether it went well."""
        self.begin_test()
        try:
            act()
        except Gone:
            raise
        except BaseException as error:  # noqa: BLE001  # whatever ends it early
            FAILURES.append(error)
        if FAILURES:
            self.setup_failed(FAILURES[0])
        return not FAILURES

    def setup_failed(self, error: BaseException) -> None:
        """Tell that what stands around the tests went wrong."""
        self._report.tell("setup", message=described(error, self.source))

    def all(self, names: list[str], steps: list[Step], entry_point: str) -> None:
        """Run every test, and tell about each: first what stands outside functions, then what has a name."""
        self.collected(names)
        for name, code in steps:
            if name:
                self.attempt(name, partial(self._execute, code))
            elif not self.set_up(partial(self._execute, code)):
                return
        named = dict(self._named(entry_point))
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

    def _check(self, check: Callable[[object], object], entry_point: str) -> object:
        """Run HumanEval's function of tests on the answer's function."""
        return check(vars(self.module)[entry_point])

    def _named(self, entry_point: str) -> Iterator[tuple[str, Test]]:
        """Give the tests that have names, in the order in which they are defined."""
        for name, thing in list(vars(self.module).items()):
            function = thing.func if isinstance(thing, partial) else thing
            if is_handle(function) or getattr(function, "__module__", None) not in self._homes:
                continue
            if name == CHECK and entry_point and inspect.isfunction(thing):
                yield CHECK, partial(self._check, thing, entry_point)
            elif name.startswith("test") and inspect.isfunction(function):
                yield name, partial(_function, thing)
            elif inspect.isclass(thing):
                yield from _methods(name, thing)


def _function(test: Test) -> object:
    return finished(test())


def _methods(name: str, kind: Any) -> Iterator[tuple[str, Test]]:  # noqa: ANN401  # a class of tests, or any other
    """Give the tests of a class: unittest's, or a plain one whose name says so."""
    unittest = sys.modules.get("unittest")
    if unittest is not None and issubclass(kind, unittest.TestCase):
        for test in unittest.TestLoader().loadTestsFromTestCase(kind):
            method = test.id().rpartition(".")[2]
            yield f"{name}.{method}", partial(_debug, kind, method)
    elif name.startswith("Test"):
        for method in dir(kind):
            if method.startswith("test") and callable(getattr(kind, method)):
                yield f"{name}.{method}", partial(_method, kind, method)


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


def _method(kind: Any, method: str) -> object:  # noqa: ANN401  # any class
    return finished(getattr(kind(), method)())


def finished(result: Any) -> object:  # noqa: ANN401  # whatever a test returns
    """Return what a test returns; a coroutine is run to its end first."""
    return importlib.import_module("asyncio").run(result) if inspect.iscoroutine(result) else result


def _is_skip(error: BaseException) -> bool:
    """Whether a test said of itself that it should be skipped. An answer cannot say so: see `errors`."""
    unittest = sys.modules.get("unittest")
    return unittest is not None and isinstance(error, unittest.SkipTest)
