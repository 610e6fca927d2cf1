"""Read the tokens and costs that an agent reports.

Missing or malformed figures are None; parsing never raises.
"""

import json
import re
from collections.abc import Mapping
from math import isfinite
from re import Pattern

from steelyard.model.request import Usage
from steelyard.model.units import NANO_USD

NAMES = {  # Steelyard's names first, then those of services and other harnesses
    "tokens_in": ("tokens_in", "input_tokens", "prompt_tokens", "n_input_tokens"),
    "tokens_out": ("tokens_out", "output_tokens", "completion_tokens", "n_output_tokens"),
    "tokens_cached": (
        *("tokens_cached", "cache_read_input_tokens", "cached_input_tokens"),
        *("cached_tokens", "n_cache_tokens"),
    ),
    "tokens_cache_written": ("tokens_cache_written", "cache_creation_input_tokens"),
    "tokens_reasoning": (
        *("tokens_reasoning", "reasoning_tokens", "thinking_tokens"),
        "reasoning_output_tokens",
    ),
    "cost_usd": ("cost_usd", "total_cost_usd", "cost"),
}
# Tools that report these separately exclude them from `input_tokens`.
APART = ("cache_read_input_tokens", "cache_creation_input_tokens")
NESTED = "usage"
LOOKED_AT = 64 * 1024  # read from the end of the output, where totals are
SEARCHED = 8 * 1024  # searched by a pattern, whose time may be quadratic: 64 KiB of digits take a minute
MOST = 2**62

Bill = tuple[Usage, int | None]  # tokens, and cost in nano-USD


def bill_in_json(text: str) -> Bill:
    """Return the usage in a JSON object, or in the last line that is one.

    >>> usage, cost_nano_usd = bill_in_json('{"cost_usd": 0.5, "usage": {"input_tokens": 10}}')
    >>> usage.tokens_in, usage.tokens_out, cost_nano_usd
    (10, None, 500000000)
    """
    for candidate in (text, *reversed(text[-LOOKED_AT:].splitlines())):
        try:
            reported = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(reported, dict):
            nested = reported.get(NESTED)
            return _make_bill({**(nested if isinstance(nested, dict) else {}), **reported})
    return Usage(), None


def bill_by_pattern(pattern: Pattern[str], *texts: str) -> Bill:
    r"""Return the usage in the last match of the first matching text; commas in numbers are ignored.

    >>> bill_by_pattern(re.compile(r"(?P<input_tokens>[\d,]+) in"), "x", "9 in, 1,200 in")[0].tokens_in
    1200
    """
    for text in texts:
        matches = [match.groupdict() for match in pattern.finditer(text[-SEARCHED:])]
        if matches:
            return _make_bill({name: _parse_line(value) for name, value in matches[-1].items()})
    return Usage(), None


def _make_bill(reported: Mapping[str, object]) -> Bill:
    counts = {name: _parse_count(reported, names) for name, names in NAMES.items() if name != "cost_usd"}
    if counts["tokens_in"] is not None and "tokens_in" not in reported:
        apart = (_parse_count(reported, (name,)) or 0 for name in APART)
        counts["tokens_in"] += sum(apart)
    cost = _find_number(reported, NAMES["cost_usd"])
    return Usage(**counts), None if cost is None else round(cost * NANO_USD)


def _parse_count(reported: Mapping[str, object], names: tuple[str, ...]) -> int | None:
    number = _find_number(reported, names)
    return int(number) if number is not None and number == int(number) else None


def _find_number(reported: Mapping[str, object], names: tuple[str, ...]) -> float | None:
    """Return the first number among these names."""
    for name in names:
        value = reported.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST:
            return value
    return None


def _parse_line(text: str | None) -> float | None:
    plain = re.sub(r"[,_\s$]", "", text or "")
    try:
        number = float(plain)
    except ValueError:
        return None
    return number if isfinite(number) else None
