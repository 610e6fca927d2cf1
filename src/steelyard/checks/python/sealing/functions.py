"""Names that an expected value or a comparison may use, and what they evaluate to outside.

Whatever is not here is computed inside the sandbox.
"""

import datetime as dt
import decimal
import fractions
import math
import pathlib
import re
import textwrap
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any
from unittest import mock

from steelyard.checks.python.sealing import comparisons
from steelyard.checks.python.sealing.records import Form

LARGEST_RANGE = 1_000_000

CONSTANTS: Mapping[str, object] = MappingProxyType(
    {
        "math.pi": math.pi,
        "math.e": math.e,
        "math.inf": math.inf,
        "numpy.inf": math.inf,
        "numpy.pi": math.pi,
        "datetime.timezone.utc": dt.UTC,
        "datetime.UTC": dt.UTC,
        "unittest.mock.ANY": mock.ANY,
    }
)

METHODS = frozenset(
    {
        *("strip", "lstrip", "rstrip", "encode", "lower", "upper", "title", "join", "split", "splitlines"),
        *("replace", "keys", "values", "items"),
    }
)


def _range(*bounds: int) -> range:
    numbers = range(*bounds)
    if len(numbers) > LARGEST_RANGE:
        raise ValueError("range is too long")
    return numbers


def _approx(*arguments: Any, **options: Any) -> object:  # noqa: ANN401  # as pytest.approx
    import pytest  # noqa: PLC0415  # loaded only for tests that use it

    return pytest.approx(*arguments, **options)


_PLAIN: dict[str, Callable[..., object]] = {
    **{f"builtins.{kind.__name__}": kind for kind in (set, frozenset, dict, list, tuple, str, bytes)},
    **{f"builtins.{kind.__name__}": kind for kind in (bytearray, float, int, bool, complex)},
    "builtins.len": len,
    "builtins.sorted": sorted,
    "builtins.range": _range,
    "re.escape": re.escape,
    "textwrap.dedent": textwrap.dedent,
}
_CONSTRUCTED: dict[str, Callable[..., object]] = {
    "decimal.Decimal": decimal.Decimal,
    "fractions.Fraction": fractions.Fraction,
    "datetime.date": dt.date,
    "datetime.datetime": dt.datetime,
    "datetime.datetime.fromisoformat": dt.datetime.fromisoformat,
    "datetime.date.fromisoformat": dt.date.fromisoformat,
    "datetime.timedelta": dt.timedelta,
    "datetime.time": dt.time,
    "datetime.timezone": dt.timezone,
    "collections.Counter": Counter,
    "collections.OrderedDict": OrderedDict,
    "collections.defaultdict": defaultdict,
    "collections.deque": deque,
    "pathlib.Path": pathlib.PurePosixPath,
    "pathlib.PurePath": pathlib.PurePosixPath,
    "pathlib.PosixPath": pathlib.PurePosixPath,
    "pathlib.PurePosixPath": pathlib.PurePosixPath,
    "uuid.UUID": uuid.UUID,
}
_TOLERANT: dict[str, Callable[..., object]] = {"pytest.approx": _approx}

CONSTRUCTORS: Mapping[str, Form] = MappingProxyType(
    {
        **dict.fromkeys(_PLAIN, Form.EQUALITY),
        **dict.fromkeys(_CONSTRUCTED, Form.CONSTRUCTOR),
        **dict.fromkeys(_TOLERANT, Form.TOLERANCE),
    }
)


FUNCTIONS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        **_PLAIN,
        **_CONSTRUCTED,
        **_TOLERANT,
        **comparisons.COMPARISONS,
        "builtins.abs": abs,
    }
)
