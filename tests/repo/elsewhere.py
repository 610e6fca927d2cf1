"""Take out of this Python what macOS or Windows lack.

What Python itself and the libraries bring for each system is left alone: their own files may use everything.
"""

import asyncio  # noqa: F401  # has a part of its own for each system; loaded before anything is taken out
import os
import signal
import sys

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
OF_OS = (
    "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_PATH", "chown", "fchmod", "fork", "geteuid",
    "getgid", "getpgid", "getuid", "killpg", "mkfifo", "pidfd_open", "pipe2", "pread", "register_at_fork",
    "sched_getaffinity", "setsid", "statvfs", "sysconf",
)  # fmt: skip
OF_SIGNAL = (
    "SIGALRM",
    "SIGHUP",
    "SIGKILL",
    "SIGPIPE",
    "SIGXCPU",
    "SIGXFSZ",
    "pidfd_send_signal",
    "setitimer",
)


def take_out() -> None:
    """Leave what every system has."""
    sys.modules.update(dict.fromkeys(MODULES))  # type: ignore[arg-type]  # None forbids an import
    for owner, names in ((os, OF_OS), (signal, OF_SIGNAL)):
        for name in names:
            delattr(owner, name)
