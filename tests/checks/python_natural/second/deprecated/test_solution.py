import inspect
import warnings

import pytest

from solution import deprecated, renamed_argument


@deprecated("use add2")
def add(a, b=1):
    """Add two numbers."""
    return a + b


@renamed_argument("colour", "color")
def paint(thing, *, color="red"):
    return f"{color} {thing}"


class Robot:
    @deprecated("use go", since="2.0")
    @renamed_argument("n", "steps")
    def walk(self, steps=1):
        return ["step"] * steps


def test_warns_and_works():
    with pytest.warns(DeprecationWarning, match="^add is deprecated: use add2$"):
        assert add(1, b=2) == 3


def test_every_call_warns():
    with pytest.warns(DeprecationWarning) as record:
        add(1)
        add(1)
    assert len(record) == 2


def test_points_at_the_caller():
    with pytest.warns(DeprecationWarning) as record:
        add(1)
    assert record[0].filename == __file__


def test_decorating_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        @deprecated("nothing")
        def unused():
            pass


def test_metadata():
    assert add.__name__ == "add"
    assert add.__doc__ == "Add two numbers."
    assert str(inspect.signature(add)) == "(a, b=1)"
    assert list(inspect.signature(paint).parameters) == ["thing", "color"]


def test_renamed():
    with pytest.warns(DeprecationWarning, match="'colour' was renamed to 'color'"):
        assert paint("car", colour="blue") == "blue car"


def test_new_name_does_not_warn(recwarn):
    assert paint("car", color="blue") == "blue car"
    assert paint("car") == "red car"
    assert len(recwarn) == 0


def test_both_names():
    with pytest.raises(TypeError):
        paint("car", colour="blue", color="red")


def test_stacked_on_a_method():
    with pytest.warns(DeprecationWarning) as record:
        assert Robot().walk(n=3) == ["step", "step", "step"]
    messages = [str(w.message) for w in record]
    assert messages == ["walk is deprecated since 2.0: use go", "'n' was renamed to 'steps'"]
