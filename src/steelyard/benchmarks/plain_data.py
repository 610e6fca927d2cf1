"""Write Python values as plain data, and give values of JSON the types that examples have."""

import ast
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

LARGE = 10_000  # bits from which on a whole number is written in hexadecimal


def tagged(value: Any) -> Any:  # noqa: ANN401, PLR0911  # any plain data
    """Return a value as plain data.

    >>> tagged((1, {2}, b"x"))
    {'tuple': [1, {'set': [2]}, {'bytes': 'eA=='}]}
    """
    if isinstance(value, list):
        return [tagged(one) for one in value]
    if isinstance(value, tuple):
        return {"tuple": [tagged(one) for one in value]}
    if isinstance(value, set | frozenset):
        return {"set": [tagged(one) for one in value]}
    if isinstance(value, bytes):
        return {"bytes": b64encode(value).decode()}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, dict):
        return {"dict": [[tagged(key), tagged(item)] for key, item in value.items()]}
    if isinstance(value, float) and (value != value or value in {float("inf"), float("-inf")}):  # noqa: PLR0124
        return {"float": str(value)}
    return value if not isinstance(value, int) or value.bit_length() < LARGE else {"int": hex(value)}


def example_arguments(assertion: str, function: str) -> list[list[Any]]:
    """Return the arguments of calls in an assertion, as far as they are literals."""
    found = []
    for node in ast.walk(ast.parse(assertion)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
            try:
                found.append([ast.literal_eval(one) for one in node.args])
            except ValueError:
                continue
    return found


def shaped(value: Any, examples: list[Any]) -> Any:  # noqa: ANN401  # any plain data
    """Return a value of JSON with the types that examples have at the same places: JSON has no tuples.

    >>> shaped([1, 2], [(3, 4)])
    (1, 2)
    """
    kinds = {type(one) for one in examples}
    if isinstance(value, list):
        inner = [one for one in examples if isinstance(one, list | tuple)]
        by_place = {len(one) for one in inner} == {len(value)} and len({*map(_kinds, inner)}) == 1
        made = [
            shaped(
                item,
                [one[place] for one in inner]
                if by_place
                else [x for one in inner for x in one if isinstance(x, list | tuple | dict | set)],
            )
            for place, item in enumerate(value)
        ]
        if set in kinds:
            return set(value) if value else {}
        return tuple(made) if tuple in kinds and list not in kinds else made
    if isinstance(value, dict):
        values = [item for one in examples if isinstance(one, dict) for item in one.values()]
        return {key: shaped(item, values) for key, item in value.items()}
    if isinstance(value, str) and complex in kinds:  # JSON has no complex numbers
        return complex(value)
    return value


def _kinds(values: Sequence[Any]) -> tuple[type, ...]:
    return tuple(type(one) for one in values)
