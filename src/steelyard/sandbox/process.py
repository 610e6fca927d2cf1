"""Run commands as plain processes: limits, but no isolation.

For trusted code, or where Steelyard itself runs in a sandbox; outcomes are marked. With control groups,
orphans are killed; those that ended before are left for init to reap.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from steelyard.errors import SandboxError
from steelyard.model.execution import CHANNEL_ENV, Command, ExecResult
from steelyard.sandbox.cgroups.find import find_cgroups
from steelyard.sandbox.cgroups.groups import GroupPool, GroupUsage
from steelyard.sandbox.descriptors import Wiring, is_readable
from steelyard.sandbox.layout import DEFAULT_ENV, WORKSPACE, checked, file_mode
from steelyard.sandbox.reap import total_usage
from steelyard.sandbox.sandbox_process import Streams, run_in_sandbox

REFUSAL = (
    "without a sandbox, answers can read and change everything that you can; "
    "install bubblewrap, or pass --unsafe-no-sandbox"
)
# Waits for a line on a pipe: limits must be in place before the command starts.
GATED = 'read -r word <"$1"; shift; exec "$@"'
SIGNALLED = 128


class PlainProcess:
    """One command in a folder of its own."""

    limits_itself = False
    joins_itself = False

    def __init__(
        self, command: Command, streams: Streams, wiring: Wiring, *, folder: Path, grouped: bool
    ) -> None:
        self._wiring = wiring
        self._grouped = grouped
        self._folder = folder
        stdin, stdout, stderr, *channel = streams
        self._gate, opened = wiring.to_child()
        env = {**DEFAULT_ENV, "HOME": str(folder), "TMPDIR": str(folder), **command.env}
        if channel:
            env[CHANNEL_ENV] = str(channel[0])
        self._process = subprocess.Popen(  # noqa: S603  # running commands is the purpose
            ["/bin/sh", "-c", GATED, "sh", f"/dev/fd/{opened}", *command.argv],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=env,
            cwd=folder / "work",
            pass_fds=[opened, *channel],
            start_new_session=True,
        )
        wiring.theirs.close_all()
        self.ended = wiring.ours.own(os.pidfd_open(self._process.pid))
        self._usage = GroupUsage()
        self._stopped = False

    def wait_until_started(self) -> int:
        """Return the pid of the command."""
        return self._process.pid

    def open_folders(self, pid: int, folders: Sequence[str]) -> dict[str, int]:  # noqa: ARG002  # other sandboxes need them
        """Return the workspace; here every folder can be moved."""
        folder = os.open(self._folder / "work", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        return {WORKSPACE: self._wiring.ours.own(folder)}

    def start_command(self) -> None:
        """Start the command."""
        os.write(self._gate, b"+\n")

    def end(self) -> None:
        """Kill the command and its process group."""
        stopped = not is_readable(self.ended)
        # A control group finds and reaps the other processes; killed here they would become orphans.
        kill = os.kill if self._grouped else os.killpg
        with suppress(ProcessLookupError):
            kill(self._process.pid, signal.SIGKILL)
        _, status, counts = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._stopped = stopped
        self._usage = total_usage(counts)

    def status(self) -> int | None:
        """Return the exit code, 128 + N for a signal, or None if Steelyard killed it."""
        code = self._process.returncode
        return None if self._stopped else code if code >= 0 else SIGNALLED - code

    def usage(self) -> GroupUsage:
        """Return the usage of the command and of the children it waited for."""
        return self._usage


class ProcessSandbox:
    """Runs commands with the rights of the user who runs Steelyard; needs `allow_unsafe`."""

    isolates = False  # no grade is sealed

    def __init__(self, *, allow_unsafe: bool = False) -> None:
        if not allow_unsafe:
            raise SandboxError(REFUSAL)
        trees = find_cgroups()
        self._groups = None if trees is None else GroupPool(trees)
        self.limits_memory = trees is not None
        self._finalizer = weakref.finalize(self, self._groups.close if self._groups else int)

    def run(self, command: Command) -> ExecResult:
        """Run a command and return its result."""
        checked(command)
        folder = Path(tempfile.mkdtemp(prefix=f"steelyard-unsafe-{os.getpid()}-"))
        try:
            _fill(folder / "work", command)
            grouped = self._groups is not None
            return run_in_sandbox(
                command,
                self._groups,
                lambda streams, wiring, _: PlainProcess(
                    command, streams, wiring, folder=folder, grouped=grouped
                ),
            )
        finally:
            _remove(folder)

    def close(self) -> None:
        """Release cached resources; runs automatically at exit."""
        self._finalizer()


def _fill(workspace: Path, command: Command) -> None:
    """Write the files of a command into its workspace; binds become links."""
    workspace.mkdir()
    for path, content in command.files.items():
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_bytes(content)
        (workspace / path).chmod(file_mode(command, path))
    for bind in command.binds:
        if bind.at is not None:
            (workspace / bind.at).parent.mkdir(parents=True, exist_ok=True)
            (workspace / bind.at).symlink_to(bind.source)


def _remove(folder: Path) -> None:
    """Remove a folder with write-protected contents."""
    for path, folders, _ in os.walk(folder):
        for name in folders:
            inside = Path(path, name)
            if not inside.is_symlink():
                inside.chmod(0o700)
    shutil.rmtree(folder)
