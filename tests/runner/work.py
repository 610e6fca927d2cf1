"""What the tests let workers do: plain functions that a worker finds by import."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import StoreError


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """A number to give back, after some seconds, and a file in which to say who is at work."""

    number: int
    seconds: float = 0.0
    note: Path | None = None


def run(errand: Errand) -> int:
    """Give the number back after a while."""
    time.sleep(errand.seconds)
    return errand.number


def run_unless_first(errand: Errand) -> int:
    """Sleep for good when called for the first time, having noted who sleeps; give the number back later."""
    assert errand.note is not None
    draft = errand.note.with_suffix(f".{os.getpid()}")
    draft.write_text(str(os.getpid()), encoding="utf-8")
    try:
        os.link(draft, errand.note)  # two that begin at the same moment cannot both be first
    except FileExistsError:
        return errand.number
    time.sleep(600)
    return errand.number


def refuse(errand: Errand) -> int:
    """Find the files damaged."""
    raise StoreError(f"runs/{errand.number}: the file is damaged")


def divide(errand: Errand) -> float:
    """Have a bug."""
    return 1 / errand.number
