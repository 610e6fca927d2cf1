# --- prompt
# `scale(values: list[float], factor: int = 2) -> list[float]` with these annotations.
# --- right
def scale(values: list[float], factor: int = 2) -> list[float]:
    return [value * factor for value in values]
# --- wrong
def scale(values: list[float], factor: float = 2) -> list[float]:
    return [value * factor for value in values]
# --- tests
import typing

from solution import scale


def test_hints():
    assert typing.get_type_hints(scale) == {"values": list[float], "factor": int, "return": list[float]}
    assert scale([1.5]) == [3.0]
