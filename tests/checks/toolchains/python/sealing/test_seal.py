import pytest

from steelyard.checks.toolchains.python.sealing import seal
from tests.checks.toolchains.python.sealing.running import run_sealed

# An assertion, what it becomes, a result that meets it, one that does not, and the message of the latter.
IMPORTS = """\
import math, re, datetime, unittest.mock as mock
from datetime import date, timedelta
from decimal import Decimal
from collections import Counter, OrderedDict, deque
from pathlib import Path
import pytest
from unittest import TestCase; self = TestCase()
"""
FORMS = [
    ("assert f() == [1, 2]", "report(0, (f()))", [1, 2], [1], "expected [1, 2], got [1]"),
    ("assert [1, 2] == f()", "report(0, (f()))", [1, 2], [1], "expected [1, 2], got [1]"),
    ("assert f() != 3, 'not 3'", "report(0, (f()))", 4, 3, "expected != 3, got 3"),
    ("assert f()", "truth(0, (f()))", [1], [], "expected a true value, got False"),
    ("assert not f()", "truth(0, (f()))", 0, 1, "expected a false value, got True"),
    ("assert not (f() == 1)", "report(0, (f()))", 0, 1, "expected `not … == 1`, got 1"),
    ("assert f() is None", "identity(0, (f()))", None, 0, "expected None, got <int>"),
    ("assert f() is not None", "identity(0, (f()))", 0, None, "expected not None, got None"),
    ("assert f() is True", "identity(0, (f()))", True, 1, "expected True, got <int>"),
    ("assert 0 < f() <= 3", "report(0, (f()))", 3, 4, "expected `0 < … <= 3`, got 4"),
    ("assert f() >= 3", "report(0, (f()))", 3, 2, "expected >= 3, got 2"),
    ("assert f() in {'a', 'b'}", "report(0, (f()))", "a", "c", "expected in {"),
    ("assert 'a' in f()", "members(0, (f()))", ["a"], ["b"], "expected `'a' in …`, got ['b']"),
    ("assert 'a' not in f()", "members(0, (f()))", ["b"], ["a"], "expected `'a' not in …`, got ['a']"),
    (
        "assert abs(f() - 3.0) < 1e-6",
        "report(0, (f()))",
        3,
        3.1,
        "expected `abs(… - 3.0) < 1e-06`, got 3.1",
    ),
    (
        "assert f() == pytest.approx(0.3)",
        "report(0, (f()))",
        0.1 + 0.2,
        0.31,
        "expected 0.3 ± 3.0e-07, got 0.31",
    ),
    ("assert math.isclose(f(), 2, rel_tol=0.1)", "report(0, (f()))", 2.1, 3, "got 3"),
    (
        "assert isinstance(f(), (int, str))",
        "types(0, (f()))",
        1,
        1.5,
        "expected an instance of int or str, got float",
    ),
    ("assert re.match(r'a+$', f())", "report(0, (f()))", "aa", "ab", "got 'ab'"),
    ("assert f().startswith('ab')", "report(0, (f()))", "abc", "b", "got 'b'"),
    ("assert f() == Decimal('1.50')", "report(0, (f()))", 1.5, 1, "expected Decimal('1.50'), got 1"),
    ("assert f() == {date(2026, 1, 2): {1}}", "report(0, (f()))", {}, 1, ""),
    ("assert f() == Path('a') / 'b'", "report(0, (f()))", "a/b", "c", ""),
    ("self.assertEqual(f(), 3, 'wrong')", "report(0, (f()))", 3, 4, "expected 3, got 4"),
    ("self.assertEqual(3, f(), msg=f'{3}')", "report(0, (f()))", 3, 4, "expected 3, got 4"),
    ("self.assertListEqual(f(), [1])", "report(0, (f()))", [1], (1,), "expected [1], got (1,)"),
    ("self.assertTrue(f())", "truth(0, (f()))", 1, 0, "expected a true value, got False"),
    ("self.assertFalse(f() == 3)", "report(0, (f()))", 4, 3, "got 3"),
    ("self.assertIsNone(f())", "identity(0, (f()))", None, [], "expected None, got <list>"),
    ("self.assertIn(f(), [1, 2])", "report(0, (f()))", 2, 3, "expected in [1, 2], got 3"),
    ("self.assertGreater(f(), 3)", "report(0, (f()))", 4, 3, "expected > 3, got 3"),
    ("self.assertAlmostEqual(f(), 1.0, places=2)", "report(0, (f()))", 1.001, 1.1, "got 1.1"),
    ("self.assertCountEqual(f(), [1, 2])", "report(0, (f()))", [2, 1], [1, 1], "got [1, 1]"),
    ("self.assertIsInstance(f(), dict)", "types(0, (f()))", {}, [], "expected an instance of dict, got list"),
    ("self.assertRegex(f(), 'a.c')", "report(0, (f()))", "xabc", "ac", "got 'ac'"),
    ("self.assertNotIsInstance(f(), dict)", "types(0, (f()))", [], {}, "got dict"),
    ("self.assertFalse(f() is None)", "identity(0, (f()))", 0, None, "got None"),
    ("assert not re.search('a', f())", "report(0, (f()))", "b", "a", "got 'a'"),
    ("assert not f().endswith('a')", "report(0, (f()))", "b", "a", "got 'a'"),
    ("assert not isinstance(f(), int)", "types(0, (f()))", "b", 1, "got int"),
    ("assert f() == []", "report(0, (f()))", [], (), "expected [], got ()"),
]


@pytest.mark.parametrize(("assertion", "report", "right", "wrong", "message"), FORMS)
def test_an_assertion_becomes_a_report(
    assertion: str, report: str, right: object, wrong: object, message: str
) -> None:
    source = IMPORTS + assertion

    sealed = seal(source)

    assert sealed.source.splitlines()[-1] == f"__steelyard__.{report}"
    assert message in (run_sealed(source, {"f": lambda: wrong})[0] or "")
    if message:
        assert run_sealed(source, {"f": lambda: right}) == [None]


RAISING = [
    ("with pytest.raises(ValueError, match='a+'):\n    f()", "with __steelyard__.raises(0):\n    f()"),
    (
        "with self.assertRaisesRegex(ValueError, 'a+') as caught:\n    f()",
        "with __steelyard__.raises(0) as caught:\n    f()",
    ),
]


@pytest.mark.parametrize(("assertion", "rewritten"), RAISING)
def test_an_expected_exception_is_reported(assertion: str, rewritten: str) -> None:
    def failing(error: Exception) -> list[str | None]:
        def raise_it() -> None:
            raise error

        return run_sealed(IMPORTS + assertion, {"f": raise_it})

    assert seal(IMPORTS + assertion).source.endswith(rewritten)
    assert failing(ValueError("caa")) == [None]
    assert "expected ValueError matching 'a+', got ValueError: b" in str(failing(ValueError("b")))
    assert "got KeyError: 'a'" in str(failing(KeyError("a")))
    assert "got no exception" in str(run_sealed(IMPORTS + assertion, {"f": lambda: None}))


def test_an_imported_exception_is_known_by_its_own_name() -> None:
    source = "from json import JSONDecodeError as Bad\n"
    source += "with pytest.raises(Bad):\n    raise Bad('', '', 0)\n"
    source += "with pytest.raises(IOError):\n    raise OSError\n"

    assert run_sealed(source, {"pytest": pytest}) == [None, None]


def test_a_caught_exception_is_at_hand() -> None:
    source = "import pytest\nwith pytest.raises(ValueError) as info:\n    int('a')\n"
    source += "info.match('invalid .* a?')\nassert str(info.value) == 'no'\nassert info.type is ValueError\n"

    held, text = run_sealed(source, {})

    assert held is None
    assert "got \"invalid literal for int() with base 10: 'a'\"" in (text or "")


def test_calls_of_a_mock_with_a_signature_are_not_plain() -> None:
    source = "from unittest import mock\ndef f(x): pass\n"
    source += "m = mock.create_autospec(f)\nm(1)\nm.assert_called_once_with(x=1)"

    assert "got an object of type" in (run_sealed(source, {})[0] or "")


def test_calls_of_a_mock_are_compared_outside() -> None:
    source = "from unittest import mock\nm = mock.Mock()\nm(1, a=[2])\nm.x(3)\n"
    held = [
        "m.assert_called_once_with(1, a=[2])",
        "m.x.assert_called_once_with(3)",
        "m.z()",
        "m.z.assert_called_with()",
        "m.z.assert_called_once_with()",
        "m.assert_any_call(1, a=mock.ANY)",
        "assert m.mock_calls == [mock.call(1, a=[2]), mock.call.x(3), mock.call.z()]",
        "assert m.call_args == mock.call(1, a=[2])",
        "m.y.assert_not_called()",
        "assert m.call_count == 1",
    ]
    failed = [
        "m.assert_called_once_with(1)",
        "m.x.assert_any_call(4)",
        "m.y.assert_called_once()",
        "m.x.assert_called_with()",
        "m.x.assert_not_called()",
    ]

    assert run_sealed(source + "\n".join(held), {}) == [None] * (len(held) - 1)
    assert None not in run_sealed(source + "\n".join(failed), {})


def test_conjuncts_are_sealed_one_by_one() -> None:
    sealed = seal("assert (f() == 1 and g == h\n    and not k), 'message'")

    assert sealed.source == "__steelyard__.report(0, (f())); assert (g == h\n); __steelyard__.truth(2, (k))"
    assert [item.is_sealed for item in sealed.assertions] == [True, False, True]


def test_assertions_can_be_left_open_without_changing_numbers() -> None:
    source = "assert f() == 1 and g() == 2\nassert h() == 3, 'it is 3'\nassert k() == 4\n"

    sealed = seal(source, open_numbers=frozenset({1, 2}))

    assert [item.is_sealed for item in sealed.assertions] == [True, False, False, True]
    assert sealed.source == (
        "__steelyard__.report(0, (f())); assert (g() == 2)\n"
        'assert h() == 3, ("")\n__steelyard__.report(3, (k()))\n'
    )


def test_comments_and_docstrings_of_tests_are_blanked() -> None:
    source = '"""Expects 4."""\ndef test():\n    """The result\n    is 4."""\n'
    source += "    assert f(  # 4\n        2) == 4  # two\n"
    source += 'def helper():\n    """Stays."""\n    return "# no comment"\n'

    assert seal(source).source == (
        '("")\ndef test():\n    (""\n)\n    __steelyard__.report(0, (f(  \n        2)))  \n'
        'def helper():\n    """Stays."""\n    return "# no comment"\n'
    )


OPEN = [
    "assert f() == g()",
    "assert f() or g()",
    "assert all(f())",
    "assert (x := f()) == 3",
    "assert f() == {**a}",
    "assert f() == 10 ** 10 ** 10",
    "assert f() == 'a' * 10 ** 9",
    "assert f() == 1 / 0",
    "assert f() is 'a'",
    "assert isinstance(f(), Own)",
    "self.assertRaises(ValueError, f)",
    "assert type(f()) is int",
    "import numpy as np\nassert np.allclose(f(), [1.5])",
    "np.testing.assert_allclose(f(), [])",
    "m.assert_has_calls([1])",
    "import socket\nwith pytest.raises(socket.timeout):\n    f()",
    "with pytest.raises(pytest.fail.Exception):\n    f()",
    "Own = g()\nwith pytest.raises(Own):\n    f()",
    "info.match('a')",
    "import math\nassert f() == [math.nan]",
    "import re\nassert re.search(g(), f())",
    "with pytest.raises(AssertionError):\n    f()",
    "with pytest.raises(ValueError, match='(?P<a'):\n    f()",
    "def test(error):\n    with pytest.raises(error):\n        f()",
    "try:\n    assert f() == 3\nexcept Exception:\n    pass",
    "with suppress(AssertionError):\n    assert f() == 3",
    "@pytest.mark.xfail\ndef test():\n    assert f() == 3",
    "@pytest.mark.xfail\nclass Tests:\n    def test(self):\n        assert f() == 3",
    "@mark.parametrize('x', [param(1, marks=mark.xfail)])\ndef test(x):\n    assert f(x) == 3",
    "pytestmark = pytest.mark.xfail\ndef test():\n    assert f() == 3",
    "def helper():\n    assert f() == 3\nself.assertRaises(AssertionError, helper)",
    "self.assertEqual(*f())",
    "self.assertSomething(f(), 3)",
    "try:\n    f()\n    self.fail()\nexcept ValueError:\n    pass",
    "mock.assert_called_once_with(f())",
    "from solution import Decimal\nassert f() == Decimal('1')",
    "def set(x): pass\nassert f() == set([1])",
]


@pytest.mark.parametrize("source", OPEN)
def test_an_assertion_that_cannot_be_sealed_stays_as_written(source: str) -> None:
    sealed = seal(source)

    assert sealed.source == source
    assert not any(item.is_sealed for item in sealed.assertions)
    assert all(item.why_open for item in sealed.assertions)
