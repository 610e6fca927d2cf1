"""Check answers in a process of its own, one at a time, as the service sends them.

The service kills a worker whose check outlives its deadline; nothing in here enforces one.
"""

import os
import pickle
import signal
import socket
import struct
from dataclasses import dataclass
from typing import IO

from steelyard.model.case import Case
from steelyard.model.outcome import Outcome
from steelyard.model.sample import Sample
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from steelyard.service.programs import Program, ProgramResult, ProgramRunner

LENGTH = struct.Struct("=Q")
READY = b"ready"
SERVICE = "service"  # stands for the model in samples that no model of ours generated


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """Where a worker runs answers."""

    sandbox: str
    allow_unsafe: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer to check; the case is pickled once for all its answers."""

    pickled_case: bytes
    text: str


Task = Answer | Program
Result = Outcome | ProgramResult


def serve_tasks(connection: socket.socket, settings: WorkerSettings) -> None:
    """Perform tasks until the service closes the connection."""
    # The service stops its workers by closing their connections; Ctrl-C reaches the whole process group.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sandbox = make_sandbox(settings.sandbox, allow_unsafe=settings.allow_unsafe)
    checking = Checking(sandbox, share=False)  # the service shares outcomes among all workers
    programs = ProgramRunner(sandbox)
    with connection, connection.makefile("rb") as tasks, connection.makefile("wb") as results:
        _send(results, READY)
        while task := _receive(tasks):
            _send(results, pickle.dumps(_perform(task, checking, programs)))
    os._exit(0)  # a warm interpreter ends with this process; waiting for its threads takes longer


def _perform(task: Task, checking: Checking, programs: ProgramRunner) -> Result:
    if isinstance(task, Program):
        return programs.run(task)
    case: Case = pickle.loads(task.pickled_case)  # noqa: S301  # written by the service itself
    checking.prepare([case])
    return checking.outcome(case, Sample(model=SERVICE, case=case.id, digest="", attempt=0, text=task.text))


def _receive(stream: IO[bytes]) -> Task | None:
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        return None
    task: Task = pickle.loads(stream.read(LENGTH.unpack(header)[0]))  # noqa: S301  # as above
    return task


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(LENGTH.pack(len(message)) + message)
    stream.flush()
