"""Every sandbox: whoever wants too much is stopped, whatever they do about it, and it is said why."""

import resource
import signal
import time
from typing import Literal

import pytest

from steelyard.model.execution import MIB, Limit, Limits
from steelyard.ports import Sandbox
from tests.sandbox.backends import script

FORKS = """
import os, time
children = 0
try:
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(600)
        children += 1
except OSError as error:
    print(error.errno)
print(children)
"""
SHARES = """
import mmap
shared = mmap.mmap(-1, 150 << 20)
for place in range(0, len(shared), 4096): shared[place] = 1
"""


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "import time\nwhile True: time.sleep(10)",
        "import signal\nfor n in {1, 2, 15}: signal.signal(n, signal.SIG_IGN)\nwhile True: signal.pause()",
        "import os\nif os.fork(): os.wait()\nos.setsid()\nwhile True: pass",
        "import sys; sys.stdin.read(1)\nimport os; os.close(1); os.close(2); os.kill(os.getpid(), 19)",
    ],
    ids=["loops", "sleeps", "ignores signals", "waits for its child", "stops itself"],
)
def test_whoever_takes_too_long_is_stopped(any_sandbox: Sandbox, source: str) -> None:
    began = time.monotonic()
    result = any_sandbox.run(script(source, limits=Limits(wall_s=0.3)))

    assert (result.exit_code, result.signal, result.limit) == (None, signal.SIGKILL, Limit.WALL)
    assert 0.3 <= result.wall_s < time.monotonic() - began + 0.1


def test_whoever_computes_too_long_is_stopped(any_sandbox: Sandbox) -> None:
    result = any_sandbox.run(script("while True: pass", limits=Limits(cpu_s=0.5, wall_s=100)))

    assert (result.exit_code, result.limit) == (None, Limit.CPU)


def test_memory_is_limited(sandbox: Sandbox, counts_memory: Literal[True, False]) -> None:
    source = "x = []\nwhile True: x.append(bytearray(1_000_000))"

    result = sandbox.run(script(source, limits=Limits(memory_bytes=100 * MIB, wall_s=60)))

    assert not result.succeeded
    assert result.limit is (Limit.MEMORY if counts_memory else None)


def test_memory_that_processes_could_share_is_limited_too(grouped: Sandbox) -> None:
    fill = "for n in range(0, len(m), 4096): m[n] = 1"
    source = f"import mmap, time\nm = mmap.mmap(-1, 300_000_000)\n{fill}\ntime.sleep(600)"

    result = grouped.run(script(source, limits=Limits(memory_bytes=100 * MIB, wall_s=60)))

    assert (result.succeeded, result.limit) == (False, Limit.MEMORY)


def test_memory_is_limited_for_all_processes_together(
    grouped: Sandbox, dies_as_one: Literal[True, False]
) -> None:
    source = """
import os, time
for _ in range(4):
    if not os.fork():
        x = bytearray(50_000_000)
        time.sleep(600)
print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""
    result = grouped.run(script(source, limits=Limits(memory_bytes=120 * MIB, wall_s=60)))

    assert (result.stdout.text, result.limit) == (b"" if dies_as_one else b"-9\n", Limit.MEMORY)


def test_no_memory_hides_in_files_that_no_process_maps(
    sandbox: Sandbox, counts_memory: Literal[True, False]
) -> None:
    """An answer limited to 64 MB once held 3 GB this way, where no control group counted it."""
    source = """
import os
files = [os.memfd_create("x") for _ in range(4)]
for file in files: os.write(file, bytes(50_000_000))
print("holds 200 MB")
"""
    result = sandbox.run(script(source, limits=Limits(memory_bytes=64 * MIB, wall_s=60)))

    assert result.stdout.text == b""
    assert counts_memory or b"Function not implemented" in result.stderr.text


def test_processor_time_is_limited_for_all_processes_together(sandbox: Sandbox) -> None:
    source = """
import os
for _ in range(3):
    if not os.fork():
        while True: pass
for _ in range(3): os.wait()  # each may be stopped by itself
"""
    result = sandbox.run(script(source, limits=Limits(cpu_s=1, wall_s=100)))

    assert result.limit is Limit.CPU


def test_what_a_command_shared_does_not_burden_the_next(grouped: Sandbox) -> None:
    """The kernel clears shared memory away a moment later, and refuses its group a lower limit till then."""
    for _ in range(2):
        first = grouped.run(script(SHARES, limits=Limits(memory_bytes=300 * MIB)))
        second = grouped.run(script("print(1)", limits=Limits(memory_bytes=64 * MIB)))

        assert (first.exit_code, first.limit) == (0, None)
        assert (second.stdout.text, second.limit) == (b"1\n", None)


def test_a_mark_is_left_by_a_child_that_ran_out_of_memory(
    sandbox: Sandbox, counts_memory: Literal[True, False]
) -> None:
    source = "import os\nif os.fork() == 0: x = bytearray(200_000_000)\nelse: os.wait()"

    result = sandbox.run(script(source, limits=Limits(memory_bytes=60 * MIB)))

    assert result.limit is (Limit.MEMORY if counts_memory else None)
    assert result.exit_code in {0, None}


def test_processes_are_limited(sandbox: Sandbox) -> None:
    result = sandbox.run(script(FORKS, limits=Limits(processes=10)))

    lines = result.stdout.decoded().split()
    assert lines[0] == "11"  # EAGAIN
    assert int(lines[1]) in {9, 10}  # besides the command itself


def test_a_fork_bomb_ends_with_its_time(sandbox: Sandbox) -> None:
    source = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"

    result = sandbox.run(script(source, limits=Limits(processes=20, wall_s=0.5)))

    assert result.limit in {Limit.WALL, Limit.PROCESSES}


def test_the_size_of_a_file_is_limited(any_sandbox: Sandbox) -> None:
    default = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)"
    source = f"{default}\nopen('big', 'wb').write(bytes(3_000_000))"

    result = any_sandbox.run(script(source, limits=Limits(file_bytes=MIB)))

    assert (result.signal, result.limit) == (signal.SIGXFSZ, Limit.FILE_SIZE)


def test_the_size_of_the_workspace_is_limited(sandbox: Sandbox) -> None:
    source = """
import errno
try:
    for number in range(100):
        with open(f"/tmp/f{number}" if number % 2 else f"f{number}", "wb") as file:
            file.write(bytes(1_000_000))
except OSError as error:
    print(errno.errorcode[error.errno], number)
"""
    result = sandbox.run(script(source, limits=Limits(workspace_bytes=8 * MIB)))

    name, number = result.stdout.decoded().split()
    assert name == "ENOSPC"
    assert 5 <= int(number) <= 8


def test_open_files_are_limited(any_sandbox: Sandbox) -> None:
    source = """
import os
try:
    while True:
        last = os.open("/dev/null", os.O_RDONLY)
except OSError as error:
    print(error.errno, last)
"""
    result = any_sandbox.run(script(source, limits=Limits(open_files=100)))

    assert result.stdout.text == b"24 99\n"


def test_whoever_prints_without_end_is_stopped(any_sandbox: Sandbox) -> None:
    source = "import os\nwhile True: os.write(1, b'x' * 65536)"

    result = any_sandbox.run(script(source, limits=Limits(output_bytes=1000, output_total_bytes=2 * MIB)))

    assert (result.signal, result.limit) == (signal.SIGKILL, Limit.OUTPUT)
    assert len(result.stdout.text) == 1000
    assert result.stdout.size > 2 * MIB


def test_whoever_floods_the_channel_is_stopped(any_sandbox: Sandbox) -> None:
    source = "import os\nwhile True: os.write(int(os.environ['STEELYARD_CHANNEL']), b'x' * 65536)"
    limits = Limits(output_bytes=1000, output_total_bytes=MIB)

    result = any_sandbox.run(script(source, channel=True, limits=limits))

    assert (result.limit, len(result.channel.text)) == (Limit.OUTPUT, 1000)


def test_limits_cannot_be_raised_from_inside(sandbox: Sandbox) -> None:
    source = """
import resource
for name in ("RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CPU"):
    try:
        resource.setrlimit(getattr(resource, name), (2**40, 2**40))
        print(name)
    except (OSError, ValueError):
        pass
"""
    result = sandbox.run(script(source, limits=Limits(cpu_s=5)))

    assert (result.exit_code, result.stdout.text) == (0, b"")


def test_no_program_of_this_machine_is_handed_the_core_of_a_crash(any_sandbox: Sandbox) -> None:
    # 0 would keep it from files only, not from a program such as a collector of crashes.
    expected = min(1, resource.getrlimit(resource.RLIMIT_CORE)[1] % 2**64)

    result = any_sandbox.run(script("import resource; print(*resource.getrlimit(resource.RLIMIT_CORE))"))

    assert result.stdout.decoded() == f"{expected} {expected}\n"


def test_what_was_used_is_told(any_sandbox: Sandbox) -> None:
    source = "import time\nx = bytearray(60_000_000)\nwhile time.process_time() < 0.3: pass"

    result = any_sandbox.run(script(source))

    assert result.cpu_s is not None
    assert result.peak_memory_bytes is not None
    assert 0.2 <= result.cpu_s < 5  # gVisor's own clock, by which the program goes, is coarse
    assert 60_000_000 <= result.peak_memory_bytes < 150_000_000
