"""gVisor: another kernel answers, what is missing is said, its own pipes and memory are out of the way."""

import os
import platform

import pytest

from steelyard.errors import SandboxError
from steelyard.model.execution import Command, Limits
from steelyard.sandbox.gvisor.sandbox import GvisorSandbox
from tests.sandbox.backends import script

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="containers need root")


def test_a_machine_without_gvisor_is_told_how_to_get_it() -> None:
    with pytest.raises(SandboxError, match="apt-get install runsc"):
        GvisorSandbox(runtime="no-such-runtime")


@needs_root
def test_a_runtime_that_makes_no_container_is_our_fault() -> None:
    sandbox = GvisorSandbox(runtime="false")

    with pytest.raises(SandboxError, match="sandbox"):
        sandbox.run(script("pass"))
    sandbox.close()


@needs_root
def test_another_kernel_than_this_machines_answers() -> None:
    sandbox = GvisorSandbox()

    result = sandbox.run(Command(argv=("/bin/uname", "-rv")))
    sandbox.close()

    assert result.succeeded
    assert platform.version() not in result.stdout.decoded()


@needs_root
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


@needs_root
def test_what_gvisor_needs_for_itself_is_not_taken_from_the_command() -> None:
    sandbox = GvisorSandbox()

    result = sandbox.run(
        script("x = bytearray(40_000_000); print(len(x))", limits=Limits(memory_bytes=64 << 20))
    )
    sandbox.close()

    assert (result.stdout.text, result.limit) == (b"40000000\n", None)
