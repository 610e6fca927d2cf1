# --- prompt
# A dataclass `Point(x, y=0)` with a method `moved(dx, dy)` that returns a new point.
# --- right
from dataclasses import dataclass, replace


@dataclass
class Point:
    x: int
    y: int = 0

    def moved(self, dx, dy):
        return replace(self, x=self.x + dx, y=self.y + dy)
# --- wrong
from dataclasses import dataclass, replace


@dataclass
class Point:
    x: int
    y: int = 0

    def moved(self, dx, dy):
        self.x += dx
        self.y += dy
        return self
# --- tests
from dataclasses import asdict

from solution import Point


def test_asdict():
    point = Point(1)
    assert asdict(point.moved(2, 3)) == {"x": 3, "y": 3}
    assert asdict(point) == {"x": 1, "y": 0}
