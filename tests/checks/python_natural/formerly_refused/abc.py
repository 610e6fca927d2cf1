# --- prompt
# An abstract class `Shape` with `area()`, and `Square(side)`.
# --- right
from abc import ABC, abstractmethod


class Shape(ABC):
    @abstractmethod
    def area(self): ...


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2
# --- wrong
from abc import ABC, abstractmethod


class Shape(ABC):
    def area(self): ...


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2
# --- tests
from abc import ABC

import pytest

from solution import Shape, Square


def test_abstract():
    assert issubclass(Shape, ABC)
    with pytest.raises(TypeError):
        Shape()
    assert Square(3).area() == 9
