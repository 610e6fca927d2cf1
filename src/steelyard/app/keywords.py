"""Refuse keywords that a use case does not have: a misspelt `max_usd` would be a run without a cap.

The command line refuses these by itself; a function that takes `**arguments` has to look.
"""

from collections.abc import Iterable, Mapping
from numbers import Integral, Real

from steelyard.errors import UserError
from steelyard.model.nearest_name import did_you_mean

LEAST = {
    **dict.fromkeys(("samples", "limit", "max_tokens", "max_concurrency", "threads"), 1),
    **dict.fromkeys(("retries", "seed"), 0),
}
RANGES = {"temperature": (0, 2), "top_p": (0, 1)}


def require_keywords(given: Mapping[str, object], known: Iterable[str], *, of: str) -> None:
    """Raise TypeError for unknown keywords, UserError for numbers out of range."""
    names = sorted(known)
    for name in given:
        if name not in names:
            hint = did_you_mean(name, names)
            raise TypeError(f"{of}() got an unexpected keyword argument {name!r}; {hint}")
    for name, value in given.items():
        if value is not None:
            _require_number(name, value)


def _require_number(name: str, value: object) -> None:
    if name in LEAST and not (_is(value, Integral) and value >= LEAST[name]):  # type: ignore[operator]
        raise UserError(f"`{name}` must be a whole number from {LEAST[name]} on, got {value!r}")
    if name in RANGES:
        low, high = RANGES[name]
        if not (_is(value, Real) and low <= value <= high):  # type: ignore[operator]
            raise UserError(f"`{name}` must be a number from {low} to {high}, got {value!r}")


def _is(value: object, kind: type) -> bool:
    """Whether a value is a number of a type, including numpy's; booleans are not."""
    return isinstance(value, kind) and not isinstance(value, bool)
