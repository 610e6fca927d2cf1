"""Find out which Landlock the kernel has, by which a process limits itself; set no limits."""

import ctypes

CREATE_RULESET = 444  # on every processor
ASK_VERSION = 1
SCOPED = 6  # the first version that keeps signals and abstract sockets within a group of processes


def landlock_version() -> int:
    """Return the version, 0 where there is none."""
    return max(int(ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)), 0)


def landlock_words(version: int) -> str:
    """Say what the kernel has.

    >>> landlock_words(0), landlock_words(4)
    ('no Landlock', 'Landlock 4 (without scopes, which came with 6)')
    """
    if not version:
        return "no Landlock"
    return f"Landlock {version}" + (
        "" if version >= SCOPED else f" (without scopes, which came with {SCOPED})"
    )
