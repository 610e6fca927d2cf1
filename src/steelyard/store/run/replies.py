"""Keep what judges replied beside a run, so that no reply is paid for twice.

Files of lines in the form of recorded answers, each written whole; a reply is lost only if we are killed
before its file is written, and is then requested again.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import PurePosixPath

from steelyard.errors import StoreError
from steelyard.model.request import Reply, Usage
from steelyard.model.sample import SampleKey
from steelyard.store.run.location import Location

FOLDER = "judges"

Kept = tuple[SampleKey, Reply]


class ReplyFiles:
    """The replies of a run's judges; one writer at a time."""

    def __init__(self, location: Location) -> None:
        self._location = location.child(FOLDER)

    def read(self) -> dict[SampleKey, Reply]:
        """Return every reply by its key."""
        result: dict[SampleKey, Reply] = {}
        for name in self._names():
            try:
                result.update(map(_kept, (self._location.read(name) or b"").splitlines()))
            except (ValueError, KeyError, TypeError) as error:
                raise StoreError(f"{self._location.address}/{name}: the file is damaged: {error}") from error
        return result

    def add(self, replies: Sequence[Kept]) -> None:
        """Keep some more replies, in a file of their own."""
        numbers = [int(PurePosixPath(name).stem) for name in self._names()]
        lines = "".join(_line(*kept) for kept in replies)
        self._location.write(f"{max(numbers, default=-1) + 1:06}.jsonl", lines.encode())

    def tidy(self) -> None:
        """Merge the reply files into one. A crash in between leaves duplicates, which readers ignore."""
        names = self._names()
        if len(names) > 1:
            self.add(list(self.read().items()))
            self._location.remove(*names)

    def _names(self) -> list[str]:
        return [name for name in self._location.names() if name.endswith(".jsonl") and name[0].isdigit()]


def _line(key: SampleKey, reply: Reply) -> str:
    fields = {
        **key._asdict(),
        "text": reply.text,
        "finish_reason": reply.finish_reason,
        **asdict(reply.usage),
        "cost_nano_usd": reply.cost_nano_usd,
        "latency_us": reply.latency_us,
        "first_byte_us": reply.first_byte_us,
        "request_id": reply.request_id,
        "fence": reply.fence,
    }
    return json.dumps({name: value for name, value in fields.items() if value is not None}) + "\n"


def _kept(line: bytes) -> Kept:
    text = json.loads(line)
    key = SampleKey._make(text.pop(name) for name in SampleKey._fields)
    counts = {name: text.pop(name, None) for name in asdict(Usage())}
    return key, Reply(usage=Usage(**counts), **text)
