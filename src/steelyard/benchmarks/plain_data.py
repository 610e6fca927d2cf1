"""Encode Python values as plain data, and restore the types of JSON values from examples."""

import ast
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

HEXADECIMAL_BITS = 10_000  # integers with at least this many bits are hexadecimal


def to_plain_data(value: Any) -> Any:  # noqa: ANN401, PLR0911  # any plain data
    """Encode a value as plain data.

    >>> to_plain_data((1, {2}, b"x"))
    {'tuple': [1, {'set': [2]}, {'bytes': 'eA=='}]}
    """
    if isinstance(value, list):
        return [to_plain_data(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [to_plain_data(item) for item in value]}
    if isinstance(value, set | frozenset):
        return {"set": [to_plain_data(item) for item in value]}
    if isinstance(value, bytes):
        return {"bytes": b64encode(value).decode()}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, dict):
        return {"dict": [[to_plain_data(key), to_plain_data(item)] for key, item in value.items()]}
    if isinstance(value, float) and (value != value or value in {float("inf"), float("-inf")}):  # noqa: PLR0124
        return {"float": str(value)}
    return (
        value if not isinstance(value, int) or value.bit_length() < HEXADECIMAL_BITS else {"int": hex(value)}
    )


def example_arguments(assertion: str, function: str) -> list[list[Any]]:
    """Return the literal arguments of a function's calls in an assertion."""
    arguments = []
    for node in ast.walk(ast.parse(assertion)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
            try:
                arguments.append([ast.literal_eval(argument) for argument in node.args])
            except ValueError:
                continue
    return arguments


def restore_types(value: Any, examples: list[Any]) -> Any:  # noqa: ANN401  # any plain data
    """Convert a JSON value to the types at the same positions in examples.

    >>> restore_types([1, 2], [(3, 4)])
    (1, 2)
    """
    types = {type(example) for example in examples}
    if isinstance(value, list):
        sequences = [example for example in examples if isinstance(example, list | tuple)]
        lengths, type_lists = set(map(len, sequences)), set(map(_types_of, sequences))
        is_record = lengths == {len(value)} and len(type_lists) == 1
        nested = [
            item for example in sequences for item in example if isinstance(item, list | tuple | dict | set)
        ]
        items = [
            restore_types(item, [example[index] for example in sequences] if is_record else nested)
            for index, item in enumerate(value)
        ]
        if set in types:
            return set(value) if value else {}
        return tuple(items) if tuple in types and list not in types else items
    if isinstance(value, dict):
        values = [item for example in examples if isinstance(example, dict) for item in example.values()]
        return {key: restore_types(item, values) for key, item in value.items()}
    if isinstance(value, str) and complex in types:  # JSON has no complex numbers
        return complex(value)
    return value


def _types_of(values: Sequence[Any]) -> tuple[type, ...]:
    return tuple(type(value) for value in values)
