"""Keep beside a run what was spent on calls that brought no answer, since no row tells of it."""

import json

from steelyard.errors import StoreError
from steelyard.store.run.location import Place

FILE_NAME = "unanswered.json"
KEY = "nano_usd"


def read_unanswered(place: Place) -> int:
    """Return what was spent in vain so far, in nano-USD; 0 if nothing was ever written."""
    text = place.read(FILE_NAME)
    if text is None:
        return 0
    try:
        found = json.loads(text)[KEY]
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{place.address}/{FILE_NAME}: the file is damaged: {error}") from error
    if not isinstance(found, int) or found < 0:
        raise StoreError(f"{place.address}/{FILE_NAME}: the file is damaged: {KEY} is {found!r}")
    return found


def write_unanswered(place: Place, nano_usd: int) -> None:
    """Write what was spent in vain so far."""
    place.write(FILE_NAME, json.dumps({KEY: nano_usd}).encode() + b"\n")
