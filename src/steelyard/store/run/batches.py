"""Keep beside a run which requests were submitted in which batch, so that none is paid for twice.

A file is written before a batch is submitted, and again with the vendor's id. It holds no prompt and no key.
"""

import json
from dataclasses import asdict, dataclass

from steelyard.errors import StoreError
from steelyard.model.sample import SampleKey
from steelyard.store.run.location import Location

FOLDER = "batches"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedBatch:
    """A batch: our name for it, whose it is, what it asks for, and the vendor's id if we know it."""

    name: str
    provider: str
    keys: tuple[SampleKey, ...]
    id: str | None = None


class BatchFiles:
    """The batches of a run; one writer at a time."""

    def __init__(self, location: Location) -> None:
        self._location = location.child(FOLDER)

    def read(self) -> list[SubmittedBatch]:
        """Return all batches that were or may have been submitted."""
        return [self._read(name) for name in self._location.names() if name.endswith(".json")]

    def write(self, batch: SubmittedBatch) -> None:
        """Write a batch down, in place of what is known of it."""
        self._location.write(f"{batch.name}.json", json.dumps(asdict(batch)).encode() + b"\n")

    def _read(self, name: str) -> SubmittedBatch:
        try:
            found = json.loads(self._location.read(name) or b"")
            keys = tuple(SampleKey(*key) for key in found.pop("keys"))
            return SubmittedBatch(keys=keys, **found)
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{self._location.address}/{name}: the file is damaged: {error}") from error
