"""Run tests without test functions: top-level assertions, and HumanEval's `check(candidate)`."""

import ast
import os
import types
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from steelyard.checks.toolchains.python.runtime.events import Events, describe
from steelyard.checks.toolchains.python.runtime.reporting import Reporter
from steelyard.checks.toolchains.python.runtime.run import new_module

CHECK = "check"


def run(job: dict[str, Any], events: Events) -> None:
    """Run each top-level statement that asserts as one test, then `check` if the case has an entry point."""
    path = os.path.abspath(job["tests_file"])  # noqa: PTH100  # pathlib is slow to load
    try:
        module = new_module("__main__", job)
    except BaseException as error:  # noqa: BLE001  # the answer may raise anything
        events.send(["setup", describe(error, path)])
        return
    vars(module)["__steelyard__"] = Reporter(events.send)
    for name, code in _steps(job, path):
        raised = _attempt(name, partial(exec, code, vars(module)), events, path)
        if raised is not None and not name:
            events.send(["setup", describe(raised, path)])
            return
    if job["entry_point"]:
        _attempt(CHECK, lambda: _check(module, job["entry_point"]), events, path)


def _check(module: types.ModuleType, entry_point: str) -> None:
    names = vars(module)
    names[CHECK](names[entry_point])


def _attempt(name: str, act: Callable[[], object], events: Events, path: str) -> BaseException | None:
    """Run a test, or without a name statements between tests; return the exception."""
    if name:
        events.send(["test", name])
    events.flush()
    error = None
    try:
        act()
    except BaseException as raised:  # noqa: BLE001  # the answer may raise anything
        error = raised
    if name:
        result = ["passed", ""] if error is None else ["failed", describe(error, path)]
        events.send(["result", name, *result])
    return error


def _steps(job: dict[str, Any], path: str) -> Iterator[tuple[str, types.CodeType]]:
    """Yield the compiled statements in order: singly if they assert, otherwise in blocks."""
    others = list[ast.stmt]()
    for node in ast.parse(job["tests"]).body:
        if node.lineno not in job["lines"]:
            others.append(node)
            continue
        yield "", _compiled(others, path)
        yield f"line {node.lineno}", _compiled([node], path)
        others = []
    # Without an entry point or asserting lines, the whole script is one test.
    yield ("" if job["lines"] or job["entry_point"] else "script"), _compiled(others, path)


def _compiled(statements: list[ast.stmt], path: str) -> types.CodeType:
    return compile(ast.Module(body=statements, type_ignores=[]), path, "exec", dont_inherit=True)
