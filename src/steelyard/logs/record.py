"""Read validated values of JSON objects in logs; faults are reported with their location.

Logs are untrusted: types, sizes and Unicode validity of all values are checked.
"""

import math
from collections.abc import Iterator
from typing import NoReturn

from steelyard.errors import InputError

LARGEST = 2**62  # tables have 64-bit integers
LARGEST_COST = 1e9  # USD or seconds
LONGEST_TEXT = 16 * 2**20  # characters of a prompt, an answer or an output
SHOWN = 60


class Record:
    """A JSON object of a log; absent keys read as null."""

    def __init__(self, value: object, where: str) -> None:
        self.where = where
        if not isinstance(value, dict):
            raise InputError(f"{where}: found {_describe(value)}, expected an object")
        self._values: dict[str, object] = value

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def get(self, key: str) -> object:
        """Return a value as it is."""
        return self._values.get(key)

    def text(self, key: str) -> str | None:
        """Return a text."""
        value = self.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            self.refuse(key, "text")
        return clean(value)

    def name(self, key: str) -> str:
        """Return a required name: non-empty text or an integer."""
        value = self.get(key)
        if type(value) is int:
            return str(value)
        if not isinstance(value, str) or not value:
            self.refuse(key, "a name")
        return clean(value)

    def flag(self, key: str) -> bool | None:
        """Return true, false or None."""
        value = self.get(key)
        if value is not None and not isinstance(value, bool):
            self.refuse(key, "true or false")
        return value

    def count(self, key: str) -> int | None:
        """Return a count."""
        value = self.get(key)
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not int or not 0 <= value <= LARGEST:
            self.refuse(key, "a whole number from 0")
        return value

    def amount(self, key: str) -> float | None:
        """Return a non-negative amount of money or time."""
        value = self.number(key)
        if value is not None and not 0 <= value <= LARGEST_COST:
            self.refuse(key, "a number from 0")
        return value

    def number(self, key: str) -> float | None:
        """Return a number; NaN reads as null."""
        value = self.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.refuse(key, "a number")
        if isinstance(value, float) and math.isnan(value):
            return None
        if not abs(value) < LARGEST:
            self.refuse(key, "a finite number")
        return float(value)

    def record(self, key: str) -> "Record":
        """Return an object; an empty one if there is none."""
        value = self.get(key)
        return Record({} if value is None else value, f"{self.where}: {key}")

    def records(self, key: str) -> "list[Record]":
        """Return a list of objects; an empty one if there is none."""
        return [Record(value, f"{self.where}: {key}[{at}]") for at, value in enumerate(self.items(key))]

    def items(self, key: str) -> list[object]:
        """Return a list; an empty one if there is none."""
        value = self.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.refuse(key, "a list")
        return value

    def names(self, key: str) -> list[str]:
        """Return a list of names."""
        values = self.items(key)
        if not all(isinstance(value, str) and value for value in values):
            self.refuse(key, "a list of names")
        return [clean(str(value)) for value in values]

    def refuse(self, key: str, expected: str) -> NoReturn:
        """Raise InputError for an unexpected value."""
        raise InputError(f"{self.where}: {key}: found {_describe(self.get(key))}, expected {expected}")


def clean(text: str) -> str:
    """Return a text that tables can store: valid Unicode, of limited length.

    >>> clean("a" + chr(0xD800) + "b")
    'a?b'
    """
    return text[:LONGEST_TEXT].encode("utf-8", "replace").decode()


def _describe(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case dict():
            return "an object"
        case list():
            return "a list"
    shown = ascii(value)
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
