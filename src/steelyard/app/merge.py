"""Put the shards of a run together, as `steelyard merge` does."""

import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.run_handle import Run
from steelyard.store.run.merging import merge_shards


def merge(
    shards: Iterable[RunAddress], into: str | Path, *, notify: Callable[[str], None] = warnings.warn
) -> Run:
    """Make one run of all the shards that `run(…, shard="3/16")` made, at a new address.

    Shards that overlap, are missing, are not complete or were run with other settings raise an error. The
    report of the merged run is that of a run on one machine; the shards stay as they are. If they are merged
    there already, `notify` says so, and nothing is written.
    """
    return Run(merge_shards(map(address_of, shards), into, notify=notify).location.address)
