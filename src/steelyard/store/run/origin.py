"""Say with which tools and on what kind of machine a run is made, and name it by the time it began.

Kinds of things only: it names neither the machine nor its user.
"""

import os
import platform
from datetime import datetime
from importlib.metadata import version

from steelyard.model.version import VERSION

LIBRARIES = ("deltalake", "duckdb")  # the libraries that write the tables


def run_id(moment: datetime, salt: bytes) -> str:
    """Return a name for a run that began at a moment; names sort by time, the salt makes them unique.

    >>> from datetime import UTC
    >>> run_id(datetime(2026, 11, 15, 3, 41, 22, tzinfo=UTC), bytes(4))
    '20261115T034122Z-00000000'
    """
    return f"{moment:%Y%m%dT%H%M%SZ}-{salt.hex()}"


def tool_versions() -> dict[str, str]:
    """Return the versions of what makes the run."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {"python": platform.python_version(), "steelyard": VERSION, **libraries}


def host_facts() -> dict[str, str]:
    """Return what kind of machine this is."""
    return {
        "os": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "cpus": str(os.cpu_count() or 1),
    }
