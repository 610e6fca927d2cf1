import os
import subprocess
from typing import NamedTuple


class CommandResult(NamedTuple):
    code: int | None
    out: str
    err: str
    timed_out: bool = False

    @property
    def ok(self) -> bool:
        return self.code == 0


def _text(data) -> str:
    if isinstance(data, bytes):
        data = data.decode(errors="replace")
    return (data or "").rstrip("\n")


def run_command(args, *, timeout=10, input=None, env=None) -> CommandResult:
    try:
        done = subprocess.run(
            args,
            input=input,
            capture_output=True,
            text=True,
            timeout=timeout,
            env={**os.environ, **(env or {})},
        )
    except FileNotFoundError:
        return CommandResult(127, "", f"not found: {args[0]}")
    except subprocess.TimeoutExpired as expired:
        return CommandResult(None, _text(expired.stdout), _text(expired.stderr), timed_out=True)
    return CommandResult(done.returncode, _text(done.stdout), _text(done.stderr))
