# --- prompt
# A class `Point(x, y)` whose `repr` can be evaluated to an equal point.
# --- right
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)

    def __repr__(self):
        return f"Point({self.x!r}, {self.y!r})"
# --- wrong
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)

    def __repr__(self):
        return f"Point({self.y!r}, {self.x!r})"
# --- tests
from solution import Point


def test_repr_evaluates():
    point = Point(1, "a")
    assert eval(repr(point)) == point
    assert repr(point) == "Point(1, 'a')"
