import subprocess
from typing import NamedTuple


class CommandResult(NamedTuple):
    code: int | None
    out: str
    err: str
    timed_out: bool = False

    @property
    def ok(self):
        return self.code == 0


def run_command(args, *, timeout=10, input=None, env=None):
    try:
        done = subprocess.run(args, input=input, capture_output=True, text=True, timeout=timeout, env=env)
    except FileNotFoundError:
        return CommandResult(127, "", "not found")
    except subprocess.TimeoutExpired:
        return CommandResult(None, "", "", True)
    return CommandResult(done.returncode, done.stdout.strip(), done.stderr.strip())
