"""Let this process hold many connections: those of calls, and those of agents through their proxies."""

import resource
from contextlib import suppress


def allow_many_open_files() -> None:
    """Raise the limit of open files as far as the machine lets a process raise it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(OSError, ValueError):  # some systems name a limit that they do not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
