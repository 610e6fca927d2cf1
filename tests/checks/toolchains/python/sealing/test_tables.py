from types import SimpleNamespace

import pytest

from steelyard.checks.toolchains.python.sealing import seal
from tests.checks.toolchains.python.sealing.running import run_sealed

# Tests with an expected value 42 or "secret" that need not be inside.
HIDDEN = [
    "EXPECTED = {'a': 42}\ndef test():\n    assert f() == EXPECTED",
    "EXPECTED: int = 42\ndef test():\n    assert f() == EXPECTED",
    "def test():\n    expected = [\n        42,\n    ]\n    assert f() == expected, f'{expected}'",
    "def test():\n    expected = 42\n    self.assertEqual(f(), expected, f'{expected}')",
    "def test():\n    expected = [42]\n    assert len(f()) == len(expected)\n    assert f() == expected",
    "CASES = [(1, 42)]\n@mark.parametrize('x, y', CASES)\ndef test(x, y):\n    assert f(x) == y + 1",
    "@mark.parametrize('x, y', [(1, 42), param(2, 42, id='two')])\ndef test(x, y):\n    assert f(x) == y",
    "@mark.parametrize(('x', 'y'), [(1, 42)], ids=['one'])\ndef test(x, y):\n    assert f(x) == y",
    "@mark.parametrize('y', [42])\n@mark.parametrize('x', [1])\ndef test(x, y):\n    assert f(x) == y",
    "class T:\n    @mark.parametrize('y', [42])\n    def test(self, y):\n        assert f() == y",
    "@mark.parametrize('m', ['secret'])\ndef test(m):\n  with pytest.raises(OSError, match=m):\n    f()",
    "import pytest\n@mark.parametrize('y', [42])\ndef test(y):\n    assert f() == pytest.approx(y)",
]


@pytest.mark.parametrize("source", HIDDEN)
def test_values_that_only_assertions_read_are_hidden(source: str) -> None:
    sealed = seal(source)

    assert all(item.is_sealed for item in sealed.assertions)
    assert "42" not in sealed.source
    assert "secret" not in sealed.source
    assert len(sealed.source.splitlines()) == len(source.splitlines())


EXPOSED = [
    "def test():\n    y = 42\n    assert f(y) == y",
    "y = 42\nprint(y)\nassert f() == y",
    "y = 42\ny += 1\nassert f() == y",
    "y = [42]\ndef test():\n    y.append(1)\n    assert f() == y",
    "y = 42\nassert f() == eval('y')",
    "y = 42\nprint(locals())\nassert f() == y",
    "for x, y in [(1, 42)]:\n    g(y)\n    assert f(x) == y",
    "for i, (x, y) in enumerate([(1, 42)]):\n    assert f(x, i) == y",
    "for x, y in [(1, 42)]:\n    assert f(x) == y",
    "for x, y in [(1, 42), (2, g())]:\n    assert f(x) == y",
    "for x, y in [(1, 42), *more]:\n    assert f(x) == y",
    "@mark.parametrize('x, y', [(1, 42)], ids=str)\ndef test(x, y):\n    assert f(x) == y",
    "@mark.parametrize('x, y', [(1, 42)], indirect=True)\ndef test(x, y):\n    assert f(x) == y",
    "@mark.parametrize('x, y', [(1, 42)])\ndef test(x, y):\n    y = 42\n    assert f(x) == y",
    "@mark.parametrize('x, y', [(42, 42)])\ndef test(x, y):\n    assert f(x) == (x, y)",
]


@pytest.mark.parametrize("source", EXPOSED)
def test_values_that_are_read_elsewhere_stay(source: str) -> None:
    sealed = seal(source)

    assert sealed.source == source
    assert not any(item.is_sealed for item in sealed.assertions)


def test_each_row_is_compared_with_its_own_cell() -> None:
    source = "mark.parametrize = lambda names, rows: lambda test: [test(*row) for row in rows]\n"
    source += (
        "@mark.parametrize('x, y', [(1, 2), (2, 5), (3, 6)])\ndef test(x, y):\n    assert double(x) == y"
    )

    messages = run_sealed(source, {"double": lambda x: 2 * x, "mark": SimpleNamespace()})

    assert messages == [None, "line 4: `double(x)`: expected 5, got 4", None]


def test_a_hidden_value_has_no_telling_name() -> None:
    source = "import pytest\n@mark.parametrize('x, y', [(1, 42)])\ndef test(x, y):\n    assert f(x) == y"

    assert f"[(1, __steelyard__.cell({source.index('42')}))]" in seal(source).source
