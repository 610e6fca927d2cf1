"""Be the grader: start the answer apart, run the tests against it, tell what came of it.

The order matters. The answer's process is made before anything secret is read, and this one is closed to it.
"""

import importlib
import marshal
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

from steelyard.checks.python.grader_runtime import subject
from steelyard.checks.python.grader_runtime.answer import be_answer
from steelyard.checks.python.grader_runtime.direct import TestRun
from steelyard.checks.python.grader_runtime.link import Link
from steelyard.checks.python.grader_runtime.permissions import Permissions
from steelyard.checks.python.grader_runtime.privacy import set_readable
from steelyard.checks.python.grader_runtime.report import GradeReport, described
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

CHANNEL_ENV = "STEELYARD_CHANNEL"
PYTEST_RUNNER = "steelyard.checks.python.grader_runtime.pytest_run"
CHUNK = 1 << 16
DYING_S = 1.0  # how long a process that has closed its line may take to end

random.seed(0)  # for the tests and for the answer, in whichever process; once for all forks of this one


def main() -> NoReturn:
    """Grade one answer; the job comes by standard input, the report leaves by the channel."""
    channel = int(os.environ.pop(CHANNEL_ENV))
    set_readable(readable=False)
    wire, pid = _start_answer(channel)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job = marshal.loads(_everything(0))  # noqa: S302  # the checker outside made it
    report = GradeReport(channel, job["nonce"])
    try:
        grade(job, wire, report)
        report.tell("end")
    except Gone as gone:
        report.tell("died", message=_death(pid, str(gone)))
    report.flush()
    sys.stdout.flush()
    os._exit(0)


def _everything(descriptor: int) -> bytes:
    """Read a pipe to its end."""
    read = bytearray()
    while data := os.read(descriptor, CHUNK):
        read += data
    return bytes(read)


def _start_answer(channel: int) -> tuple[Wire, int]:
    """Fork the process that will hold the answer."""
    (asked, ask), (answered, answer) = os.pipe(), os.pipe()
    pid = os.fork()
    if not pid:
        os.close(channel)
        be_answer(asked, answer)
    os.close(asked)
    os.close(answer)
    return Wire(answered, ask), pid


def grade(job: dict[str, Any], wire: Wire, report: GradeReport) -> None:
    """Go through the stages: build, load, tests."""
    # What the answer writes into the folder we share must never be imported here.
    sys.path[:] = [path for path in sys.path if path not in {"", os.getcwd()}]  # noqa: PTH109
    sys.path.extend(job["search"])
    sys.meta_path.append(subject.GivenModules(job["files"]))
    wanted = set(job["wanted"])
    link = Link(wire, permissions=Permissions(frozenset(job["classes"])))
    link.handlers["input"] = lambda prompt: input(str(prompt))
    run_tests = _runner(job)
    wrong = link.request("compile", str(job["code"]), str(job["module"]))
    report.tell("built", error=wrong)
    report.flush()
    if wrong is not None:
        return
    try:
        there, defined = link.request("run")
        names = [name for name in defined if isinstance(name, str)]
    except Gone:
        raise
    except BaseException as error:  # noqa: BLE001  # whatever the answer raised
        report.tell("loaded", error=described(error))
        return
    report.tell("loaded", error=None, missing=sorted(set(job["demanded"]) - set(names)))
    answer = subject.AnswerModule(job["module"], there, names)
    demanded = set(job["demanded"])
    try:
        module = subject.namespace(
            answer,
            wanted.intersection(names),
            demanded=demanded,
            library=set(job["library"]),
            prefix=job["prefix"],
        )
    except Exception as error:  # noqa: BLE001  # as above
        report.tell("setup", message=described(error))
        return
    run_tests(TestRun(link, report, job["tests"], module))


def _runner(job: dict[str, Any]) -> Callable[[TestRun], None]:
    """Return what runs the tests; pytest is loaded only when asked for: it takes longer than all the rest."""
    if job["runner"] == "direct":
        steps = marshal.loads(job["steps"])  # noqa: S302  # the checker outside made them
        return lambda run: run.all(job["names"], steps, job["entry_point"])
    run_pytest: Callable[[TestRun], None] = importlib.import_module(PYTEST_RUNNER).run_pytest
    return run_pytest


def _death(pid: int, reason: str) -> str:
    """Return how the answer's process ended."""
    deadline = time.monotonic() + DYING_S
    while time.monotonic() < deadline:
        gone, status = os.waitpid(pid, os.WNOHANG)
        if gone:
            code = os.waitstatus_to_exitcode(status)
            left = (
                f"left with exit code {code}" if code >= 0 else f"was killed by {signal.Signals(-code).name}"
            )
            return f"the answer's process {left}"
        time.sleep(0.005)
    return f"the answer's process broke off: {reason}"
