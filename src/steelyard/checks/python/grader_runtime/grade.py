"""Be the grader: start the answer apart, run the tests against it, tell what came of it.

The order matters. The answer's process is made before anything secret is read, and this one is closed to it.
Only a case that asks for it is graded in one process, as the benchmarks' own harnesses do.
"""

import importlib
import marshal
import os
import random
import signal
import site
import sys
import types
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from steelyard.checks.python.grader_runtime import subject
from steelyard.checks.python.grader_runtime.answer import be_answer, compiled, new_module
from steelyard.checks.python.grader_runtime.collect import PREFIX_FILE, TESTS, TESTS_FILE
from steelyard.checks.python.grader_runtime.direct import NoLine, TestRun
from steelyard.checks.python.grader_runtime.handles import TEST_FILES
from steelyard.checks.python.grader_runtime.line import GraderLine
from steelyard.checks.python.grader_runtime.privacy import set_readable
from steelyard.checks.python.grader_runtime.report import GradeReport, described
from steelyard.checks.python.grader_runtime.steps import steps_of
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

CHANNEL_ENV = "STEELYARD_CHANNEL"
PYTEST_RUNNER = "steelyard.checks.python.grader_runtime.pytest_run"
CHUNK = 1 << 16
DEEPEST = 10_000  # calls

random.seed(0)  # for the tests; and for the answer, below
site.setquit()  # `exit` and `quit`, which are missing where Python starts without `site`


def main() -> NoReturn:
    """Grade one answer; the job comes by standard input, the report leaves by the channel."""
    channel = int(os.environ.pop(CHANNEL_ENV))
    set_readable(readable=False)
    packages, sys.argv[1:] = sys.argv[1:], []
    wire, pid = _start_answer(channel, packages)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job = _job()
    report = GradeReport(channel, job["key"])
    try:
        grade(job, wire, report)
        report.tell("end")
    except Gone as gone:
        report.tell("died", message=_death(pid, str(gone)))
    _leave(report)


def main_shared() -> NoReturn:
    """Grade one answer in this very process."""
    channel, job = int(os.environ.pop(CHANNEL_ENV)), _job()
    report = GradeReport(channel, job.pop("key"))
    grade_shared(job, report)
    report.tell("end")
    _leave(report)


def _leave(report: GradeReport) -> NoReturn:
    report.flush()
    sys.stdout.flush()
    os._exit(0)


def _job() -> dict[str, Any]:
    read = bytearray()
    while data := os.read(0, CHUNK):
        read += data
    job: dict[str, Any] = marshal.loads(read)  # noqa: S302  # the checker outside made it
    return job


def _start_answer(channel: int, packages: list[str]) -> tuple[Wire, int]:
    """Fork the process that will hold the answer, with packages of its own: the tests may have others."""
    (asked, ask), (answered, answer) = os.pipe(), os.pipe()
    pid = os.fork()
    if not pid:
        os.close(channel)
        random.seed(0)  # which a fork has changed
        sys.path.extend(packages)
        be_answer(asked, answer)
    os.close(asked)
    os.close(answer)
    return Wire(answered, ask), pid


def grade(job: dict[str, Any], wire: Wire, report: GradeReport) -> None:
    """Go through the stages with the answer in another process: build, load, tests."""
    sys.setrecursionlimit(DEEPEST)  # a function of the tests may call itself by way of the answer
    # What the answer writes into the folder we share must never be imported here.
    sys.path[:] = [path for path in sys.path if path not in {"", os.getcwd()}]  # noqa: PTH109
    sys.path.extend(job["search"])
    sys.meta_path.append(subject.GivenModules(job["files"]))
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.devnull  # or it keeps what it draws from in that folder
    TEST_FILES.update(job["files"])
    line = GraderLine(wire, {**job["files"], PREFIX_FILE: job["helpers"], TESTS_FILE: job["tests"]})
    run_tests = _runner(job)
    report.tell("begun")
    report.flush()
    if not _is_built(line.request("compile", job["code"], job["module"]), report):
        return
    random.seed = partial(_seed_both, random.seed, line)
    try:
        number, defined = line.request("load")
        line.module = number
        names = [name for name in defined if type(name) is str]
    except Gone:
        raise
    except BaseException as error:  # noqa: BLE001  # whatever the answer raised
        report.tell("loaded", error=described(error))
        return
    report.tell("loaded", error=None, missing=sorted(set(job["demanded"]) - set(names)))
    try:
        module = subject.namespace(job, line, number, names)
    except Gone:
        raise
    except BaseException as error:  # noqa: BLE001  # as above
        report.tell("setup", message=described(error))
        return
    run_tests(TestRun(report, job, module, line))


def _seed_both(seed: Callable[..., None], line: GraderLine, a: object = None, version: int = 2) -> None:
    """Let tests seed the answer's numbers with theirs, as in one process."""
    seed(a, version)
    line.request("seed", a, version)


def grade_shared(job: dict[str, Any], report: GradeReport) -> None:
    """Go through the stages with tests and answer in one module of this process."""
    sys.path.insert(0, os.getcwd())  # noqa: PTH109  # pathlib is slow to load
    sys.path.extend(job["search"])
    run_tests = _runner(job)
    report.tell("begun")
    report.flush()
    code = compiled(job["code"], job["module"])
    if not _is_built(code if isinstance(code, str) else None, report):
        return
    module = new_module(job["module"])
    sys.modules[job["module"]] = sys.modules[TESTS] = module
    try:
        exec(code, module.__dict__)  # noqa: S102  # the answer, within the sandbox
    except BaseException as error:  # noqa: BLE001  # whatever the answer raised
        report.tell("loaded", error=described(error))
        return
    report.tell("loaded", error=None, missing=sorted(set(job["demanded"]) - set(vars(module))))
    module.__name__ = TESTS  # so that what the tests define has another home than what the answer defines
    run_tests(TestRun(report, job, module, NoLine()))


def _is_built(wrong: object, report: GradeReport) -> bool:
    report.tell("built", error=wrong if wrong is None else str(wrong))
    report.flush()
    return wrong is None


def _runner(job: dict[str, Any]) -> Callable[[TestRun], None]:
    """Return what runs the tests; pytest is loaded only when asked for: it takes longer than all the rest."""
    if job["runner"] == "direct":
        steps = _steps(job)
        return lambda run: run.all(job["names"], steps, job["entry_point"])
    run_pytest: Callable[[TestRun], None] = importlib.import_module(PYTEST_RUNNER).run_pytest
    return run_pytest


def _steps(job: dict[str, Any]) -> list[tuple[str, types.CodeType]]:
    """Return the code of the tests; compiled here only if another Python than the checker's runs this."""
    if job["steps"]:
        made: list[tuple[str, types.CodeType]] = marshal.loads(job["steps"])  # noqa: S302  # made outside
        return made
    return steps_of(job["tests"], list(job["names"]))


def _death(pid: int, reason: str) -> str:
    """Return how the answer's process ended; one that has only closed its line is ended here."""
    os.kill(pid, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    left = f"left with exit code {code}" if code >= 0 else f"was killed by {signal.Signals(-code).name}"
    return f"the answer's process {left}: {reason}"
