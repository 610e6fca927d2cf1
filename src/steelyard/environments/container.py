"""One running container: commands, files in and out, freezing and removal."""

import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from steelyard.environments.connection import Connection, translated_errors
from steelyard.errors import SandboxError
from steelyard.model.container import ContainerCommand
from steelyard.model.execution import MIB, ExecResult, Limit, Stream

KILLED = 137  # 128 + SIGKILL
SPOOLED_BYTES = 16 * MIB
CHUNK = 1 << 20
# Both versions of control groups count how often the limit was reached.
COUNT_OUT_OF_MEMORY = (
    "cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null"
    " | sed -n 's/^oom_kill //p'"
)
STOP_S = 30.0
COUNT_PROCESSES = "set -- /proc/[0-9]*; echo $#"  # podman's API cannot list them
OWN_PROCESSES = 3  # the init, its `sleep` and the shell that counts


class DockerContainer:
    """A container, from its start to its removal; used by one thread at a time."""

    def __init__(self, connection: Connection, container_id: str) -> None:
        self._connection = connection
        self.id = container_id
        self._is_frozen = False
        self._memory_kills = 0

    @property
    def process_id(self) -> int:
        """The id of its first process on the engine's machine."""
        with translated_errors("inspecting a container"):
            details = self._api.inspect_container(self.id)
        return int(details["State"]["Pid"])

    def run(self, command: ContainerCommand) -> ExecResult:
        """Run a command to its end; after its time limit, kill every process of the container."""
        result = self._execute(command)
        if result.exit_code == KILLED and self._ran_out_of_memory():
            return replace(result, limit=Limit.MEMORY)
        return result

    def end_processes(self) -> None:
        """Kill every process and start the container's first one again; files stay."""
        with translated_errors("ending the processes of a container"):
            self._api.kill(self.id)
            self._api.wait(self.id, timeout=STOP_S)
            self._api.start(self.id)

    def put(self, folder: str, archive: bytes) -> None:
        """Unpack a tar archive into a folder, as root."""
        with translated_errors(f"copying files to {folder} of a container"):
            if not self._api.put_archive(self.id, folder, archive):
                raise SandboxError(f"{folder} of a container did not take files")

    def take(self, path: str, *, limit_bytes: int) -> IO[bytes]:
        """Return a tar archive of a file or folder; raises ValueError if it is larger than the limit."""
        from docker.errors import NotFound  # noqa: PLC0415  # an extra

        spool, size = SpooledTemporaryFile(max_size=SPOOLED_BYTES), 0  # noqa: SIM115  # the caller closes it
        with translated_errors(f"copying {path} from a container"), closing(self._archive(path)) as response:
            try:
                self._api._raise_for_status(response)  # noqa: SLF001  # as `get_archive` does
            except NotFound:
                raise ValueError(f"{path} does not exist") from None
            for chunk in response.iter_content(CHUNK):
                size += len(chunk)
                if size > limit_bytes:
                    spool.close()
                    raise ValueError(f"{path} has more than {limit_bytes // MIB} MiB")
                spool.write(chunk)
        spool.seek(0)
        return spool

    def count_processes(self) -> int:
        """Return the number of processes that commands have left running."""
        counted = self._run_script(COUNT_PROCESSES).strip()
        return max(0, int(counted) - OWN_PROCESSES) if counted.isdecimal() else 0

    def freeze(self) -> None:
        """Stop all processes where they are, or kill them if the engine cannot freeze."""
        if self._is_frozen:
            return
        try:
            with translated_errors("freezing a container"):
                self._api.pause(self.id)
        except SandboxError:
            with translated_errors("killing a container"):
                self._api.kill(self.id)
        self._is_frozen = True

    def thaw(self) -> None:
        """Let a frozen container continue; one that had to be killed is started again."""
        if not self._is_frozen:
            return
        with translated_errors("continuing a container"):
            if self._api.inspect_container(self.id)["State"]["Status"] == "paused":
                self._api.unpause(self.id)
            else:
                self._api.start(self.id)
        self._is_frozen = False

    def remove(self) -> None:
        """Kill and remove the container with its volumes."""
        with translated_errors("removing a container"):
            self._api.remove_container(self.id, force=True, v=True)

    @property
    def _api(self) -> Any:  # noqa: ANN401  # the package has no types
        return self._connection.client.api

    def _archive(self, path: str) -> Any:  # noqa: ANN401  # the package has no types
        """Return the response with an archive: `get_archive` gives no way to close it half-read."""
        address = self._api._url("/containers/{0}/archive", self.id)  # noqa: SLF001  # as there
        return self._api._get(address, params={"path": path}, stream=True)  # noqa: SLF001

    def _execute(self, command: ContainerCommand) -> ExecResult:
        began = time.monotonic()
        with translated_errors(f"starting {command.argv[0]} in a container"):
            started = self._api.exec_create(
                self.id,
                list(command.argv),
                user=command.user,
                workdir=command.workdir or None,
                environment=dict(command.env),
            )["Id"]
            stream = self._api.exec_start(started, socket=True)
        output = _Output(limit=command.output_bytes)
        reader = threading.Thread(target=output.read, args=(stream,), daemon=True)
        reader.start()
        reader.join(command.wall_s)
        is_late = reader.is_alive()
        if is_late:
            self.end_processes()
            reader.join(STOP_S)
        if not reader.is_alive():
            _close(stream)
        if output.error is not None and not is_late:
            raise SandboxError(f"the container engine failed: {output.error}")
        return ExecResult(
            exit_code=None if is_late else self._exit_code(started),
            limit=Limit.WALL if is_late else None,
            stdout=output.stdout,
            stderr=output.stderr,
            wall_s=time.monotonic() - began,
        )

    def _exit_code(self, started: str) -> int | None:
        with translated_errors("reading an exit code"):
            code = self._api.exec_inspect(started)["ExitCode"]
        return None if code is None else int(code)

    def _ran_out_of_memory(self) -> bool:
        """Whether the container's counters confirm that a SIGKILL came from the memory limit."""
        try:
            counted = sum(int(word) for word in self._run_script(COUNT_OUT_OF_MEMORY).split())
        except (SandboxError, ValueError):
            return False
        before, self._memory_kills = self._memory_kills, counted
        return counted > before

    def _run_script(self, script: str) -> str:
        command = ContainerCommand(argv=("sh", "-c", script), user="0", wall_s=STOP_S)
        return self._execute(command).stdout.decoded()


def _close(stream: Any) -> None:  # noqa: ANN401  # the package has no types
    """Close the socket of a command, which docker keeps with its response and never closes."""
    with suppress(OSError, ValueError):  # closed already
        stream._response.close()  # noqa: SLF001  # the only way to it
    stream.close()


@dataclass(slots=True, kw_only=True)
class _Output:
    """Collects the beginning of a command's output."""

    limit: int
    stdout: Stream = field(default_factory=Stream)
    stderr: Stream = field(default_factory=Stream)
    error: Exception | None = None

    def read(self, stream: Any) -> None:  # noqa: ANN401  # the package has no types
        """Read both streams to their ends."""
        from docker.utils.socket import STDERR, frames_iter  # noqa: PLC0415  # an extra

        kept, sizes = (bytearray(), bytearray()), [0, 0]
        try:
            for number, chunk in frames_iter(stream, tty=False):
                index = int(number == STDERR)
                sizes[index] += len(chunk)
                kept[index].extend(chunk[: max(0, self.limit - len(kept[index]))])
        except Exception as error:  # noqa: BLE001  # whatever the connection raises when the engine dies
            self.error = error
        self.stdout = Stream(text=bytes(kept[0]), size=sizes[0])
        self.stderr = Stream(text=bytes(kept[1]), size=sizes[1])
