"""Choose the user of a command when Steelyard is root: one that owns nothing, unique to the command.

The kernel limits pipes, descriptors in flight and more for each user. Commands that shared a user could
exhaust them for each other.
"""

import os
import threading
from functools import cache
from pathlib import Path

NOBODY = 65534
# One for each possible thread id, in a range that neither distributions nor systemd assign.
USERS = range(0x70000000, 0x70000000 + (1 << 22))


@cache
def steps_down() -> bool:
    """Whether this process is root and its user namespace maps another user."""
    return os.geteuid() == 0 and _are_mapped(range(NOBODY, NOBODY + 1))


@cache
def users() -> range:
    """Return the users for commands: one for each thread, or `nobody` if the namespace does not map them.

    The group has the same number.
    """
    return USERS if _are_mapped(USERS) else range(NOBODY, NOBODY + 1)


def is_shared() -> bool:
    """Whether all commands run as the same user."""
    return not steps_down() or users() != USERS


def own_user() -> int:
    """Return the user of this thread's command: a thread runs one at a time, and thread ids are unique."""
    available = users()
    return available[threading.get_native_id() % len(available)]


def _are_mapped(ids: range) -> bool:
    maps = (Path("/proc/self", name).read_text(encoding="ascii") for name in ("uid_map", "gid_map"))
    return all(is_mapped(ids, text) for text in maps)


def is_mapped(ids: range, text: str) -> bool:
    """Whether one line of a user namespace's map covers all ids.

    >>> is_mapped(range(5, 9), "0 100000 9")
    True
    """
    lines = (map(int, line.split()) for line in text.splitlines())
    return any(first <= ids[0] and ids[-1] < first + count for first, _, count in lines)
