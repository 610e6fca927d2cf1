import sys
import textwrap
from pathlib import Path

import pytest

from solution import CommandResult, run_command


@pytest.fixture
def script(tmp_path):
    def write(code):
        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(code))
        return [sys.executable, str(path)]

    return write


def test_output(script):
    result = run_command(script("print('hello'); print('  x  ')"))
    assert result == CommandResult(0, "hello\n  x  ", "", False)
    assert result.ok


def test_exit_code_and_stderr(script):
    result = run_command(
        script(
            """
            import sys
            print("problem", file=sys.stderr)
            sys.exit(3)
            """
        )
    )
    assert result.code == 3
    assert result.err == "problem"
    assert not result.ok


def test_input(script):
    assert run_command(script("print(input()[::-1])"), input="abc\n").out == "cba"


def test_env_is_added(script, monkeypatch):
    monkeypatch.setenv("STAGE", "outer")
    args = script("import os; print(os.environ['STAGE'], os.environ['EXTRA'], 'PATH' in os.environ)")
    assert run_command(args, env={"EXTRA": "1"}).out == "outer 1 True"


def test_timeout_keeps_output(script):
    result = run_command(
        script("import time; print('started', flush=True); time.sleep(60)"),
        timeout=1.5,
    )
    assert result.timed_out
    assert result.code is None
    assert result.out == "started"


def test_no_shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run_command([sys.executable, "-c", "import sys; print(sys.argv[1])", "$HOME; touch pwned"])
    assert result.out == "$HOME; touch pwned"
    assert list(Path().iterdir()) == []


def test_missing_program():
    result = run_command(["no-such-program-here", "-v"])
    assert (result.code, result.err) == (127, "not found: no-such-program-here")
