"""Close this process to the eyes of others that run as the same user."""

import ctypes
import os

SET_DUMPABLE = 4
LIBC = ctypes.CDLL(None, use_errno=True)


def set_readable(*, readable: bool) -> None:
    """Say whether processes of the same user may look into this one's memory and open files."""
    if LIBC.prctl(SET_DUMPABLE, int(readable), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl: {os.strerror(ctypes.get_errno())}")
