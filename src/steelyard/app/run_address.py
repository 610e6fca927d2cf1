"""Find the address of a run that a caller names, whether by the address itself or by a record of the run."""

from pathlib import Path
from typing import Protocol


class AddressedRun(Protocol):
    """A run that knows its address, such as the `Run` that `steelyard.run` returns."""

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
