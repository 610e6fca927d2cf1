"""The warm interpreter: what a child could learn from its siblings, and what becomes of the parent."""

import os
import platform
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from steelyard.errors import SandboxError
from steelyard.model.execution import Command
from steelyard.sandbox.descriptors import is_readable
from steelyard.sandbox.seccomp.program import program
from steelyard.sandbox.warm.sandbox import WarmChild, WarmPythonSandbox
from tests.sandbox.backends import BINDS, FLAGS, PYTHON, script
from tests.sandbox.traces import descendants


def warm(**options: tuple[str, ...] | tuple[bytes, ...]) -> WarmPythonSandbox:
    return WarmPythonSandbox(interpreter=PYTHON, flags=FLAGS, binds=BINDS, **options)  # type: ignore[arg-type]


def test_a_child_finds_nothing_of_earlier_children_in_its_memory() -> None:
    sandbox = warm()
    secret = "s3cr3t-" + "of-the-first"
    sandbox.run(
        script(
            f"mine = {secret!r}", stdin=secret.encode(), env={"MINE": secret}, files={"f": secret.encode()}
        )
    )
    source = """
found = 0
needle = b"s3cr3t-" + b"of-the-" + b"first"
for line in open("/proc/self/maps"):
    start, end = (int(part, 16) for part in line.split()[0].split("-"))
    if "rw" in line.split()[1] and "[v" not in line:
        memory = open("/proc/self/mem", "rb", buffering=0)
        memory.seek(start)
        found += memory.read(end - start).count(needle)
print(found)
"""
    result = sandbox.run(script(source))
    sandbox.close()

    # Once, put together by the script itself, is all there is.
    assert result.stdout.text in {b"0\n", b"1\n"}


def test_without_a_filter_of_system_calls_every_command_starts_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warm commands share a network namespace, in which they could meet by abstract sockets."""
    monkeypatch.setattr(platform, "machine", lambda: "vax")
    program.cache_clear()
    sandbox = warm(preload=("fractions",))
    monkeypatch.undo()
    program.cache_clear()

    result = sandbox.run(script("import sys; print('fractions' in sys.modules)"))
    sandbox.close()

    assert result.stdout.text == b"False\n"


def test_modules_are_at_hand_and_known_scripts_are_compiled() -> None:
    text = "import sys; print('fractions' in sys.modules, __name__, __file__)"
    sandbox = warm(preload=("fractions",), scripts=(text.encode(),))

    result = sandbox.run(script(text))
    sandbox.close()

    assert result.stdout.text == b"True __main__ main.py\n"


def test_children_do_not_share_their_luck() -> None:
    sandbox = warm(preload=("random",))

    seen = {sandbox.run(script("import random; print(random.random())")).stdout.text for _ in range(5)}
    sandbox.close()

    assert len(seen) == 5


def test_a_known_script_is_the_first_process_which_nobody_inside_can_end() -> None:
    text = """
import os, signal
if child := os.fork():
    os.waitpid(child, 0)
    print(os.getpid())
else:
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
        os.kill(os.getppid(), number)
    os.kill(-1, signal.SIGKILL)
    os._exit(0)
"""
    sandbox = warm(scripts=(text.encode(),))

    result = sandbox.run(script(text))
    sandbox.close()

    assert (result.exit_code, result.stdout.text) == (0, b"1\n")


def test_another_program_is_run_cold() -> None:
    sandbox = warm()

    result = sandbox.run(Command(argv=("/bin/echo", "cold")))
    sandbox.close()

    assert result.stdout.text == b"cold\n"


def test_an_interpreter_that_cannot_start_is_our_fault() -> None:
    with pytest.raises(SandboxError, match=r"ModuleNotFoundError.*'no_such_module'"):
        warm(preload=("no_such_module",))


def servers() -> list[int]:
    """Return the processes of the interpreters that wait."""
    return sorted(
        pid for pid in descendants(os.getpid()) if b"server.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )


def test_a_client_that_hangs_up_without_listening_ends_no_command_but_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sandbox = warm()
    before = servers()

    def hang_up(child: WarmChild) -> int:
        assert is_readable(child.ended, 30)  # there is a message, which stays unread
        child._status.close()  # as the end of a process does
        raise SandboxError("hung up")

    with monkeypatch.context() as patch:
        patch.setattr(WarmChild, "wait_until_started", hang_up)
        with pytest.raises(SandboxError, match="hung up"):
            sandbox.run(script("import time; time.sleep(600)"))
    result = sandbox.run(script("import time; time.sleep(1); print(1)"))  # long enough to die with the others
    after = servers()
    sandbox.close()

    assert before
    assert (result.stdout.text, after) == (b"1\n", before)


def test_a_dead_interpreter_is_replaced() -> None:
    sandbox = warm()
    mine = servers()
    for pid in mine:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    results = [sandbox.run(script("print(1)")).stdout.text for _ in range(2)]
    sandbox.close()

    assert mine
    assert results == [b"1\n", b"1\n"]
