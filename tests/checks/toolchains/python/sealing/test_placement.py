import pytest

from steelyard.checks.toolchains.python.sealing import seal

UNCONDITIONAL = [
    "assert f() == 1",
    "def test():\n    assert f() == 1",
    "async def test():\n    async with g():\n        assert f() == 1",
    "class Tests:\n    def test(self):\n        self.assertEqual(f(), 1)",
    "def check(candidate):\n    assert candidate() == 1",
    "def test():\n    try:\n        g()\n    finally:\n        assert f() == 1",
    "def test():\n    with pytest.raises(ValueError):\n        f()\n    assert f() == 1\n    return",
    "def test():\n    with g():\n        assert f() == 1",
]
CONDITIONAL = [
    "if g():\n    assert f() == 1",
    "def test():\n    for x in g():\n        assert f(x) == 1",
    "def test():\n    while g():\n        assert f() == 1",
    "def test():\n    if g():\n        return\n    assert f() == 1",
    "def test():\n    for x, y in [(1, 2)]:\n        if g():\n            continue\n        assert f(x) == y",
    "def test():\n    try:\n        assert f() == 1\n    except ValueError:\n        pass",
    "def test():\n    with pytest.raises(ValueError):\n        assert f() == 1",
    "def test():\n    def inner():\n        assert f() == 1\n    inner()",
    "def helper():\n    assert f() == 1\ndef test():\n    helper()",
    "class Tests:\n    def helper(self):\n        assert f() == 1",
]


@pytest.mark.parametrize(
    ("source", "expected"),
    [*((source, True) for source in UNCONDITIONAL), *((source, False) for source in CONDITIONAL)],
)
def test_an_assertion_that_is_always_reached_is_recognized(source: str, expected: bool) -> None:  # noqa: FBT001
    assert seal(source).assertions[-1].is_unconditional is expected


def test_an_assertion_knows_its_test() -> None:
    source = """\
assert f() == 0
def test_one():
    def inner():
        assert f() == 1
class TestTwo:
    def test(self):
        self.assertEqual(f(), 2)
        class Inner:
            def method(self):
                assert f() == 3
"""

    assertions = seal(source).assertions

    assert [item.test for item in assertions] == ["", "test_one", "TestTwo.test", "TestTwo.test"]
    assert [item.line for item in assertions] == [1, 4, 7, 10]
    assert assertions[2].text == "self.assertEqual(f(), 2)"
