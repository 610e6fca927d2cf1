"""Say who a command is on this machine when we are root: a user who owns nothing and is no other command.

The kernel counts pipes, descriptors on their way through sockets and more for each user, and a user with many
gets fewer. Commands that were one user could take them from each other, without using processor or memory.
"""

import os
import threading
from functools import cache
from pathlib import Path

NOBODY = 65534
# One for each number that a thread can have, where neither distributions nor systemd hand any out.
USERS = range(0x70000000, 0x70000000 + (1 << 22))


@cache
def steps_down() -> bool:
    """Whether we are root and can run a command as another user, who must exist in our user namespace."""
    return os.geteuid() == 0 and _are_mapped(range(NOBODY, NOBODY + 1))


@cache
def users() -> range:
    """Return the users that commands may be: one for each thread, or `nobody` where a namespace has not all.

    Each is a group of the same number too.
    """
    return USERS if _are_mapped(USERS) else range(NOBODY, NOBODY + 1)


def is_shared() -> bool:
    """Whether all commands are the same user on this machine: as an ordinary user, the one who we are."""
    return not steps_down() or users() != USERS


def own_user() -> int:
    """Return the user of the command that this thread runs.

    A thread runs one command at a time and waits for its end, and no two threads have the same number.
    """
    found = users()
    return found[threading.get_native_id() % len(found)]


def _are_mapped(ids: range) -> bool:
    maps = (Path("/proc/self", name).read_text(encoding="ascii") for name in ("uid_map", "gid_map"))
    return all(is_mapped(ids, text) for text in maps)


def is_mapped(ids: range, text: str) -> bool:
    """Whether a map of a user namespace has all of some numbers, in one of its lines.

    >>> is_mapped(range(5, 9), "0 100000 9")
    True
    """
    lines = (map(int, line.split()) for line in text.splitlines())
    return any(first <= ids[0] and ids[-1] < first + count for first, _, count in lines)
