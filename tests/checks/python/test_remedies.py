"""What takes one process fails apart with a message that names the remedy, and cures nothing by itself."""

import pytest

from steelyard.checks.python import PythonChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Isolation

REMEDY = 'the case needs isolation = "shared"'
CURRY = "import inspect\ndef curry(f):\n    if len(inspect.signature(f).parameters) == 2: return abs\n"
TOMORROW = "import datetime\ndef tomorrow(when): return when + datetime.timedelta(days=1)\n"
POINT = (
    "class Point:\n    def __init__(self, x): self.x = x\n"
    "    def __eq__(self, other): return self.x == getattr(other, 'x', other)\n"
    "    def __lt__(self, other): return self.x < getattr(other, 'x', other)\n"
    "    def __enter__(self): return self\n    def __exit__(self, *_): return False\n"
)


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
            "    def dst(self, when): return datetime.timedelta(0)\n"
            "noon = datetime.datetime(2024, 3, 30, 12, tzinfo=Zone())\n"
            "assert tomorrow(noon).day == 31\n",
            id="a zone",
        ),
        pytest.param(
            "from abc import ABC\nclass Shape(ABC): pass\n",
            "assert Shape.__abstractmethods__ == frozenset()\n",
            id="what a class is made of",
        ),
        pytest.param(
            "class Odd:\n    def __str__(self): raise ValueError\n",
            "import pytest\nwith pytest.raises(ValueError): str(Odd())\n",
            id="an error in a text",
        ),
        pytest.param(POINT, "assert Point(3) == 3\n", id="an object beside a number"),
        pytest.param(POINT, "assert Point(3) < 4\n", id="an object before a number"),
        pytest.param(POINT, "assert 3 in [Point(3)]\n", id="a number among objects"),
        pytest.param(POINT, "with Point(3) as point: assert point.x == 3\n", id="a block"),
        pytest.param(
            POINT, "class Mine(Point): pass\nassert Mine(3).x == 3\n", id="a class made from another"
        ),
        pytest.param(POINT, "import copy\nassert copy.copy(Point(3)).x == 3\n", id="a copy"),
        pytest.param(
            "class Lines:\n    def read(self, size): return ''\n",
            "import io, shutil\nassert shutil.copyfileobj(Lines(), io.StringIO()) is None\n",
            id="a library that looks inside",
        ),
    ],
)
def test_what_takes_one_process_says_so(answer: str, tests: str, checker: PythonChecker) -> None:
    apart = Expectations(tests=tests, settings={"answer": "raw"})

    outcome = checker.check(Case(id="x", language="python", expectations=apart), answer)

    assert outcome.facts.classification is Classification.FAIL
    assert REMEDY in outcome.detail


@pytest.mark.parametrize(
    "tests",
    [
        "assert Point(3) == 3\n",
        "assert Point(3) < 4\n",
        "with Point(3) as point: assert point.x == 3\n",
        "class Mine(Point): pass\nassert Mine(3).x == 3\n",
        "import copy\nassert copy.copy(Point(3)).x == 3\n",
    ],
)
def test_the_remedy_is_one(tests: str, checker: PythonChecker) -> None:
    shared = Expectations(tests=tests, settings={"answer": "raw"}, isolation=Isolation.SHARED)

    outcome = checker.check(Case(id="x", language="python", expectations=shared), POINT)

    assert outcome.facts.classification is Classification.PASS, outcome.detail
