"""Start bubblewrap, release its command once set up, and end it with all its processes."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import SandboxError
from steelyard.sandbox.cgroups.groups import GroupUsage
from steelyard.sandbox.descriptors import Wiring, is_readable
from steelyard.sandbox.layout import READY
from steelyard.sandbox.reap import adopt_orphans, reap, total_usage

START_S = 30.0  # after which a sandbox will not come up
END_S = 120.0  # a killed process that is still there by then will not go away
POLL_S = 0.0002


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """This process's ends of the pipes to one bubblewrap."""

    status: int  # reports its first process, and later the exit code
    gate: int  # a write starts the command
    mapping: int | None  # as root: a write continues the set-up


class BwrapProcess:
    """One bubblewrap and the first process of its namespaces."""

    limits_itself = False
    joins_itself = False

    def __init__(
        self, argv: list[str], standard: tuple[int, int, int], ends: Ends, wiring: Wiring, *, ids: str
    ) -> None:
        self._ends = ends
        self._ids = ids  # as root: the uid map
        self._wiring = wiring
        self._reported = bytearray()
        self._first = -1
        self._usage = GroupUsage()
        adopt_orphans()
        stdin, stdout, stderr = standard
        inherited = tuple(set(wiring.theirs.numbers) - set(standard))
        self._outer = subprocess.Popen(  # noqa: S603  # running commands is the purpose; no shell
            argv, stdin=stdin, stdout=stdout, stderr=stderr, env={}, pass_fds=inherited
        )
        wiring.theirs.close_all()
        self.ended = wiring.ours.own(os.pidfd_open(self._outer.pid))  # readable when the command has ended

    def wait_until_started(self) -> int:
        """Return the pid of the first process inside, once there is one."""
        pid = self._first_process()
        self._first = self._wiring.ours.own(os.pidfd_open(pid))
        if self._ends.mapping is not None:
            _write(f"/proc/{pid}/uid_map", self._ids)
            _write(f"/proc/{pid}/gid_map", self._ids)
            os.write(self._ends.mapping, b"+")
        return pid

    def open_folders(self, pid: int, folders: Sequence[str]) -> dict[str, int]:
        """Open folders of the sandbox once they exist; the descriptors outlive it."""
        deadline = time.monotonic() + START_S
        while not Path(f"/proc/{pid}/root{READY}").exists():
            if time.monotonic() > deadline or is_readable(self.ended):
                raise SandboxError("bwrap did not create the workspace; run `steelyard doctor`")
            time.sleep(POLL_S)
        return self._wiring.ours.folders(f"/proc/{pid}/root", folders)

    def start_command(self) -> None:
        """Start the command."""
        with suppress(BrokenPipeError):
            os.write(self._ends.gate, b"+")

    def end(self) -> None:
        """Kill all remaining processes and wait until they are gone."""
        if self._first != -1:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
            # The first process of a pid namespace ends only after all others.
            if not is_readable(self._first, END_S):
                raise SandboxError(f"the sandbox is still running {END_S:g} s after it was killed")
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.ended, signal.SIGKILL)
        _, status, counts = os.wait4(self._outer.pid, 0)
        self._outer.returncode = os.waitstatus_to_exitcode(status)
        self._usage = total_usage(counts, None if self._first == -1 else reap(self._first))

    def status(self) -> int | None:
        """Return the exit code, 128 + N for a signal, or None if nothing started or Steelyard killed it."""
        while self._read_status():
            pass
        reports = [json.loads(line) for line in self._reported.splitlines()]
        return next((int(report["exit-code"]) for report in reports if "exit-code" in report), None)

    def usage(self) -> GroupUsage:
        """Return the usage of bubblewrap and all processes in it."""
        return self._usage

    def _first_process(self) -> int:
        deadline = time.monotonic() + START_S
        while b"\n" not in self._reported:
            if not is_readable(self._ends.status, deadline - time.monotonic()) or not self._read_status():
                raise SandboxError("bwrap exited before starting the command; run `steelyard doctor`")
        return int(json.loads(self._reported.splitlines()[0])["child-pid"])

    def _read_status(self) -> bool:
        """Read the status pipe once; return whether more may come."""
        data = os.read(self._ends.status, 4096)
        self._reported += data
        return bool(data)


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
