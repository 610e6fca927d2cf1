"""What takes one process fails apart with a message that names the remedy, and cures nothing by itself."""

import pytest

from steelyard.checks.python import PythonChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification

REMEDY = 'the case needs isolation = "shared"'
RETRY = "def retry(f): return f()\n"
CURRY = "import inspect\ndef curry(f):\n    if len(inspect.signature(f).parameters) == 2: return abs\n"
TOMORROW = "import datetime\ndef tomorrow(when): return when + datetime.timedelta(days=1)\n"
ITEMS = "class Items(tuple):\n    def index(self, item): return 0\ndef items(): return Items((1, 2))\n"


@pytest.mark.parametrize(
    ("answer", "tests"),
    [
        pytest.param(
            "def lines(file): return len(list(file))\n",
            "import io\nassert lines(io.StringIO('a\\nb\\n')) == 2\n",
            id="a file",
        ),
        pytest.param(CURRY, "assert curry(lambda a, b: a)(1) == 1\n", id="the signature of a function"),
        pytest.param(
            TOMORROW,
            "import datetime\nclass Zone(datetime.tzinfo):\n"
            "    def utcoffset(self, when): return datetime.timedelta(hours=1)\n"
            "noon = datetime.datetime(2024, 3, 30, 12, tzinfo=Zone())\n"
            "assert tomorrow(noon).day == 31\n",
            id="a zone",
        ),
        pytest.param(
            RETRY,
            "class Boom(Exception): pass\ndef boom(): raise Boom\ndef test_it():\n"
            "    try: retry(boom)\n    except Boom: pass\n",
            id="an exception of the tests",
        ),
        pytest.param(
            "from abc import ABC\nclass Shape(ABC): pass\n",
            "assert Shape.__abstractmethods__ == frozenset()\n",
            id="what a class is made of",
        ),
        pytest.param(
            "def add(a, b): return a + b\n",
            "import pytest\nfrom concurrent.futures import ThreadPoolExecutor\ndef test_it():\n"
            "    with ThreadPoolExecutor() as pool:\n        assert pool.submit(add, 1, 2).result() == 3\n",
            id="a thread",
        ),
        pytest.param(
            "def log(error): return str(error)\n",
            "assert log(AssertionError('small')) == 'small'\n",
            id="a failed assertion",
        ),
        pytest.param(
            "class Odd:\n    def __str__(self): raise ValueError\n",
            "import pytest\nwith pytest.raises(ValueError): str(Odd())\n",
            id="an error in a text",
        ),
        pytest.param(ITEMS, "assert items().index(2) == 1\n", id="a method of a tuple"),
    ],
)
def test_what_takes_one_process_says_so(answer: str, tests: str, checker: PythonChecker) -> None:
    case = Case(id="x", language="python", expectations=Expectations(tests=tests, settings={"answer": "raw"}))

    outcome = checker.check(case, answer)

    assert outcome.facts.classification is Classification.FAIL
    assert REMEDY in outcome.detail
