"""gVisor: another kernel answers, what is missing is said, and nothing outlives a killed Steelyard."""

import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from steelyard.errors import SandboxError
from steelyard.model.execution import Command, Limits
from steelyard.sandbox.gvisor.sandbox import GvisorSandbox
from tests.sandbox.backends import script
from tests.sandbox.traces import descendants

REPOSITORY = Path(__file__).parents[3]
ENDLESS = """
from steelyard.model.execution import Command, Limits
from steelyard.sandbox.gvisor.sandbox import GvisorSandbox
GvisorSandbox().run(Command(argv=("/bin/sleep", "1000"), limits=Limits(wall_s=1000)))
"""


def test_a_machine_without_gvisor_is_told_how_to_get_it() -> None:
    with pytest.raises(SandboxError, match="apt-get install runsc"):
        GvisorSandbox(runtime="no-such-runtime")


def test_a_runtime_that_makes_no_container_is_our_fault() -> None:
    sandbox = GvisorSandbox(runtime="false")

    with pytest.raises(SandboxError, match="the sandbox did not come up: the runtime made no container"):
        sandbox.run(script("pass"))
    sandbox.close()


def test_another_kernel_than_this_machines_answers() -> None:
    sandbox = GvisorSandbox()

    result = sandbox.run(Command(argv=("/bin/uname", "-rv")))
    sandbox.close()

    assert result.succeeded
    assert platform.version() not in result.stdout.decoded()


def test_the_pipes_of_the_sandbox_are_gone_before_the_command_starts() -> None:
    sandbox = GvisorSandbox()
    source = """
import os
print(os.listdir("/pipes"))
for name in ("gate", "ready", "channel"):
    for flags in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
        try: os.open(f"/pipes/{name}", flags | os.O_NONBLOCK); print(name, flags)
        except OSError: pass
try: open("/pipes/mine", "w"); print("mine")
except OSError: pass
"""

    result = sandbox.run(script(source, channel=True))
    sandbox.close()

    assert (result.stdout.decoded(), result.exit_code) == ("[]\n", 0)


def test_what_gvisor_needs_for_itself_is_not_taken_from_the_command() -> None:
    sandbox = GvisorSandbox()

    result = sandbox.run(
        script("x = bytearray(40_000_000); print(len(x))", limits=Limits(memory_bytes=64 << 20))
    )
    sandbox.close()

    assert (result.stdout.text, result.limit) == (b"40000000\n", None)


def test_nothing_outlives_a_steelyard_that_is_killed() -> None:
    steelyard = subprocess.Popen([sys.executable, "-c", ENDLESS], cwd=REPOSITORY)
    until = time.monotonic() + 120
    while not sleeping(steelyard.pid):
        assert time.monotonic() < until, "the command did not start"
        time.sleep(0.1)
    started = descendants(steelyard.pid)

    os.kill(steelyard.pid, signal.SIGKILL)
    steelyard.wait()

    while left := {pid for pid in started if is_running(pid)}:
        assert time.monotonic() < until, left
        time.sleep(0.1)


def sleeping(pid: int) -> bool:
    """Whether a process has descendants by whom gVisor runs a command: its kernel and the tracees of it."""
    return sum(b"runsc" in words(child) for child in descendants(pid)) >= 3


def words(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
