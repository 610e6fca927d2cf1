"""Raise the limit of open files, for many concurrent connections."""

import resource
from contextlib import suppress


def allow_many_open_files() -> None:
    """Raise the soft limit of open files to the hard limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(OSError, ValueError):  # some systems do not grant their stated limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
