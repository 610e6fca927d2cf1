"""Compare decoded results with expected ones, without any code of an answer.

Python follows `==` on plain values: 1, 1.0 and True are equal, lists and tuples differ. In other languages
numbers compare by value and never equal booleans; tuples are lists, bytes are lists of integers, and a list
may represent a set or a complex number. Nil equals null and empty values. In all languages nan equals nan and
floats are equal within the tolerance, but elements of sets and keys must be equal exactly.
"""

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from steelyard.checks.forms.calls.values import DECIMAL_BITS, DictValue, NilValue, SetValue, is_nan
from steelyard.model.graded import Compare

Number = int | float | complex
RULE = "3"  # raise it when equal results may be graded differently


class Repeating(SetValue):
    """The elements of a set, possibly repeated."""

    __slots__ = ()


class Unordered(Repeating):
    """The elements of a sequence in any order."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule to compare values."""

    like_python: bool
    compare: Compare = Compare.EXACT
    tolerance: float | None = None

    def holds(self, expected: object, result: object) -> bool:
        """Whether a result matches the expected one."""
        if self.compare is Compare.EXISTS and not isinstance(result, bool):
            return expected is (result is not None and not isinstance(result, NilValue))
        if self.compare is Compare.SET:
            expected, result = _as_set(expected), _as_set(result)
        try:
            return (self.like_python and bool(expected == result)) or self._same(expected, result)
        except RecursionError:
            return False

    def _same(self, expected: object, result: object) -> bool:
        if isinstance(result, NilValue):
            return expected is None or self._same(expected, result.empty)
        match expected:
            case bool() if not self.like_python:
                is_same = expected is result
            case bool() | int() | float() | complex():
                is_same = self._same_number(expected, result)
            case list() | tuple():
                if isinstance(result, bytes) and not self.like_python:
                    result = list(result)
                is_same = self._same_sequence(expected, result)
            case dict():
                is_same = self._same_table(list(expected.items()), result)
            case DictValue():
                is_same = self._same_table(expected.pairs, result)
            case SetValue():
                is_same = self._same_set(expected, result)
            case bytes() if isinstance(result, list) and not self.like_python:
                is_same = self._same_sequence(list(expected), result)
            case _:
                is_same = type(expected) is type(result) and expected == result
        return is_same

    def _same_number(self, expected: Number, result: object) -> bool:
        if isinstance(expected, complex) and not self.like_python:
            parts = [result.real, result.imag] if isinstance(result, complex) else result
            return self._same_sequence([expected.real, expected.imag], parts)
        if not isinstance(result, Number) or (isinstance(result, bool) and not self.like_python):
            return False
        if expected == result or (is_nan(expected) and is_nan(result)):
            return True
        if isinstance(expected, bool) or isinstance(result, bool):
            return False  # no tolerance for booleans
        has_float = isinstance(expected, float | complex) or isinstance(result, float | complex)
        return bool(self.tolerance) and has_float and _is_close(expected, result, self.tolerance or 0.0)

    def _same_sequence(self, expected: Sequence[object], result: object) -> bool:
        kinds = type(expected) if self.like_python else list | tuple
        return (
            isinstance(result, kinds)
            and len(result) == len(expected)
            and all(self._same(element, other) for element, other in zip(expected, result, strict=True))
        )

    def _same_set(self, expected: SetValue, result: object) -> bool:
        if not isinstance(result, SetValue) and (self.like_python or not isinstance(result, list)):
            return False
        items = result.items if isinstance(result, SetValue) else result
        # Python cannot have lists in sets: a list represents a tuple.
        is_frozen = not (isinstance(expected, Unordered) and isinstance(result, Unordered))
        indexes = self._index(expected.items, is_frozen=is_frozen)
        matches = [indexes.get(self._key(element, is_frozen=is_frozen)) for element in items]
        # Languages that compare lists by identity allow equal lists in a set.
        is_once = isinstance(result, Repeating) or len(matches) == len(indexes)
        return None not in matches and len(set(matches)) == len(indexes) and is_once

    def _same_table(self, expected: list[tuple[object, object]], result: object) -> bool:
        if not isinstance(result, dict | DictValue):
            return False
        pairs = list(result.items()) if isinstance(result, dict) else result.pairs
        indexes = self._index([key for key, _ in expected])
        if len(pairs) != len(indexes):
            return False
        seen = set()
        for key, value in pairs:
            index = indexes.get(self._key(key))
            if index is None or index in seen or not self._same(expected[index][1], value):
                return False
            seen.add(index)
        return True

    def _index(self, trusted: list[object], *, is_frozen: bool = True) -> dict[object, int]:
        """Map elements to indexes; only expected values become keys, never those of an answer."""
        return {self._key(element, is_frozen=is_frozen): index for index, element in enumerate(trusted)}

    def _key(self, value: object, *, is_frozen: bool = True) -> object:  # noqa: PLR0911  # a table of kinds
        """Return a hashable key, equal for equal values; with `is_frozen`, lists equal tuples."""
        match value:
            case NilValue():
                return self._key(value.empty, is_frozen=is_frozen)
            case bool():
                return int(value) if self.like_python else ("bool", value)
            case float() if value.is_integer():
                return self._key(int(value))  # 1.0 and 1 need the same key
            case complex() if self.like_python and not value.imag:
                return self._key(value.real)
            case int() if value.bit_length() > DECIMAL_BITS:
                return ("int", hex(value))  # Python limits the conversion to decimal digits
            case list() | tuple():
                is_list = isinstance(value, list) and self.like_python and not is_frozen
                keys = [self._key(item, is_frozen=is_frozen) for item in value]
                return ("list" if is_list else "sequence", *keys)
            case SetValue():
                return ("set", _digest([self._key(item) for item in value.items]))
            case dict():
                return (
                    "dict",
                    _digest([(key, self._key(item, is_frozen=is_frozen)) for key, item in value.items()]),
                )
            case DictValue():
                pairs = [(self._key(key), self._key(item, is_frozen=is_frozen)) for key, item in value.pairs]
                return ("dict", _digest(pairs))
        return ("nan",) if is_nan(value) else value


def _digest(keys: Sequence[object]) -> str:
    """Return a digest of keys in any order; its size does not grow with nesting."""
    texts = (repr(key).encode("utf-8", "surrogatepass") for key in keys)
    return blake2b(b"".join(sorted(blake2b(text).digest() for text in texts))).hexdigest()


def _is_close(number: Number, other: Number, tolerance: float) -> bool:
    try:
        if isinstance(number, complex) or isinstance(other, complex):
            # Infinity is close to itself only.
            return cmath.isclose(number, other, rel_tol=tolerance, abs_tol=tolerance)
        return math.isclose(number, other, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:  # an integer too large for a float
        return False


def _as_set(value: object) -> object:
    if isinstance(value, NilValue):
        return NilValue(_as_set(value.empty))
    if isinstance(value, SetValue):
        return Repeating(value.items)
    return Unordered(list(value)) if isinstance(value, list | tuple) else value
