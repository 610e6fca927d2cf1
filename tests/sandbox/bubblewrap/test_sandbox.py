"""Bubblewrap: what is missing or refused is our fault, and is said."""

import os
import platform
from pathlib import Path

import pytest

from steelyard.errors import SandboxError
from steelyard.model.execution import Bind, Command
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.seccomp import program as seccomp


def test_a_machine_without_bubblewrap_is_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxError, match="apt-get install bubblewrap"):
        BubblewrapSandbox()


@pytest.mark.parametrize("body", ["exit 1", "echo 'bwrap: no namespaces for you' >&2; exit 1"])
def test_a_bubblewrap_that_refuses_is_our_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    sandbox = BubblewrapSandbox()

    with pytest.raises(SandboxError, match=r"did not start: bwrap(: no namespaces for you| exited before)"):
        sandbox.run(Command(argv=("/bin/true",)))
    sandbox.close()


def test_a_program_that_the_kernel_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = BubblewrapSandbox()
    broken = Command(argv=("./tool",), files={"tool": b"\x7fELF nonsense"}, executable=frozenset({"tool"}))

    try:
        result = sandbox.run(broken)
    except SandboxError as error:
        assert "tool" in str(error)  # noqa: PT017  # an ordinary user hears it from bubblewrap itself
    else:
        assert result.exit_code in {126, 127}
    sandbox.close()


def test_a_processor_without_a_filter_still_gets_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "vax")
    seccomp.program.cache_clear()
    sandbox = BubblewrapSandbox()
    monkeypatch.undo()
    seccomp.program.cache_clear()

    assert sandbox.run(Command(argv=("/bin/true",))).succeeded
    sandbox.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user runs commands as itself")
def test_a_folder_closed_to_others_is_refused_with_a_remedy(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    sandbox = BubblewrapSandbox()

    with pytest.raises(SandboxError, match=r"chmod -R o\+rX"):
        sandbox.run(Command(argv=("/bin/true",), binds=(Bind(source=str(closed)),)))
    sandbox.close()


def test_what_is_in_the_system_anyway_need_not_be_shown_again() -> None:
    sandbox = BubblewrapSandbox()

    assert sandbox.run(Command(argv=("/bin/true",), binds=(Bind(source="/usr/lib"),))).succeeded
    sandbox.close()


def test_a_command_may_open_its_usual_streams_again_as_it_holds_them_and_no_other_pipe() -> None:
    sandbox = BubblewrapSandbox()

    result = sandbox.run(
        Command(
            argv=("/bin/sh", "-c", "stat -Lc %a /dev/fd/0 /dev/fd/1 /dev/fd/2 /dev/fd/$STEELYARD_CHANNEL"),
            channel=True,
        )
    )
    sandbox.close()

    assert result.stdout.text.split() == [b"644", b"622", b"622", b"600"], result.stderr
