"""Say where this user's caches are."""

import os
from pathlib import Path

from steelyard.errors import InfrastructureError


def cache_folder(*parts: str) -> Path:
    """Return our folder below the user's folder for caches, or one below it."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # Where there is no home, `Path.home` raises an error of its own, and this gives `~` back.
    caches = Path(named) if Path(named).is_absolute() else Path(os.path.expanduser("~/.cache"))  # noqa: PTH111
    if not caches.is_absolute():
        raise InfrastructureError("this user has no home folder: set XDG_CACHE_HOME to a folder of your own")
    return caches.joinpath("steelyard", *parts)
