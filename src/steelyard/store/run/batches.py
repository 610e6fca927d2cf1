"""Keep beside a run which requests were submitted in which batch, so that none is paid for twice.

A file is written before its batch is submitted, and again with the vendor's id of it. It is removed when all
answers of the batch are committed. It holds no prompt and no key.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from steelyard.errors import StoreError
from steelyard.model.sample import SampleKey
from steelyard.store.run.location import Location

FOLDER = "batches"
SUFFIX = ".json"


class BatchedRequest(NamedTuple):
    """One request of a batch: the key of its sample and the digests of its request."""

    key: SampleKey
    prompt_digest: str
    parameters_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBatch:
    """A batch that is or may be at the vendor's, and whose answers are not all committed."""

    name: str  # ours; the vendor knows it
    provider: str
    written_at: datetime  # before it was submitted
    requests: tuple[BatchedRequest, ...]
    id: str | None = None  # the vendor's; None: not known


class BatchFiles:
    """The open batches of a run; one writer at a time."""

    def __init__(self, location: Location) -> None:
        self._location = location.child(FOLDER)

    def read(self) -> list[OpenBatch]:
        """Return all open batches."""
        return [self._read(name) for name in self._location.names() if name.endswith(SUFFIX)]

    def write(self, batch: OpenBatch) -> None:
        """Write a batch down, so that it survives a crash; in place of what was known of it."""
        fields = {
            "name": batch.name,
            "provider": batch.provider,
            "written_at": batch.written_at.isoformat(),
            "id": batch.id,
            "requests": [[*request.key, *request[1:]] for request in batch.requests],
        }
        self._location.write(f"{batch.name}{SUFFIX}", json.dumps(fields).encode() + b"\n")

    def remove(self, batch: OpenBatch) -> None:
        """Forget a batch: its answers are committed, or it was never submitted."""
        self._location.remove(f"{batch.name}{SUFFIX}")

    def address(self, batch: OpenBatch) -> str:
        """Return where a batch is written down."""
        return f"{self._location.address}/{batch.name}{SUFFIX}"

    def _read(self, name: str) -> OpenBatch:
        try:
            parsed = json.loads(self._location.read(name) or b"")
            return OpenBatch(
                name=parsed["name"],
                provider=parsed["provider"],
                written_at=datetime.fromisoformat(parsed["written_at"]),
                requests=tuple(map(_request, parsed["requests"])),
                id=parsed["id"],
            )
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{self._location.address}/{name}: the file is damaged: {error}") from error


def _request(values: Sequence[str | int]) -> BatchedRequest:
    *key, prompt_digest, parameters_digest = values
    model, tier, suite, case, digest, attempt = key
    return BatchedRequest(
        SampleKey(str(model), str(tier), str(suite), str(case), str(digest), int(attempt)),
        str(prompt_digest),
        str(parameters_digest),
    )
