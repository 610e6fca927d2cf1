"""Every sandbox: what went in, what came out, and whose fault it was."""

import signal
import time
from pathlib import Path
from typing import Literal

import pytest

from steelyard.errors import SandboxError
from steelyard.model.execution import Bind, Command, Limits
from steelyard.ports import Sandbox
from tests.sandbox.backends import script


def test_a_command_that_ends_well(any_sandbox: Sandbox) -> None:
    result = any_sandbox.run(script("import sys; print('out'); print('err', file=sys.stderr)"))

    assert (result.exit_code, result.signal, result.limit) == (0, None, None)
    assert (result.stdout.text, result.stderr.text) == (b"out\n", b"err\n")
    assert result.succeeded


@pytest.mark.parametrize("code", [1, 3, 127])
def test_an_exit_code_comes_back(any_sandbox: Sandbox, code: int) -> None:
    result = any_sandbox.run(script(f"import os; os._exit({code})"))

    assert (result.exit_code, result.signal, result.limit) == (code, None, None)
    assert not result.succeeded


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV", "SIGTERM", "SIGABRT"])
def test_a_signal_comes_back(any_sandbox: Sandbox, name: str) -> None:
    result = any_sandbox.run(script(f"import os, signal; os.kill(os.getpid(), signal.{name})"))

    assert (result.exit_code, result.signal) == (None, getattr(signal, name))


def test_an_uncaught_error_is_told_with_its_place(any_sandbox: Sandbox) -> None:
    result = any_sandbox.run(script("def f():\n    return 1 / 0\nf()\n"))

    assert result.exit_code == 1
    assert "ZeroDivisionError" in result.stderr.decoded()
    assert "line 2" in result.stderr.decoded()


def test_leaving_with_words_and_leaving_late(any_sandbox: Sandbox) -> None:
    source = "import atexit, sys\natexit.register(lambda: print('late'))\nsys.exit('words')\n"

    result = any_sandbox.run(script(source))

    assert (result.exit_code, result.stdout.text, result.stderr.text) == (1, b"late\n", b"words\n")


def test_stdin_arguments_and_environment_arrive(any_sandbox: Sandbox) -> None:
    source = "import os, sys; print(sys.stdin.read(), sys.argv[1:], os.environ['GREETING'])"

    result = any_sandbox.run(script(source, "a", "ä b", stdin=b"in", env={"GREETING": "hello"}))

    assert result.stdout.decoded() == "in ['a', 'ä b'] hello\n"


def test_a_command_may_leave_its_stdin_unread(any_sandbox: Sandbox) -> None:
    assert any_sandbox.run(script("pass", stdin=b"x" * 1_000_000)).succeeded


def test_much_goes_in_and_comes_out(any_sandbox: Sandbox) -> None:
    text = bytes(range(256)) * 2000

    result = any_sandbox.run(
        script("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())", stdin=text)
    )

    assert result.stdout.text == text


def test_files_arrive_with_their_folders(any_sandbox: Sandbox) -> None:
    files = {"a/b/c.txt": b"deep", "d.bin": b"\0\xff"}
    source = "print(open('a/b/c.txt').read(), open('d.bin', 'rb').read()); open('d.bin', 'w').write('mine')"

    result = any_sandbox.run(script(source, files=files, keep=("d.bin",)))

    assert result.stdout.text == b"deep b'\\x00\\xff'\n"
    assert result.files == {"d.bin": b"mine"}


def test_many_files_arrive(any_sandbox: Sandbox) -> None:
    files = {f"many/{number}": b"%d" % number for number in range(400)}

    result = any_sandbox.run(
        script("import os; print(sum(int(open(f'many/{n}').read()) for n in range(400)))", files=files)
    )

    assert result.stdout.text == b"79800\n"


def test_a_program_of_one_step_runs_in_the_next(any_sandbox: Sandbox) -> None:
    build = "open('tool', 'w').write('#!/bin/sh\\necho built\\n')"

    built = any_sandbox.run(script(build, keep=("tool",)))
    result = any_sandbox.run(Command(argv=("./tool",), files=built.files, executable=frozenset({"tool"})))

    assert result.stdout.text == b"built\n"


def test_a_folder_of_this_machine_is_seen_inside(any_sandbox: Sandbox, tmp_path: Path) -> None:
    folder = tmp_path / "vendored"
    folder.mkdir()
    (folder / "f").write_text("seen", encoding="utf-8")

    command = Command(argv=("/bin/cat", "lib/deep/f"), binds=(Bind(source=str(folder), at="lib/deep"),))
    result = any_sandbox.run(command)

    assert result.stdout.text == b"seen"


def test_the_channel_comes_back_apart_from_the_output(any_sandbox: Sandbox) -> None:
    source = """
import os, sys
nonce = sys.stdin.readline().strip()
print("forged")
os.write(int(os.environ["STEELYARD_CHANNEL"]), f"{nonce}: all passed".encode())
"""
    result = any_sandbox.run(script(source, stdin=b"n-1\n", channel=True))

    assert (result.channel.text, result.stdout.text) == (b"n-1: all passed", b"forged\n")


def test_what_was_read_from_stdin_cannot_be_read_again(any_sandbox: Sandbox) -> None:
    source = """
import os, sys
first = os.read(0, 100)
print(first)
for process in [p for p in os.listdir("/proc") if p.isdigit()]:
    for place in ("fd/0", "environ", "cmdline"):
        try:
            descriptor = os.open(f"/proc/{process}/{place}", os.O_RDONLY | os.O_NONBLOCK)
            print(process, place, b"n-1" in os.read(descriptor, 100_000))
        except OSError:
            pass
"""
    result = any_sandbox.run(script(source, stdin=b"n-1\n"))

    assert result.stdout.text.startswith(b"b'n-1\\n'\n")
    assert b"True" not in result.stdout.text


def test_a_command_opens_its_usual_streams_by_name(any_sandbox: Sandbox) -> None:
    source = """
words = open("/dev/stdin").read()
with open("/dev/stdout", "w") as out: out.write(words)
with open("/dev/stderr", "a") as said: said.write(words.upper())
"""
    result = any_sandbox.run(script(source, stdin=b"words\n"))

    assert (result.stdout.text, result.stderr.text) == (b"words\n", b"WORDS\n")


def test_long_output_is_cut_and_its_size_told(any_sandbox: Sandbox) -> None:
    limits = Limits(output_bytes=1000)

    result = any_sandbox.run(script("print('x' * 50_000)", limits=limits))

    assert (len(result.stdout.text), result.stdout.size, result.stdout.truncated) == (1000, 50_001, True)
    assert result.succeeded


def test_the_wall_time_is_measured(any_sandbox: Sandbox) -> None:
    began = time.monotonic()
    result = any_sandbox.run(script("import time; time.sleep(0.2)"))

    assert 0.2 <= result.wall_s <= time.monotonic() - began


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (Command(argv=("no-such-program",)), "'no-such-program'"),
        (Command(argv=("/usr/bin/no-such-program",)), "no program"),
        (Command(argv=("./main",), files={"main": b""}), "no program"),
        (Command(argv=()), "program"),
        (Command(argv=("/bin/true",), files={"../x": b""}), "'../x' is not a plain path"),
        (Command(argv=("/bin/true",), files={"/x": b""}), "'/x' is not a plain path"),
        (Command(argv=("/bin/true",), files={"a/../../x": b""}), "'a/../../x' is not a plain path"),
        (Command(argv=("/bin/true",), keep=("../x",)), "'../x' is not a plain path"),
        (Command(argv=("/bin/true",), read_only=frozenset({"x"})), r"among.*files"),
        (Command(argv=("/bin/true",), binds=(Bind(source="/no/such/folder"),)), "cannot be mounted"),
        (Command(argv=("/bin/true",), binds=(Bind(source="relative"),)), "absolute"),
    ],
)
def test_what_we_got_wrong_ourselves_is_an_error_and_no_result(
    any_sandbox: Sandbox, command: Command, reason: str
) -> None:
    with pytest.raises(SandboxError, match=reason):
        any_sandbox.run(command)


def test_files_are_kept_and_nothing_else_is(any_sandbox: Sandbox, own_kernel: Literal[True, False]) -> None:
    source = """
import os
os.makedirs("out")
open("out/good", "w").write("good")
open("big", "wb").write(bytes(5000))
os.symlink("/etc/passwd", "link")
os.symlink("/etc", "linked_folder")
os.mkfifo("fifo")
os.mkdir("folder")
"""
    keep = ("out/good", "big", "link", "linked_folder/passwd", "fifo", "folder", "absent", "out/good/below")

    result = any_sandbox.run(script(source, keep=keep, limits=Limits(keep_bytes=4000)))

    assert result.files == {"out/good": b"good"}
    assert result.refused == {
        "big": "5000 bytes; only 3996 remain",
        "link": "not a plain file",
        "linked_folder/passwd": "a parent is a link or not a folder",
        # A kernel of its own keeps named pipes to itself.
        **({} if own_kernel else {"fifo": "not a plain file"}),
        "folder": "not a plain file",
        "out/good/below": "a parent is a link or not a folder",
    }
