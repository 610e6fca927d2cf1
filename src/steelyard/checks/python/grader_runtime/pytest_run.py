"""Run graded tests with pytest, for those that need fixtures or parameters.

pytest runs in the grader's process, where the answer is only a module of handles. The tests are handed to
it from memory: in a file the answer could read them. No conftest, no configuration, no plug-in but ours.
"""

import ast
import inspect
import io
import os
import types
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from _pytest.assertion.rewrite import rewrite_asserts

from steelyard.checks.python.grader_runtime.collect import TESTS_FILE, WHOLE, asserts
from steelyard.checks.python.grader_runtime.direct import TestRun, finished
from steelyard.checks.python.grader_runtime.handles import FAILURES
from steelyard.checks.python.grader_runtime.steps import Counted
from steelyard.checks.python.grader_runtime.wire import Gone

# pytest wants to see a file: one of the library, since the answer can move its own folder while pytest looks.
FILE = Path(ast.__file__)
OPTIONS = (
    *("-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:doctest", "-p", "no:terminal"),
    *("-p", "no:junitxml", "--noconftest", "--capture=sys", "-c", os.devnull),
    "--assert=plain",  # the tests are rewritten below; no other module need be, or is run by pytest
)


class PytestModule(pytest.Module):
    """The module of tests, which we have and pytest need not look for."""

    graded: types.ModuleType

    def _getobj(self) -> types.ModuleType:
        return self.graded


class GradedTests:
    """The plug-in through which pytest gets the tests and we get the results."""

    def __init__(self, run: TestRun) -> None:
        self._run = run
        self.gone: Gone | None = None
        self.complaint = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Give pytest the tests for the one file it knows of."""
        if file_path != FILE:
            return None
        module: PytestModule = PytestModule.from_parent(parent, path=file_path)
        module.graded = self._run.module
        return module

    def pytest_internalerror(self, excrepr: object) -> bool:
        """Keep what pytest has to say about its own failure."""
        self.complaint = str(excrepr)
        return True

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Keep what made pytest stop early."""
        self.complaint = str(excinfo.value)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell which tests there are."""
        self._run.collected([_name(item) for item in session.items])

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run an `async` test to its end, which pytest by itself does not."""
        if not inspect.iscoroutinefunction(pyfuncitem.obj):
            return None
        wanted = pyfuncitem._fixtureinfo.argnames  # noqa: SLF001  # as pytest calls the others
        finished(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """Start counting assertions anew for every test."""
        self._run.begin_test()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        """Tell what came of a test, and stop when the answer is gone."""
        report: pytest.TestReport = yield  # type: ignore[assignment]  # pluggy sends the result in
        if call.excinfo is not None and isinstance(call.excinfo.value, Gone):
            self.gone = call.excinfo.value
            item.session.shouldstop = "the answer is gone"
        if report.when == "call" or report.outcome != "passed" or FAILURES:
            status = {"passed": "passed", "skipped": "ignored"}.get(report.outcome, "failed")
            error = call.excinfo.value if call.excinfo and status == "failed" else None
            self._run.ended(_name(item), status, error)
        return report  # type: ignore[return-value]  # as above


def run_pytest(run: TestRun) -> None:
    """Run every test under pytest, and tell about each."""
    tree = ast.parse(run.source)
    Counted().visit(tree)
    rewrite_asserts(tree, run.source.encode(), TESTS_FILE)
    module = compile(tree, TESTS_FILE, "exec", dont_inherit=True)
    if not run.set_up(lambda: exec(module, run.module.__dict__)):  # noqa: S102  # the tests
        return
    if any(map(asserts, ast.parse(run.source).body)):
        run.ended(WHOLE, "passed")
    plugin = GradedTests(run)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = pytest.main([*OPTIONS, f"--rootdir={FILE.parent}", str(FILE)], plugins=[plugin])
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        run.setup_failed(RuntimeError(f"pytest gave up ({int(code)}): {said.getvalue()}{plugin.complaint}"))
    if plugin.gone:
        raise plugin.gone
    run.demand_alive()


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[2].replace("::", ".")
