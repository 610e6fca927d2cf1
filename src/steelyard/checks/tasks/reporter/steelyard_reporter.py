"""A pytest plug-in that writes each test's result to a file, and the values of sealed assertions.

The answer can write to the same file: only values that it cannot know are proof.
"""

import builtins
import json
import os
import sys
from typing import Any, Dict, List  # noqa: UP035  # images may have Python 3.8

EVENTS_VARIABLE = "STEELYARD_EVENTS"
PLUGINS_VARIABLE = "PYTEST_PLUGINS"
LONGEST_MESSAGE = 1000


class Events:
    """The file of events, one JSON list a line: kind, file of tests, and what belongs to the kind."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self._write, self._dumps = os.write, json.dumps  # tests may replace the names of modules

    def send(self, *event: object) -> None:
        """Write one event at once: code that runs next may end the process."""
        self._write(self._descriptor, self._dumps(event).encode() + b"\n")


class SealedReporters:
    """Stands for `__steelyard__` in sealed tests: finds the reporter of the file that uses it."""

    def __init__(self, events: Events) -> None:
        self._events = events
        self._known: Dict[str, Any] = {}  # noqa: UP006  # as above

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # a method of a reporter
        path = sys._getframe(1).f_code.co_filename  # noqa: SLF001  # the file that uses this
        if path not in self._known:
            # Only sealed tests use it: they are left as they are where it cannot be loaded.
            from steelyard.checks.toolchains.python.runtime.reporting import Reporter  # noqa: PLC0415

            self._known[path] = Reporter(lambda event: self._events.send(event[0], path, *event[1:]))
        return getattr(self._known[path], name)


class ReporterPlugin:
    """Reports the tests of one session of pytest."""

    def __init__(self, events: Events, root: str) -> None:
        self._events, self._root = events, root

    def pytest_collection_finish(self, session: Any) -> None:  # noqa: ANN401  # of any pytest
        """Report which tests there are."""
        names: Dict[str, List[str]] = {}  # noqa: UP006  # as above
        for item in session.items:
            names.setdefault(self._path(item), []).append(_name(item))
        for path, listed in names.items():
            self._events.send("names", path, listed)

    def pytest_collectreport(self, report: Any) -> None:  # noqa: ANN401  # of any pytest
        """Report a module that cannot be imported."""
        if report.failed:
            self._events.send("setup", self._path(report), str(report.longrepr)[-LONGEST_MESSAGE:])

    def pytest_runtest_protocol(self, item: Any) -> None:  # noqa: ANN401  # of any pytest
        """Report which test starts."""
        self._events.send("test", self._path(item), _name(item))

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401  # of any pytest
        """Report a test's result, and what failed around it; with xdist, in the process that leads."""
        if report.when != "call" and report.outcome == "passed":
            return
        status = report.outcome
        if hasattr(report, "wasxfail"):
            status = "xfailed" if status == "skipped" else "xpassed"
        message = str(report.longrepr)[-LONGEST_MESSAGE:] if status == "failed" else ""
        crash = getattr(report.longrepr, "reprcrash", None)
        if status == "failed" and crash is not None:
            message = str(crash.message)[:LONGEST_MESSAGE]
        self._events.send("result", self._path(report), _name(report), status, message, report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Report that the session came to its end."""
        self._events.send("end", "")

    def _path(self, item: Any) -> str:  # noqa: ANN401  # of any pytest
        return os.path.normpath(os.path.join(self._root, item.nodeid.partition("::")[0]))  # noqa: PTH118


def _name(item: Any) -> str:  # noqa: ANN401  # of any pytest
    return str(item.nodeid).partition("::")[2].replace("::", ".")


def pytest_configure(config: Any) -> None:  # noqa: ANN401  # of any pytest
    """Start to report; sessions that tests start themselves do not."""
    path = os.environ.pop(EVENTS_VARIABLE, None)
    os.environ.pop(PLUGINS_VARIABLE, None)
    if not path:
        return
    events = Events(path)
    vars(builtins)["__steelyard__"] = SealedReporters(events)
    root = getattr(config, "rootpath", None) or config.rootdir
    config.pluginmanager.register(ReporterPlugin(events, str(root)), "steelyard-reporter")
    events.send("started", "")
