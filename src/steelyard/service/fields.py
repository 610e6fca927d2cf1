"""Read the fields of another service's request: unknown ones are ignored, wrong types are refused."""

import json
from collections.abc import Mapping
from typing import TypeVar, cast

from steelyard.errors import InputError

Value = TypeVar("Value")


class Fields:
    """The fields of one JSON object."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    @classmethod
    def of(cls, content: bytes) -> "Fields":
        """Return the fields of a JSON text; raises InputError."""
        try:
            values = json.loads(content)
        except ValueError as error:
            raise InputError(f"the request is not JSON: {error}") from None
        if not isinstance(values, dict):
            raise InputError("the request is not a JSON object")
        return cls(values)

    def __contains__(self, name: str) -> bool:
        """Whether a field is there and not null."""
        return self._values.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; without a default it is required."""
        return self._typed(name, str, default)

    def number(self, name: str, default: float) -> float:
        """Return a number."""
        value = self._values.get(name)
        return float(self._typed(name, float | int, default)) if value is not None else default

    def identifier(self, name: str) -> str:
        """Return a text or a whole number, as text."""
        return str(self._typed(name, str | int, None))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, empty without the field."""
        values: list[object] = self._typed(name, list, [])
        if not all(isinstance(value, str) for value in values):
            raise InputError(f"{name}: expected a list of texts")
        return tuple(str(value) for value in values)

    def fields(self, name: str) -> "Fields":
        """Return an object, empty without the field."""
        return Fields(self._typed(name, dict, {}))

    def items(self) -> list[tuple[str, object]]:
        """Return all names and values."""
        return list(self._values.items())

    def raw(self, name: str) -> object:
        """Return a value of any type, or None."""
        return self._values.get(name)

    def _typed(self, name: str, kind: object, default: Value | None) -> Value:
        value = self._values.get(name)
        if value is None and default is not None:
            return default
        if isinstance(value, bool) or not isinstance(value, cast("type", kind)):
            raise InputError(f"{name}: missing, or not of the type that this interface documents")
        return cast("Value", value)
