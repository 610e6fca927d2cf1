"""Start bubblewrap for a command, or for the server that forks warm commands."""

import shutil

from steelyard.errors import SandboxMissing
from steelyard.model.execution import CHANNEL_ENV, Command
from steelyard.sandbox.bubblewrap.arguments import fixed_options, open_names, options_for
from steelyard.sandbox.bubblewrap.process import BwrapProcess, Ends
from steelyard.sandbox.descriptors import Descriptors, Wiring
from steelyard.sandbox.layout import GROUP, USER
from steelyard.sandbox.sandbox_process import Streams
from steelyard.sandbox.seccomp import program as seccomp
from steelyard.sandbox.users import own_user, steps_down, users

MISSING = "bubblewrap is not installed; run `apt-get install bubblewrap` or `steelyard doctor`"
STEP_DOWN_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
# In its own user namespace only.
SERVER_CAPABILITIES = (*STEP_DOWN_CAPABILITIES, "CAP_SYS_ADMIN", "CAP_KILL")


class BwrapLauncher:
    """Starts sandboxes; keeps the files that all of them get open.

    `counted`: whether control groups limit their memory.
    """

    def __init__(self, *, counted: bool) -> None:
        program = shutil.which("bwrap")
        if program is None:
            raise SandboxMissing(MISSING)
        self._program = program
        self._root = steps_down()
        self.kept = Descriptors()
        self._names = open_names(self.kept)
        programs = {
            loopback: seccomp.program(loopback=loopback, counted=counted) for loopback in (False, True)
        }
        self._filters = {loopback: self.kept.file(code) for loopback, code in programs.items() if code}
        self._fixed = fixed_options()

    def start(self, command: Command, streams: Streams, wiring: Wiring) -> BwrapProcess:
        """Start a sandbox whose command waits for `start_command`."""
        # The signal is sent when the starting thread ends; that thread waits for the sandbox.
        options = ["--die-with-parent", *self._identity(STEP_DOWN_CAPABILITIES if self._root else ())]
        if self._filters:
            options += ["--seccomp", str(wiring.theirs.reopen(self._filters[command.loopback]))]
        ids = id_map(USER, own_user(), 1)
        return self._launch(command, streams, wiring, options=options, before=self._step_down(), ids=ids)

    def start_server(self, command: Command, streams: Streams, wiring: Wiring) -> BwrapProcess:
        """Start a sandbox for the server that forks commands into namespaces of their own.

        It lives as long as the socket to it, not as long as the starting thread.
        """
        options = self._identity(SERVER_CAPABILITIES)
        ids = id_map(users()[0], users()[0], len(users()))
        return self._launch(command, streams, wiring, options=options, before=[], ids=ids)

    def _launch(  # noqa: PLR0913  # a server and a command differ in the last three
        self,
        command: Command,
        streams: Streams,
        wiring: Wiring,
        *,
        options: list[str],
        before: list[str],
        ids: str,
    ) -> BwrapProcess:
        stdin, stdout, stderr, *channel = streams
        (status, reported), (gate, opened) = wiring.from_child(), wiring.to_child()
        options = [*self._fixed, *options, "--json-status-fd", str(reported), "--block-fd", str(opened)]
        mapping = None
        if self._root:
            mapping, mapped = wiring.to_child()
            # bubblewrap reports the first process a second time; that report is ignored.
            options += ["--userns-block-fd", str(mapped), "--info-fd", str(wiring.theirs.file(b""))]
        if channel:
            options += ["--setenv", CHANNEL_ENV, str(channel[0])]
        options += options_for(command, wiring.theirs, self._names)
        # Passed in a file: the command could read a command line.
        listed = wiring.theirs.file("".join(f"{option}\0" for option in options).encode())
        argv = [self._program, "--args", str(listed), "--", *before, *command.argv]
        ends = Ends(status=status, gate=gate, mapping=mapping)
        return BwrapProcess(argv, (stdin, stdout, stderr), ends, wiring, ids=ids)

    def _identity(self, capabilities: tuple[str, ...]) -> list[str]:
        """Return the options for the user that sets up the sandbox; root steps down later."""
        user, group = (0, 0) if self._root else (USER, GROUP)
        words = (word for name in capabilities for word in ("--cap-add", name))
        return ["--uid", str(user), "--gid", str(group), *words]

    def _step_down(self) -> list[str]:
        """Return the command prefix by which root becomes an ordinary user."""
        if not self._root:
            return []
        ids = [f"--reuid={USER}", f"--regid={GROUP}", "--clear-groups"]
        return ["/usr/bin/setpriv", *ids, "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"]


def id_map(inside: int, outside: int, count: int) -> str:
    """Return the uid map of a sandbox that root sets up: root and a range of users."""
    return f"0 0 1\n{inside} {outside} {count}\n"
