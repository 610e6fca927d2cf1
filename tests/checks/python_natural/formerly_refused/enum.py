# --- prompt
# An enum `Color` with RED, GREEN, BLUE (values 1 to 3) and `Color.parse(text)` in any case.
# --- right
from enum import Enum


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

    @classmethod
    def parse(cls, text):
        return cls[text.upper()]
# --- wrong
from enum import Enum


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

    @classmethod
    def parse(cls, text):
        return cls[text]
# --- tests
from enum import Enum

from solution import Color


def test_enum():
    assert issubclass(Color, Enum)
    assert Color.parse("green") is Color.GREEN
    assert [color.value for color in Color] == [1, 2, 3]
