"""Say where this user's caches are."""

import os
from pathlib import Path

from steelyard.errors import InfrastructureError


def cache_folder(*parts: str) -> Path:
    """Return our folder below the user's folder for caches, or one below it."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    home = os.path.expanduser("~")  # noqa: PTH111  # `Path.home` raises an error of its own where there is none
    if not (os.path.isabs(named) or os.path.isabs(home)):  # noqa: PTH117  # as above
        raise InfrastructureError("this user has no home folder: set XDG_CACHE_HOME to a folder of your own")
    caches = Path(named) if Path(named).is_absolute() else Path(home) / ".cache"
    return caches.joinpath("steelyard", *parts)
