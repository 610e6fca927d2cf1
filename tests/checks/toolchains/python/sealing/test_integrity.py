import pytest

from steelyard.checks.toolchains.python.sealing import SealedCount, count, seal
from steelyard.model.outcome import Integrity

SEALED = Integrity.SEALED
GRADES = [
    ("def test():\n    assert f() == 3\n    assert g()", SEALED),
    ("def test():\n    assert f()\n    assert g() is None\n    assert h() != 3", Integrity.PARTIAL),
    ("def test():\n    assert f() == 3\n    assert g() == h()", Integrity.PARTIAL),
    ("def test():\n    assert f() == 3\ndef test_more():\n    f()", Integrity.PARTIAL),
    ("def test():\n    assert g() == h()", Integrity.OPEN),
    ("def test():\n    g()", Integrity.OPEN),
    (
        "class T:\n    def assertX(s):\n        assert f() == 3\n    def test(s):\n        s.assertX()",
        SEALED,
    ),
    ("def helper():\n    assert f() == 3\ndef test():\n    helper()", SEALED),
]


@pytest.mark.parametrize(("source", "expected"), GRADES)
def test_integrity_counts_what_is_sealed(source: str, expected: Integrity) -> None:
    sealed = seal(source)

    assert count(sealed.assertions, others=len(sealed.silent_tests)).integrity is expected


GUESSED = [
    "assert f()",
    "assert f() == True",
    "assert f() != 3",
    "assert f() < 3",
    "assert 3 not in f()",
    "assert 3 in f()",
    "assert 'abcd' in f()",
    "assert f() == 1",
    "assert 'abcdefg' not in f()",
    "assert f() in 'abcdefg'",
    "assert f() in b'abcdefg'",
    "import textwrap\nassert f() in textwrap.dedent('abcdefg')",
    "@mark.parametrize('x, y', [(1, 'ab'), (2, ['b'])])\ndef test(x, y):\n    assert f(x) in y",
    "m.assert_called_once_with()",
    "assert not f() == 3",
    "assert isinstance(f(), int)",
    "with pytest.raises(ValueError):\n    f()",
    "m.assert_called_once()",
    "@mark.parametrize('x, y', [(1, True), (2, False)])\ndef test(x, y):\n    assert f(x) == y",
]


@pytest.mark.parametrize("source", GUESSED)
def test_values_that_can_be_guessed_are_no_evidence(source: str) -> None:
    assert count(seal(source).assertions) == SealedCount(sealed=1, open=0, guessable=1)
