"""Every sandbox: what the kernel counts for each user, one command cannot take from the one beside it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from steelyard.model.execution import Limits
from steelyard.ports import Sandbox
from steelyard.sandbox.users import is_shared
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox
from tests.sandbox.backends import script

# Each takes all that it gets, says so, and holds it for a while.
OPENS_PIPES = """
import os, time
source, sink = os.pipe()
kept = []
is_child = any(not os.fork() for _ in range(14))
try:
    while True: kept.append(os.pipe())
except OSError:
    os.write(sink, b"+")
if is_child: time.sleep(99)
for _ in range(15): os.read(source, 1)
print("has all", flush=True)
time.sleep(1.5)
"""
NEEDS_A_PIPE = """
import os
source, sink = os.pipe()
os.set_blocking(sink, False)
print(os.write(sink, bytes(65536)))
"""
SENDS_DESCRIPTORS = """
import socket, time
kept = []
try:
    while True:
        kept.append(socket.socketpair())
        socket.send_fds(kept[-1][0], [b"x"], [0] * 99)
except OSError:
    print("has all", flush=True)
time.sleep(1.5)
"""
NEEDS_TO_SEND_ONE = """
import socket
one, other = socket.socketpair()
print(socket.send_fds(one, [b"x"], [0]))
"""
QUEUES_SIGNALS = """
import ctypes, os, signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, {40})
while not ctypes.CDLL(None).sigqueue(os.getpid(), 40, None): pass
print("has all", flush=True)
time.sleep(1.5)
"""
NEEDS_A_SIGNAL = """
import ctypes, os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, {40})
print(ctypes.CDLL(None).sigqueue(os.getpid(), 40, None))
"""


@pytest.mark.skipif(is_shared(), reason="as an ordinary user all commands are that user")
@pytest.mark.parametrize(
    ("takes", "needs", "expected"),
    [
        (OPENS_PIPES, NEEDS_A_PIPE, "65536"),
        (SENDS_DESCRIPTORS, NEEDS_TO_SEND_ONE, "1"),
        (QUEUES_SIGNALS, NEEDS_A_SIGNAL, "0"),
    ],
    ids=["pipes", "descriptors on their way", "signals"],
)
def test_a_command_that_takes_all_leaves_enough_to_the_next(
    sandbox: Sandbox, takes: str, needs: str, expected: str
) -> None:
    with ThreadPoolExecutor(1) as pool:
        hostile = pool.submit(sandbox.run, script(takes, limits=Limits(wall_s=60)))
        seen = [sandbox.run(script(needs)).stdout.decoded().strip()]
        while not hostile.done():
            seen.append(sandbox.run(script(needs)).stdout.decoded().strip())

    assert hostile.result().stdout.text == b"has all\n", hostile.result().stderr.decoded()
    assert set(seen) == {expected}


def test_only_in_a_warm_sandbox_no_files_can_be_watched(sandbox: Sandbox) -> None:
    """The kernel counts watches for root over all user namespaces, and a Python answer needs none."""
    source = "import ctypes; print(ctypes.CDLL(None).inotify_init() != -1)"

    watches = sandbox.run(script(source)).stdout.decoded().strip()

    assert watches == str(not isinstance(sandbox, WarmPythonSandbox))
