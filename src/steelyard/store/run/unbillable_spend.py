"""Store the cost of calls without an answer beside a run."""

import json

from steelyard.errors import StoreError
from steelyard.store.run.location import Location

FILE_NAME = "unanswered.json"
KEY = "nano_usd"


def read_unbillable_spend(location: Location) -> int:
    """Return the cost of calls without an answer in nano-USD, 0 by default."""
    text = location.read(FILE_NAME)
    if text is None:
        return 0
    try:
        result = json.loads(text)[KEY]
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{location.address}/{FILE_NAME}: the file is damaged: {error}") from error
    if not isinstance(result, int) or result < 0:
        raise StoreError(f"{location.address}/{FILE_NAME}: the file is damaged: {KEY} is {result!r}")
    return result


def write_unbillable_spend(location: Location, nano_usd: int) -> None:
    """Write the cost so far of calls without an answer."""
    location.write(FILE_NAME, json.dumps({KEY: nano_usd}).encode() + b"\n")
