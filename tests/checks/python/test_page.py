"""What docs/how-to/check-python.md says of tests that are apart, sentence by sentence."""

import pytest

from steelyard.checks.python import PythonChecker
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Isolation, Outcome

PASS, FAIL = Classification.PASS, Classification.FAIL
REMEDY = 'the case needs isolation = "shared"'
SAYS_YES = """\
class Found:
    def __init__(self, x=0): self.x, self.items = x, [x]
    def __eq__(self, other): return True
    def __contains__(self, item): return True
    def __mul__(self, number): return self
def find(x): return Found(x)
"""
NUMBER = "class Number(int):\n    def __eq__(self, other): return True\ndef find(x): return Number(x)\n"
POINT = (
    "from collections import namedtuple\nPoint = namedtuple('Point', 'x y')\ndef find(): return Point(1, 2)\n"
)
BAG = "class Bag(dict):\n    def get(self, key): return 7\ndef find(): return Bag(a=1)\n"
NAME = "class Name(str): pass\ndef find(): return Name('ab')\n"
BLOCK = "class Block:\n    def __enter__(self): return 1\n    def __exit__(self, *_): return True\n"
SAME = "def same(x): return x\n"
BOOM = "def twice(act):\n    try: act()\n    except Exception as error: kept = error\n    raise kept\n"
STORED = "KEPT = [1]\ndef get(): return KEPT\ndef add(): KEPT.append(2)\n"
WATCHED = """\
def lists():
    first = []
    yield first
    yield from ([i] for i in range({}))
    first.append(1)
    yield 0
"""
LARGE = "def lists():\n    first = [0] * 200_000\n    yield first\n    first.append(1)\n    yield 0\n"
CHAIN = "def fail():\n    try: {}[1]\n    except KeyError as error: raise ValueError('no')@\n"
PARIS = """\
import datetime as dt
from zoneinfo import ZoneInfo
noon = dt.datetime(2024, 1, 1, 12, tzinfo=ZoneInfo("Europe/Paris"))
"""
PAGE = "class Page:\n    def replace(self, old, new): return self\ndef page(): return Page()\n"
ESCAPE = """\
import html
def test_it():
    try: html.escape(page())
    except AttributeError: pass
    else: assert page() is None
"""
JOIN = """\
def test_it():
    try: ", ".join([find()])
    except TypeError: pass
    else: assert find() == ""
"""
DUMP = """\
import json
def test_it():
    try: json.dumps(find())
    except TypeError: pass
    else: assert find() == ""
"""
COUNT = """\
import inspect
def count(act):
    try: return len(inspect.signature(act).parameters)
    except TypeError: return 0
"""
SEES_CAUSE = """\
import pytest
with pytest.raises(ValueError) as caught: fail()
assert isinstance(caught.value.__cause__, KeyError)
"""
SEES_CONTEXT = """\
import pytest
with pytest.raises(ValueError) as caught: fail()
assert caught.value.__context__ is None
"""
SAYS = "import sys\ndef say():\n    print('a')\n    print('b', file=sys.stderr)\n"
HEARS = """\
def test_it(capsys):
    say()
    said = capsys.readouterr()
    assert said.out == "a\\n"
    assert said.err == "b\\n"
"""
MINE = """\
class Boom(Exception): pass
mine = Boom()
def act(): raise mine
def test_it():
    try: twice(act)
    except Boom as error: assert error is mine
    else: assert False
"""

# Answers, tests that fail with the remedy, and what of it a test might expect or catch.
FAILS = {
    "an operator that the class defines": (SAYS_YES, "assert find(1) == 1"),
    "the same in a list": (SAYS_YES, "assert find(1) in [1, 2]"),
    "what contains everything": (SAYS_YES, "assert 3 in find(1)"),
    "arithmetic with a plain value": (SAYS_YES, "assert (find(1) * 3).x == 1"),
    "an operator of two numbers": (NUMBER, "assert find(1) == find(1)"),
    "an operator, though all is caught": (
        SAYS_YES,
        "def test_it():\n    try: find(1) == 1\n    except BaseException: pass\n",
    ),
    "a block": (BLOCK, "with Block() as one: assert one == 1"),
    "a subclass": (SAYS_YES, "class More(Found): pass\nassert More()"),
    "a copy": (SAYS_YES, "import copy\nassert copy.copy(find(1)).x == 1"),
    "an object of the tests": (SAME, "class Mine: pass\nassert same(Mine())"),
    "an object of the tests, and a TypeError": (
        SAME,
        "import pytest\nclass Mine: pass\nwith pytest.raises(TypeError): same(Mine())",
    ),
    "a file": (SAME, "import io\nassert same(io.StringIO('a'))"),
    "a function with attributes": (SAME, "def mine(): pass\nmine.calls = 0\nassert same(mine)"),
    "a zone": (SAME, f"{PARIS}assert same(noon)"),
    "a test that the answer decorates": (SAME, "@same\ndef test_it(): assert same(1) == 1"),
    "a failure under a name of the answer's": (
        "Error = AssertionError\ndef fail(): raise Error\n",
        "import pytest\nfrom solution import Error\nwith pytest.raises(Error): fail()",
    ),
    "a StopIteration that ends nothing": (
        "def fail(): raise StopIteration\n",
        "import pytest\nwith pytest.raises(StopIteration): fail()",
    ),
    "an answer that asks for the parameters of a function": (COUNT, "assert count(lambda a, b: a) == 2"),
    "an error in a text": (
        "class Odd:\n    def __str__(self): raise ValueError\n",
        "import pytest\nwith pytest.raises(ValueError): str(Odd())",
    ),
}
# Answers, and tests that they pass apart.
HOLDS = {
    "no object is None": (SAYS_YES, "assert (find(1) == None) is False"),
    "a named tuple is a tuple": (POINT, "assert find() == (1, 2)\nassert isinstance(find(), tuple)"),
    "a dict with a method of its own is none": (
        BAG,
        "assert find() == {'a': 1}\nassert not isinstance(find(), dict)",
    ),
    "an exception of the tests comes back": (BOOM, MINE),
    "an import that is not used": (SAME, "import os, pickle, threading\nassert same(1) == 1"),
    "an error of the answer's own": (
        "class Low(ValueError): pass\ndef fail(): raise Low\n",
        "import pytest\nwith pytest.raises(Low): fail()",
    ),
    "an attribute is set": (SAYS_YES, "found = find(1)\nfound.items = [3]\nassert found.items == [3]"),
    "arguments change": ("def add(items): items.append(1)\n", "mine = []\nadd(mine)\nassert mine == [1]"),
    "an argument of a generator changes": (
        "def fill(items):\n    items.append(1)\n    yield 0\n",
        "mine = []\nassert next(fill(mine)) == 0\nassert mine == [1]",
    ),
    "a list changes after a function of the tests has seen it": (
        "def walk(act):\n    path = []\n    for i in range(2): path.append(i); act(path)\n",
        "seen = []\nwalk(seen.append)\nassert seen == [[0, 1], [0, 1]]",
    ),
    "one of a hundred lists changes": (WATCHED.format(98), "assert list(lists())[0] == [1]"),
    "the cause of an error": (CHAIN.replace("@", " from error"), SEES_CAUSE),
    "nothing to read": ("def ask(): return input()\n", "import pytest\nwith pytest.raises(EOFError): ask()"),
    "something to read": (
        "def ask(): return int(input('n? '))\n",
        "import solution\nsolution.input = lambda *prompt: '5'\nassert ask() == 5",
    ),
    "a replaced name": (
        "def now(): return 1\ndef later(): return now() + 1\n",
        "import solution\nsolution.now = lambda: 5\nassert later() == 6",
    ),
    "what is printed": (SAYS, HEARS),
}
READ = "def read(text): return eval(text)\n"
LOGS = """\
import unittest
class TestIt(unittest.TestCase):
    def test_it(self):
        with self.assertLogs(): same(1)
"""
# Tests that are refused before anything is drawn.
REFUSED = {
    "a builtin": "assert eval(same('3')) == 3",
    "a name of a module": "import os\nassert os.environ",
    "a module": "import pickle\nassert pickle.loads(same(b''))",
    "a coroutine": "async def test_it(): assert await same(1) == 1",
    "a fixture": "def test_it(monkeypatch): assert same(1) == 1",
    "a method": LOGS,
    "what a file of the case uses": "from ours import read\nassert read(same('1')) == 1",
    "what the prefix uses": "assert evaluated(same('1')) == 1",
}
# Answers, and tests that see something else in one process.
DIFFERS = {
    "a list in an object": (SAYS_YES, "found = find(1)\nfound.items.append(2)\nassert found.items == [1]"),
    "a later change of a result": (STORED, "x = get()\nadd()\nassert x == [1]"),
    "a later change of a list long ago": (WATCHED.format(150), "assert list(lists())[0] == []"),
    "a later change of a large list": (LARGE, "assert len(list(lists())[0]) == 200_000"),
    "a shared part": (
        "def copied(grid): return list(grid)\n",
        "mine = [[1]]\ncopied(mine)[0].append(2)\nassert mine == [[1]]",
    ),
    "the type of an object": (
        SAYS_YES,
        "assert type(find(1)) is not Found\nassert isinstance(find(1), Found)",
    ),
    "a text of a class, joined": (NAME, JOIN),
    "a dict of a class, as JSON": ("class Bag(dict): pass\ndef find(): return Bag(a=1)\n", DUMP),
    "an attribute in a library": (PAGE, ESCAPE),
    "the context of an error": (CHAIN.replace("@", ""), SEES_CONTEXT),
}


def checked(
    checker: PythonChecker, planted: tuple[str, str], isolation: Isolation = Isolation.APART
) -> Outcome:
    answer, tests = planted
    wanted = Expectations(tests=tests, settings={"answer": "raw"}, isolation=isolation)
    return checker.check(Case(id="x", language="python", expectations=wanted), answer)


@pytest.mark.parametrize("name", FAILS)
def test_what_the_page_says_fails_does_so_with_the_remedy(name: str, checker: PythonChecker) -> None:
    outcome = checked(checker, FAILS[name])

    assert outcome.facts.classification is FAIL
    assert REMEDY in outcome.detail


@pytest.mark.parametrize("name", HOLDS)
def test_what_the_page_says_holds_does(name: str, checker: PythonChecker) -> None:
    outcome = checked(checker, HOLDS[name])

    assert outcome.facts.classification is PASS, outcome.detail


@pytest.mark.parametrize("name", DIFFERS)
def test_what_the_page_says_is_not_seen_is_seen_in_one_process_only(
    name: str, checker: PythonChecker
) -> None:
    apart, shared = (checked(checker, DIFFERS[name], kind) for kind in Isolation)

    assert (apart.facts.classification, shared.facts.classification) == (PASS, FAIL), apart.detail


def test_a_failure_that_the_answer_catches_fails_the_test(checker: PythonChecker) -> None:
    answer = "def each(act):\n    try: act(1)\n    except BaseException: return 3\n"
    tests = "def act(x): assert x == 2\ndef test_it(): assert each(act) == 3\n"

    outcome = checked(checker, (answer, tests))

    assert (outcome.facts.classification, "line 1: " in outcome.detail) == (FAIL, True), outcome.detail


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_page_says_is_refused_is(name: str, checker: PythonChecker) -> None:
    prefix = READ.replace("read", "evaluated") if "evaluated" in REFUSED[name] else ""
    wanted = Expectations(tests=REFUSED[name], settings={"prefix": prefix})
    case = Case(id="x", language="python", expectations=wanted, files={"ours.py": READ})

    with pytest.raises(InputError, match='leave it out, or set isolation = "shared"'):
        checker.check(case, SAME)
