"""Run `steelyard run` as a process of its own, with an agent that takes its time, and press Ctrl-C."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

CASES, SAMPLES = 4, 3
TOTAL = CASES * SAMPLES
SET = """
[eval_set]
id = "small"
default_language = "text"
[sampling]
samples = {samples}
"""
CASE = """
[[cases]]
id = "c{number}"
prompt = "Say yes."
reference = "yes"
wrong = ["no"]
[cases.expectations.settings]
exact = "yes"
"""
CONFIG = """
models = ["agent/m"]
[providers.agent]
kind = "command"
max_concurrency = 2
[providers.agent.options]
command = ["/bin/sh", "-c", "sleep {pause_s} && echo yes"]
"""
STEELYARD = (sys.executable, "-m", "steelyard")
PATIENCE_S = 60.0


def laid_out(folder: Path, *, pause_s: float) -> Path:
    """Write a set of a few cases, and a configuration with an agent that says yes after a while."""
    cases = "".join(CASE.format(number=number) for number in range(CASES))
    (folder / "set.toml").write_text(SET.format(samples=SAMPLES) + cases, encoding="utf-8")
    paced(folder, pause_s)
    return folder


def paced(folder: Path, pause_s: float) -> None:
    """Let the agent take so long from now on."""
    (folder / "steelyard.toml").write_text(CONFIG.format(pause_s=pause_s), encoding="utf-8")


class Started:
    """A command at a terminal of 60 columns, or without one."""

    def __init__(self, folder: Path, *words: str, columns: int | None = None, command: str = "run") -> None:
        self._folder = folder
        self._seen = b""
        self._screen, end = os.pipe() if columns is None else pty.openpty()
        if columns is not None:
            fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [*STEELYARD, command, *words],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=end,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
            start_new_session=True,
        )
        os.close(end)
        os.set_blocking(self._screen, False)

    def seen(self) -> str:
        """Return everything that it has shown so far."""
        try:
            while chunk := os.read(self._screen, 65536):
                self._seen += chunk
        except OSError:  # nothing now, or the terminal is gone
            pass
        return self._seen.decode(errors="replace")

    def wait_for(self, happened: Callable[[], bool]) -> None:
        """Wait until something has happened, but not for ever."""
        until = time.monotonic() + PATIENCE_S
        while not happened():
            assert time.monotonic() < until, self.seen()
            assert self.process.poll() is None, self.seen()
            time.sleep(0.05)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        """Wait for its end and return its exit code."""
        until = time.monotonic() + PATIENCE_S
        while (code := self.process.poll()) is None:
            assert time.monotonic() < until, self.seen()
            self.seen()  # a full pipe would stop it
            time.sleep(0.05)
        self.seen()
        os.close(self._screen)
        return code


def has_generated(run: Path) -> bool:
    """Whether a first answer has been committed."""
    return (run / "samples" / "_delta_log" / f"{1:020d}.json").exists()


def is_running(words: str) -> bool:
    """Whether a process with these words, and no others, is running."""
    return subprocess.run(["pgrep", "-f", f"^{words}$"], capture_output=True, check=False).returncode == 0
