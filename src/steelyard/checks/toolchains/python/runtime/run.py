"""Run a case's tests against one answer in this process."""

import importlib
import marshal
import os
import random
import site
import sys
import types
from typing import Any

from steelyard.checks.toolchains.python.runtime.events import Events, describe

CHANNEL_ENV = "STEELYARD_CHANNEL"
RUNNERS = {
    "pytest": "steelyard.checks.toolchains.python.runtime.pytest_run",
    "script": "steelyard.checks.toolchains.python.runtime.script_run",
}
CHUNK = 1 << 16


def main() -> None:
    """Check one answer: read the job from standard input, send events to the channel."""
    events = Events(int(os.environ.pop(CHANNEL_ENV)))
    job = _read_job()
    _prepare_process(job)
    events.send(["started"])
    events.flush()
    error = _build_error(job)
    events.send(["built", error])
    events.flush()
    if error is None:
        _run_tests(job, events)
    events.send(["end"])
    events.flush()


def answer_names(job: dict[str, Any]) -> dict[str, object]:
    """Import the answer and return its public names."""
    module = importlib.import_module(job["module"])
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


def new_module(name: str, job: dict[str, Any]) -> types.ModuleType:
    """Create a module for the tests, with the answer's names if they use them without an import."""
    module = types.ModuleType(name)
    module.__file__ = os.path.abspath(job["tests_file"])  # noqa: PTH100  # pathlib is slow to load
    if job["shares_names"]:
        # Tests of public benchmarks use modules such as `math` that only the reference imports.
        vars(module).update({library: importlib.import_module(library) for library in job["library"]})
        vars(module).update(answer_names(job))
    return module


def _read_job() -> dict[str, Any]:
    data = bytearray()
    while chunk := os.read(0, CHUNK):
        data += chunk
    job: dict[str, Any] = marshal.loads(data)  # noqa: S302  # written by the checker
    return job


def _prepare_process(job: dict[str, Any]) -> None:
    """Set up the process like a fresh interpreter in the workspace."""
    random.seed(0)
    site.setquit()  # `exit` and `quit`: the interpreter was started without `site`
    sys.argv[1:] = []
    sys.path[:0] = [os.getcwd()]  # noqa: PTH109  # as above
    sys.path.extend(path for path in job["search"] if path not in sys.path)
    os.environ.update(PYTHONPATH=os.pathsep.join(job["search"]), PYTHONHASHSEED="0")
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.devnull  # no database of examples


def _build_error(job: dict[str, Any]) -> str | None:
    """Return the answer's syntax error, or None."""
    try:
        compile(job["code"], f"{job['module']}.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def _run_tests(job: dict[str, Any], events: Events) -> None:
    if job["tests"]:
        importlib.import_module(RUNNERS[job["runner"]]).run(job, events)
    if not job["required"]:
        return
    try:
        names = answer_names(job)
    except BaseException as error:  # noqa: BLE001  # the answer may raise anything
        events.send(["setup", describe(error, job["tests_file"])])
        return
    events.send(["missing", sorted(set(job["required"]) - names.keys())])
