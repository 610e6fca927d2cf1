"""Answers and tests by which test_page.py tries the sentences of docs/how-to/check-python.md."""

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
SAYS = "import sys\ndef say():\n    print('a')\n    print('b', file=sys.stderr)\n"
HEARS = """\
def test_it(capsys):
    say()
    said = capsys.readouterr()
    assert said.out == "a\\n"
    assert said.err == "b\\n"
"""
ROWS = """\
first, rows = [2, 1], []
rows += [first, [3]]
sort(rows)
assert first == [1, 2]
assert rows[1] is first
"""
GENERIC = """\
from typing import Generic, TypeVar
class Found(Generic[TypeVar("T")]): pass
def find(x): return Found()
"""
ANNOTATED = """\
def first(found: Found | None) -> Found[int] | int: return found
assert isinstance(first(find(1)), Found | int)
"""
BEFORE = "def act(items, look):\n    items.append(1)\n    look()\n"
LOOKS = "seen, mine = [], []\nact(mine, lambda: seen.append(list(mine)))\nassert seen == [[]]"
WAITS = "import time\nseen = []\nstart(seen.append)\ntime.sleep(0.3)\nassert seen == []"
LEAVES = """\
import sys
before = sys.stdout
leave()
after, sys.stdout = sys.stdout, before
assert after is before
"""
EACH = """\
from collections.abc import Generator, Iterator
assert isinstance(each(), Iterator) and not isinstance(each(), Generator)
"""
NOTED = "def fail():\n    error = ValueError()\n    error.add_note('a')\n    raise error\n"
NOTES = """\
import pytest
with pytest.raises(ValueError) as caught: fail()
assert not hasattr(caught.value, "__notes__")
"""
CLEARS = """\
import solution
def test_it():
    solution.KEPT.clear()
    try: solution.get()
    except BaseException: pass
"""
SHORTENS = """\
mine, seen = [1, 2], []
def act(x):
    seen.append(x)
    mine.clear()
each(mine, act)
assert seen == [1, 2]
"""
DRAINS = """\
def each(items):
    while items: yield items.pop()
def total(items): return sum(items)
def listed(items): return [each(items)]
"""
EACH_OF = "def each(items, act):\n    for one in items: act(one)\n"
FORMATS = "from functools import partial\nassert same(partial(str.format, x=1)) is not None\n"
SHOWN = "def shown(show, act): return show(act)\n"
SHOWS = "from functools import partial\nassert '417' in shown(lambda act: f'{act}', partial(max, 417))\n"
SENDS = "def drive(items):\n    next(items)\n    items.send(1)\n"
SENT = "def taken():\n    found = yield 0\n    yield found\ndrive(taken())\n"
CLOSES = """\
closed = []
def items():
    try: yield 1
    finally: closed.append(1)
mine = items()
stop(mine)
assert closed == []
"""
KEEPS = "class Odd(Exception): pass\nKEPT = Odd()\ndef one(): return KEPT\n"
ASKS = """\
import unittest
class TestIt(unittest.TestCase):
    def test_it(self): self.assertRaises(AttributeError, getattr, find(1), "secret")
"""
PEEK = """\
class Items:
    def __iter__(self): return self
    def __next__(self): return 1
    def peek(self): return 1
assert same(Items())
"""
COUNTER = "count = 0\ndef bump():\n    global count\n    count += 1\n"
CACHED = "KEPT = [2]\ndef primes(): return KEPT\n"
SHARED_LIST = """\
def records():
    tags = []
    for tag in "ab":
        tags[:] = [tag]
        yield {"tags": tags}
"""
LONDON = """\
from datetime import datetime
from zoneinfo import ZoneInfo
def noon(): return datetime(2024, 1, 15, 12, tzinfo=ZoneInfo("Europe/London"))
"""
IN_UTC = "import datetime as dt\nassert noon().tzinfo == dt.timezone.utc"
LUCK = "import random\ndef pick(): return random.random()\n"
SEEDED = "import random\nrandom.seed(7)\nfirst = pick()\nrandom.seed(7)\nassert pick() == first\n"
WRAPS = """\
def wrap(act):
    try: act()
    except Exception as error: raise ValueError("no") from error
"""
CAUSED = """\
import pytest
mine = KeyError("a")
def act(): raise mine
with pytest.raises(ValueError) as caught: wrap(act)
assert caught.value.__cause__ is mine
"""
NOTES_TYPES = """\
def typed(act):
    def checked(x):
        if not isinstance(x, act.__annotations__["x"]): raise TypeError
        return act(x)
    return checked
"""
TYPED = """\
import pytest
@typed
def twice(x: str): return 2 * x
with pytest.raises(TypeError): twice(1)
"""
BAG_OF = (
    "class Bag:\n    def __init__(self, items): self.items = items\n    def all(self): return self.items\n"
)
MISSING = "from collections import defaultdict\ndef find(): return defaultdict(lambda: 0)\n"
THREAD = "import threading\ndef start(act): threading.Timer(0.1, act, [1]).start()\n"
MINE = """\
class Boom(Exception): pass
mine = Boom()
def act(): raise mine
def test_it():
    try: twice(act)
    except Boom as error: assert error is mine
    else: assert False
"""
