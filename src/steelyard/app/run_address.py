"""Resolve a run to its address."""

from pathlib import Path
from typing import Protocol


class AddressedRun(Protocol):
    """A run with an address, such as the `Run` returned by `steelyard.run`."""

    @property
    def address(self) -> str:
        """Where the run is kept."""


RunAddress = str | Path | AddressedRun


def address_of(run: RunAddress) -> str | Path:
    """Return the address of a run.

    >>> from types import SimpleNamespace
    >>> [address_of("runs/1"), address_of(SimpleNamespace(address="s3://bucket/runs/1"))]
    ['runs/1', 's3://bucket/runs/1']
    """
    return run if isinstance(run, str | Path) else run.address
