"""What docs/how-to/check-python.md says of tests that are apart, sentence by sentence."""

import pytest

from steelyard.checks.python import PythonChecker
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Isolation, Outcome
from tests.checks.python.page_answers import (
    ANNOTATED,
    ASKS,
    BAG,
    BAG_OF,
    BEFORE,
    BLOCK,
    BOOM,
    CACHED,
    CAUSED,
    CHAIN,
    CLEARS,
    CLOSES,
    COUNT,
    COUNTER,
    DRAINS,
    DUMP,
    EACH,
    EACH_OF,
    ESCAPE,
    FORMATS,
    GENERIC,
    HEARS,
    IN_UTC,
    JOIN,
    KEEPS,
    LARGE,
    LEAVES,
    LONDON,
    LOOKS,
    LUCK,
    MINE,
    MISSING,
    NAME,
    NOTED,
    NOTES,
    NOTES_TYPES,
    NUMBER,
    PAGE,
    PARIS,
    PEEK,
    POINT,
    ROWS,
    SAME,
    SAYS,
    SAYS_YES,
    SEEDED,
    SEES_CAUSE,
    SENDS,
    SENT,
    SHARED_LIST,
    SHORTENS,
    SHOWN,
    SHOWS,
    STORED,
    THREAD,
    TYPED,
    WAITS,
    WATCHED,
    WRAPS,
)

PASS, FAIL = Classification.PASS, Classification.FAIL
REMEDY = 'the case needs isolation = "shared"'
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
    "an answer that asks for the types of parameters": (NOTES_TYPES, TYPED),
    "a list that an iterator was made with": (
        "def each(items): yield from items\n",
        "mine = [1]\nitems = each(mine)\nmine.append(2)\nassert list(items) == [1, 2]",
    ),
    "a call of the type of an object": (SAYS_YES, "assert type(find(1))(2).x == 2"),
    "the type of an object, asked for more than its name": (
        SAYS_YES,
        "assert not hasattr(type(find(1)), 'y')",
    ),
    "what the answer's module holds": (SAYS_YES, "import solution\nassert 'y' not in vars(solution)"),
    "a class of the tests": (SAME, "class Mine: pass\nassert same(Mine)"),
    "an attribute in a library": (PAGE, ESCAPE),
    "an attribute that unittest asks for": (SAYS_YES, ASKS),
    "a special attribute of a class": (SAYS_YES, "assert not hasattr(Found, '__setitem__')"),
    "the size of an object": (SAYS_YES, "import sys\nassert sys.getsizeof(find(1)) > 0"),
    "whether a number is of a class that decides it": (
        "from abc import ABC\nclass Shape(ABC): pass\n",
        "assert not isinstance(3, Shape)",
    ),
    "an iterator with more than items": (SAME, PEEK),
    "a defaultdict with a function of its own": (
        SAME,
        "from collections import defaultdict\nassert same(defaultdict(lambda: 0)) == {}",
    ),
    "a decorator within a class": (
        "def wrap(act): return lambda *given: act(*given)\n",
        "class Mine:\n    @wrap\n    def act(self): pass\nassert Mine()",
    ),
    "a source of luck": (SAME, "import random\nassert same(random.Random(7))"),
    "a pattern": (SAME, "import re\nassert same(re.compile('a'))"),
    "a function that formats a text of the answer": (SAME, FORMATS),
    "a dict in the module": ("KEPT = {1: 2}\ndef get(): return KEPT\n", CLEARS),
    "a dict in the module, by a bare name": (
        "KEPT = {}\ndef get(): return KEPT\n",
        "def test_it():\n    KEPT['a'] = 1\n    assert get() == {}",
    ),
    "what is sent into a generator": (SENDS, SENT),
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
    "one of eight lists changes": (WATCHED.format(6), "assert list(lists())[0] == [1]"),
    "what is within an argument changes": (
        "def sort(rows):\n    for row in rows: row.sort()\n    rows.reverse()\n",
        ROWS,
    ),
    "what a setter changes": (
        "class Box:\n    items = property(None, lambda self, items: items.sort())\n",
        "box, mine = Box(), [2, 1]\nbox.items = mine\nassert mine == [1, 2]",
    ),
    "a part of an argument is the tests' own": (
        "def copied(grid): return list(grid)\n",
        "mine = [[1]]\ncopied(mine)[0].append(2)\nassert mine == [[1, 2]]",
    ),
    "what stands in the module changes": (
        STORED,
        "from solution import KEPT\nadd()\nassert KEPT == [1, 2]",
    ),
    "an attribute that is not there": (
        SAYS_YES,
        "import pytest\nfound = find(1)\nwith pytest.raises(AttributeError): found.secret",
    ),
    "a change to what the answer does not hold": (
        BAG_OF.replace("return self.items", "return [*self.items]"),
        "bag = Bag([2, 1])\nfound = bag.all()\nfound.sort()\nassert bag.all() == [2, 1]",
    ),
    "a class, or None, in an annotation": (GENERIC, ANNOTATED),
    "the seed of the answer's luck": (LUCK, SEEDED),
    "the tests' own list in a generator": (
        "def each(rows): yield from rows\n",
        "mine = [[1]]\nassert next(each(mine)) is mine[0]",
    ),
    "a cause is the tests' own": (WRAPS, CAUSED),
    "a class of the prefix, by its import": (SAME, "from solution import Node\nassert same(Node(1)).x == 1"),
    "a number that changes, asked of the module": (
        COUNTER,
        "import solution\nbump()\nassert solution.count == 1",
    ),
    "what is missing is the answer's": (MISSING, "assert find()['x'] == 0\nassert isinstance(find(), dict)"),
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
    "an empty dict in place of one in the module": (
        "KEPT = {1: 2}\ndef get(): return KEPT\n",
        "import solution\nassert solution.KEPT == {1: 2}\nsolution.KEPT = {}\nassert solution.get() == {}",
    ),
    "the class of an error": (
        "class OddError(Exception): pass\ndef one(): return OddError()\n",
        "assert type(one()) is OddError",
    ),
    "a partial that is shown": (SHOWN, SHOWS),
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
    "a module as a value": "import os\nassert getattr(os, 'sep') == same('/')",
    "something in a library's place": "import time\ntime.sleep = same\nassert same(1) == 1",
    "a module that the tests forgot to import": "assert os.system(same('true')) == 0",
    "a class of the answer's in a pattern": "match same(1):\n    case Found(): assert same(1) == 2",
    "the context of an error": "assert same(KeyError()).__context__ is None",
    "what the answer's module says of itself": "import solution\nassert solution.__all__ == ['same']",
    "what a file of the case uses": "from ours import read\nassert read(same('1')) == 1",
    "what the prefix uses": "assert evaluated(same('1')) == 1",
}
# Answers, and tests that see something else in one process.
DIFFERS = {
    "a change to the result of a function": (CACHED, "primes().append(3)\nassert primes() == [2]"),
    "a list in an object": (BAG_OF, "bag = Bag([])\nbag.items.append(1)\nassert bag.items == []"),
    "a list that an object keeps": (
        BAG_OF,
        "mine = []\nbag = Bag(mine)\nmine.append(1)\nassert bag.all() == []",
    ),
    "what an object does to the list that it keeps": (
        BAG_OF.replace("return self.items", "self.items.sort()"),
        "mine = [2, 1]\nBag(mine).all()\nassert mine == [2, 1]",
    ),
    "a result that comes twice": (CACHED, "assert primes() is not primes()"),
    "a list within two items": (SHARED_LIST, "assert [one['tags'] for one in records()] == [['a'], ['b']]"),
    "a number that is none": (SAME, "import math\nassert math.nan not in same([math.nan])"),
    "the zone of a time": (LONDON, IN_UTC),
    "a number of a library's class": (
        "from http import HTTPStatus\ndef find(): return HTTPStatus.OK\n",
        "assert type(find()) is int",
    ),
    "how errors compare": (
        "class Odd(Exception):\n    def __eq__(self, other): return True\ndef two(): return Odd(), Odd()\n",
        "one, other = two()\nassert one != other",
    ),
    "how errors look": (
        "class Odd(Exception):\n    def __repr__(self): return 'odd'\ndef one(): return Odd(1)\n",
        "assert repr(one()) == 'Odd(1)'",
    ),
    "a change to a large argument of a generator": (
        "def fill(items):\n    items.append(1)\n    yield 0\n",
        "mine = [0] * 100_000\nassert next(fill(mine)) == 0\nassert len(mine) == 100_000",
    ),
    "more than a megabyte that is printed": (
        "def say(): print('a' * 2_000_000)\n",
        "def test_it(capsys):\n    say()\n    assert len(capsys.readouterr().out) < 2_000_000",
    ),
    "a later change of a result": (STORED, "x = get()\nadd()\nassert x == [1]"),
    "what the tests gave by a function": (
        "def sort(get): get().sort()\n",
        "mine = [2, 1]\nsort(lambda: mine)\nassert mine == [2, 1]",
    ),
    "a change before a function of the tests": (BEFORE, LOOKS),
    "a thread": (THREAD, WAITS),
    "the standard output": ("import io, sys\ndef leave(): sys.stdout = io.StringIO()\n", LEAVES),
    "the current folder": (
        "import os\ndef leave(): os.chdir('/')\n",
        "import os\nbefore = os.path.abspath('.')\nleave()\nassert os.path.abspath('.') == before",
    ),
    "an object that nothing holds": (
        "ends = []\nclass Held:\n    def __del__(self): ends.append(1)\n",
        "import solution\nheld = Held()\ndel held\nassert solution.ends == []",
    ),
    "the context of decimals": (
        "import decimal\ndef leave(): decimal.getcontext().prec = 3\n",
        "from decimal import Decimal\nleave()\nassert Decimal(1) / 3 == Decimal('0.' + 28 * '3')",
    ),
    "a number that changes": (COUNTER, "bump()\nassert count == 0"),
    "a generator by its class": ("def each(): yield 1\n", EACH),
    "notes of an error": (NOTED, NOTES),
    "a later change of a list long ago": (WATCHED.format(150), "assert list(lists())[0] == []"),
    "a later change of a large list": (LARGE, "assert len(list(lists())[0]) == 200_000"),
    "a text of a class, joined": (NAME, JOIN),
    "a dict of a class, as JSON": ("class Bag(dict): pass\ndef find(): return Bag(a=1)\n", DUMP),
    "a list that a call is at work on": (EACH_OF, SHORTENS),
    "what one function of the answer drains for another": (
        DRAINS,
        "mine = [1]\nassert total(each(mine)) == 1\nassert mine == [1]",
    ),
    "what iterators within a list do": (
        DRAINS,
        "mine = [1]\nassert list(listed(mine)[0]) == [1]\nassert mine == [1]",
    ),
    "the type of an object": (
        SAYS_YES,
        "assert type(find(1)) is not Found\nassert isinstance(find(1), Found)",
    ),
    "a function of a library that comes back": (SAME, "assert same(len) is not len"),
    "an error that comes twice": (KEEPS, "assert one() is not one()"),
    "how many parameters there are": (
        "def count(act): return act.__code__.co_argcount\n",
        "assert count(lambda a, b: a) == 0",
    ),
    "whether it makes a generator": (
        "import inspect\ndef makes(act): return inspect.isgeneratorfunction(act)\n",
        "def each(): yield 1\nassert not makes(each)",
    ),
    "a generator of the tests that is closed": (
        "def stop(items):\n    next(items)\n    items.close()\n",
        CLOSES,
    ),
}


def checked(
    checker: PythonChecker, planted: tuple[str, str], isolation: Isolation = Isolation.APART
) -> Outcome:
    answer, tests = planted
    prefix = "class Node:\n    def __init__(self, x): self.x = x\n" if "Node" in tests else ""
    wanted = Expectations(tests=tests, settings={"answer": "raw", "prefix": prefix}, isolation=isolation)
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
