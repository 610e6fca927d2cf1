"""Run test functions and classes under pytest, with the case's fixtures, plug-ins and settings."""

import ast
import asyncio
import importlib
import inspect
import io
import os
import sys
import types
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from _pytest.assertion.rewrite import rewrite_asserts
from _pytest.config import default_plugins

from steelyard.checks.toolchains.python.runtime.events import Events, describe
from steelyard.checks.toolchains.python.runtime.reporting import Reporter
from steelyard.checks.toolchains.python.runtime.run import new_module

# No cache in the workspace. Sandbox limits end a hang, and a crash is reported by its exit code.
OPTIONS = ("-q", "--capture=sys", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:junitxml")
# Each adds a millisecond to every start. A configuration file may need them.
INTERACTIVE = ("doctest", "pastebin", "setuponly", "setupplan", "stepwise")
ASYNC_PLUGINS = ("asyncio", "anyio", "trio", "tornasync", "twisted")
STATUSES = {"passed": "passed", "skipped": "ignored", "failed": "failed"}

# Preloaded before the fork: pytest imports them by name at each start.
for _module in (*(f"_pytest.{plugin}" for plugin in default_plugins), "_pytest._argcomplete", "pdb"):
    importlib.import_module(_module)


def run(job: dict[str, Any], events: Events) -> None:
    """Run the tests and report each result."""
    plugin = TestsPlugin(job, events)
    if not job["has_plugins"]:
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        code = pytest.main(_arguments(job), plugins=[plugin])
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED} and not plugin.has_setup_error:
        reason = output.getvalue().strip()[-2000:]
        events.send(["setup", f"pytest ended with exit code {int(code)}: {reason}"])


def _arguments(job: dict[str, Any]) -> list[str]:
    workspace = os.getcwd()  # noqa: PTH109  # pathlib is slow to load
    unused = () if job["has_plugins"] or os.path.isfile(job["configuration"]) else INTERACTIVE  # noqa: PTH113
    folders = (f"--rootdir={workspace}", f"--confcutdir={workspace}", "-c", job["configuration"])
    return [*OPTIONS, *(f"-pno:{name}" for name in unused), *folders, job["tests_file"]]


class TestsModule(pytest.Module):
    """The tests' module, compiled from memory; it may use the answer's names without an import."""

    job: dict[str, Any]
    events: Events

    def _getobj(self) -> types.ModuleType:
        path, source = str(self.path), self.job["tests"]
        module = new_module(self.path.stem, self.job)
        vars(module)["__steelyard__"] = Reporter(self.events.send)
        sys.modules[module.__name__] = module
        if self.job["shares_names"]:
            module.__name__ = self.job["module"]  # for `patch(f"{__name__}.choice")`
        tree = ast.parse(source)
        rewrite_asserts(tree, source.encode(), path, self.config)
        exec(compile(tree, path, "exec", dont_inherit=True), vars(module))  # noqa: S102  # the tests
        if self.job["shares_names"]:
            _share_imports(module, sys.modules[self.job["module"]])
        return module


class TestsPlugin:
    """Hands pytest the tests and reports their results."""

    def __init__(self, job: dict[str, Any], events: Events) -> None:
        self._job = job
        self._events = events
        self._path = Path(job["tests_file"]).absolute()
        self.has_setup_error = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makemodule(
        self, module_path: Path, parent: pytest.Collector
    ) -> pytest.Module | None:
        """Collect the tests from memory, other files as usual."""
        if module_path != self._path:
            return None
        module: TestsModule = TestsModule.from_parent(parent, path=module_path)
        module.job, module.events = self._job, self._events
        return module

    @pytest.hookimpl(trylast=True)
    def pytest_make_parametrize_id(self, val: object, argname: str) -> str | None:
        """Build row ids from plain values only: names of the answer's objects differ between answers."""
        return None if type(val) in {str, bytes, int, float, complex, bool, type(None)} else argname

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Report the names of all tests."""
        self._events.send(["names", [_name(item) for item in session.items]])

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Iterator[None]:
        """Report a module that cannot be imported."""
        report: pytest.CollectReport = yield  # type: ignore[assignment]  # pluggy sends the result in
        if report.failed:
            info = getattr(report, "call", None)
            error = info.excinfo.value if info is not None and info.excinfo else None
            message = describe(error, str(self._path)) if error else str(report.longrepr)
            self._events.send(["setup", message])
            self.has_setup_error = True
        return report  # type: ignore[return-value]  # as above

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect tests that the answer defines: they came with its names."""
        answer = vars(sys.modules.get(self._job["module"], types))
        owners = [getattr(item, "cls", None) or getattr(item, "function", None) for item in items]
        own = [owner is not None and answer.get(owner.__name__) is owner for owner in owners]
        items[:] = [item for item, is_own in zip(items, own, strict=True) if not is_own]

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run an `async` test if no plug-in does."""
        plugins = pyfuncitem.config.pluginmanager
        if not inspect.iscoroutinefunction(pyfuncitem.obj) or any(map(plugins.hasplugin, ASYNC_PLUGINS)):
            return None
        names = pyfuncitem._fixtureinfo.argnames  # noqa: SLF001  # as pytest calls other functions
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
        return True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Report which test starts."""
        self._events.send(["test", _name(item)])
        self._events.flush()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        """Report a test's result, and failures of its setup and teardown."""
        report: pytest.TestReport = yield  # type: ignore[assignment]  # pluggy sends the result in
        if report.when == "call" or report.outcome != "passed":
            failed = report.outcome == "failed" and call.excinfo is not None
            message = describe(call.excinfo.value, str(self._path)) if failed and call.excinfo else ""
            message = message or (str(report.longrepr) if report.outcome == "failed" else "")
            self._events.send(["result", _name(item), STATUSES[report.outcome], message])
        return report  # type: ignore[return-value]  # as above


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[2].replace("::", ".")


def _share_imports(tests: types.ModuleType, answer: types.ModuleType) -> None:
    """Let the answer use modules that only the tests import, as in one program of both."""
    for name, value in vars(tests).items():
        if isinstance(value, types.ModuleType):
            vars(answer).setdefault(name, value)
