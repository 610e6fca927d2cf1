"""The container engine of this process."""

import threading
from collections.abc import Callable
from functools import cache
from typing import cast

from steelyard.plugins import CONTAINERS, load
from steelyard.ports import ContainerEngine

_LOCK = threading.Lock()


def container_engine() -> ContainerEngine:
    """Return the engine, connected on first use; raises SandboxMissing if there is none."""
    with _LOCK:
        return _connect()


@cache
def _connect() -> ContainerEngine:
    return cast("Callable[[], ContainerEngine]", load(CONTAINERS, "docker", group="containers"))()
