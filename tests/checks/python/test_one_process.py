"""Tests that need one process are refused where they are apart, before anything is drawn.

docs/explanation/trust.md and docs/how-to/check-python.md say what is found.
"""

import pytest

from steelyard.app.validate import load_eval_set, require_gradable
from steelyard.checks.python import PythonChecker
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet
from steelyard.model.outcome import Classification, Isolation

PATCH = "from unittest.mock import patch\n"
RUN = {
    "eval": "assert eval(repr(f())) == 1",
    "exec": "def test_it():\n    exec(f())",
    "pickle.load": "import pickle as p\nassert p.load(f()) == 1",
    "pickle.loads": "from pickle import loads\nassert loads(f()) == 1",
    "marshal.loads": "import marshal\nassert marshal.loads(f()) == 1",
    "runpy.run_path": "import runpy\nrunpy.run_path(f())",
    "doctest.run_docstring_examples": "import doctest\ndoctest.run_docstring_examples(f, {})",
    "shelve.open": "import shelve\nassert shelve.open(f())['a'] == 1",
    "yaml.load": "import yaml\nassert yaml.load(f(), yaml.Loader) == 1",
    "typing.get_type_hints": "import typing\nassert typing.get_type_hints(f) == {}",
    "logging.config.dictConfig": "import logging.config\nlogging.config.dictConfig(f())",
    "logging.config.fileConfig": "from logging.config import fileConfig\nfileConfig(f())",
    "importlib.util.spec_from_file_location": "import importlib.util as u\nu.spec_from_file_location(f())",
    "spec.loader.exec_module": "def test_it():\n    spec = g()\n    spec.loader.exec_module(f())",
    "monkeypatch.syspath_prepend": "def test_it(monkeypatch):\n    monkeypatch.syspath_prepend(f())",
    "code.InteractiveInterpreter": "import code\ncode.InteractiveInterpreter().runsource(f())",
    "pkgutil.resolve_name": "from pkgutil import resolve_name\nassert resolve_name(f()) == 1",
    "sympy.sympify": "import sympy as sp\nassert sp.sympify(f()) == 1",
    "sympy.parse_expr": "from sympy import parse_expr\nassert parse_expr(f()) == 1",
    "eval_str": "import inspect\nassert inspect.get_annotations(f, eval_str=True) == {}",
}
NOT_THERE = {
    "sys.argv": "import sys\nsys.argv = ['x', '3']\nassert main() == 3",
    "decimal.localcontext": "import decimal\nwith decimal.localcontext() as c: assert f() == 1",
    "weakref.ref": "import weakref\nassert weakref.ref(Node())",
    "pytest.warns": "import pytest\ndef test_it():\n    with pytest.warns(UserWarning): f()",
    "pytest.deprecated_call": "import pytest\ndef test_it():\n    with pytest.deprecated_call(): f()",
    "warnings.catch_warnings": "import warnings\nwith warnings.catch_warnings(record=True) as w: f()",
    "self.assertWarns": "class TestF:\n    def test_it(self): self.assertWarns(UserWarning, f)",
    "self.assertLogs": "class TestF:\n    def test_it(self):\n        with self.assertLogs(): f()",
    "caplog": "def test_it(caplog):\n    assert not caplog.text",
    "recwarn": "def test_it(recwarn):\n    assert not recwarn",
    "monkeypatch.setenv": "def test_it(monkeypatch):\n    monkeypatch.setenv('A', 'b')",
    "monkeypatch.delenv": "def test_it(monkeypatch):\n    monkeypatch.delenv('A')",
    "monkeypatch.chdir": "def test_it(monkeypatch):\n    monkeypatch.chdir('/')",
    "os.chdir": "import os\nos.chdir('/')",
    "os.environ": "import os\nos.environ['A'] = 'b'",
    "contextlib.redirect_stderr": "import contextlib\nwith contextlib.redirect_stderr(None): f()",
    "a patch of time.sleep": f"{PATCH}with patch('time.sleep') as nap: f()",
    "a patch of builtins.print": "def test_it(monkeypatch):\n    monkeypatch.setattr('builtins.print', id)",
    "a patch of time.time": f"{PATCH}import time as t\nwith patch.object(t, 'time', id): f()",
    "a patch of sys.argv": "import sys\ndef test_it(monkeypatch):\n    monkeypatch.setattr(sys, 'argv', [])",
    "pytest.mark.filterwarnings": "import pytest\n@pytest.mark.filterwarnings('error::UserWarning')\n"
    "def test_it(): f()",
    "warnings.simplefilter": "import warnings\nwarnings.simplefilter('error')\nassert f() == 1",
    "warnings.filterwarnings": "import warnings\nwarnings.filterwarnings(action='error')\nassert f() == 1",
    "tracemalloc.get_traced_memory": "import tracemalloc\nassert f() < tracemalloc.get_traced_memory()[1]",
    "threading.active_count": "import threading\nassert f() == threading.active_count()",
    "threading.enumerate": "from threading import enumerate\nassert f() == enumerate()",
    "random.getstate": "import random\nassert f() == random.getstate()",
    "sys.getrecursionlimit": "import sys\nassert f() == sys.getrecursionlimit()",
    "sys.setrecursionlimit": "import sys\nsys.setrecursionlimit(100)\nassert f() == 1",
    "sys.getsizeof": "import sys\nassert sys.getsizeof(f()) < 100",
    "gc.get_objects": "import gc\nassert f() not in gc.get_objects()",
    "resource.getrusage": "import resource\nassert resource.getrusage(0).ru_maxrss > f()",
    "freezegun.freeze_time": "from freezegun import freeze_time\nwith freeze_time('2024-01-01'): f()",
}
NOT_BESIDE = {
    "asyncio.create_task": "import asyncio\nasync def test_it():\n    asyncio.create_task(f())",
    "asyncio.wait_for": "from asyncio import wait_for\nasync def test_it():\n    await wait_for(f(), 1)",
    "asyncio.TaskGroup": "import asyncio\nasync def test_it():\n    async with asyncio.TaskGroup(): f()",
}
NOT_SEEN = {
    "inspect.signature": "from inspect import signature as s\nassert len(s(f).parameters) == 2",
    "inspect.isgenerator": "import inspect\nassert inspect.isgenerator(f())",
    "isinstance with types.GeneratorType": "import types\nassert isinstance(f(), types.GeneratorType)",
    "dataclasses.asdict": "from dataclasses import asdict\nassert asdict(Point(1)) == {'x': 1}",
    "dataclasses.is_dataclass": "from dataclasses import is_dataclass\nassert is_dataclass(Point)",
    "inspect.isabstract": "import inspect\nassert inspect.isabstract(Shape)",
    "asyncio.iscoroutinefunction": "import asyncio\nassert asyncio.iscoroutinefunction(f)",
    "inspect.isgeneratorfunction": "import inspect\nassert inspect.isgeneratorfunction(f)",
    "issubclass with abc.ABC": "from abc import ABC\nassert issubclass(Shape, (int, ABC))",
    "isinstance with enum.Enum": "import enum\nassert isinstance(Color.RED, enum.Enum)",
    "assertIsInstance with enum.IntEnum": "from enum import IntEnum\nclass TestF:\n"
    "    def test_it(self): self.assertIsInstance(f(), IntEnum)",
}
STDERR = {
    "by its name": "assert capsys.readouterr().err == ''",
    "by its place": "assert capsys.readouterr()[1] == ''",
    "by its place, later": "said = capsys.readouterr()\n    assert said[1] == ''",
    "unpacked": "out, err = capsys.readouterr()\n    assert out + err == ''",
}
FINE = {
    "an unused stderr": "def test_it(capsys):\n    out, err = capsys.readouterr()\n    assert out == f()\n"
    "def test_error():\n    try: f()\n    except ValueError as err: assert str(err)",
    "the captured output": "def test_it(capsys):\n    assert capsys.readouterr()[0] == f()",
    "the size of a literal": "import sys\nassert f() == sys.getsizeof(('A', 1))",
    "quiet warnings": "import warnings\nwarnings.filterwarnings('ignore')\nassert f() == 1",
    "logging": "import logging\nlogging.basicConfig(level=logging.INFO)\nassert f() == 1",
    "an own enumeration": "from enum import Enum\nclass Side(Enum): LEFT = 1\n"
    "def test_it():\n    assert isinstance(f(Side.LEFT.value), int)",
    "names like modules": "def test_it():\n    pickle = Item('pickle', 3)\n    assert pickle.price == 3",
    "another err": "def test_it(capsys):\n    said = f()\n    assert said.err == capsys.readouterr().out",
    "what reads like it": "import re, ast\nassert re.compile('1').match(ast.literal_eval(f())) is None",
    "methods of the answer's": "shell = Shell()\nshell.chdir('/')\nassert shell.eval('1')",
    "luck": "import random\nrandom.seed(7)\nassert f(random.random()) == 1",
    "input": "def test_it(monkeypatch):\n    monkeypatch.setattr('builtins.input', lambda _: 'a')",
    "streams": f"{PATCH}import sys\nwith patch.object(sys, 'stdin', None), patch('sys.stdout'): f()",
    "the answer's": f"{PATCH}import solution\nwith patch.object(solution, 'g', id): f()",
    "an object": f"{PATCH}def test_it():\n    with patch.object(Clock, 'now', id): assert f() == 1",
    "an own decorator": "import functools\ndef log(g): return g\n@log\n@functools.cache\ndef test_it(): f()",
    "a decorated helper": "@logged\ndef twice(x): return 2 * x\ndef test_it():\n    assert twice(f()) == 2",
    "an async TestCase": "import unittest\nclass F(unittest.IsolatedAsyncioTestCase):\n"
    "    async def test_it(self): assert await f() == 1",
    "a generator within": "def test_it():\n    def g(): yield f()\n    assert list(g()) == [1]",
    "its errors": "def test_it(capsys):\n    assert capsys.readouterr().out == ''",
}
DECORATED = {
    "logged": "@logged\ndef test_it():\n    assert f() == 1",
    "solution.logged": "import solution as s\n@s.logged\nasync def test_it():\n    assert f() == 1",
    "timed": "def test_it():\n    assert f() == 1\ntest_it = timed(3)(test_it)",
    "retry": "import pytest\nclass TestF:\n    @pytest.mark.slow\n    @retry(3)\n    def test_it(self): f()",
    "register": "from unittest import TestCase\n@register\nclass Sums(TestCase):\n    def test(self): f()",
}
FORGES = """
class Point:
    def __init__(self, x, y): pass
    def norm(self): return "no idea"
    def __repr__(self):
        return ("(lambda run: [setattr(run, 'attempt', lambda self, name, test: self.ended(name, 'passed')),"
                " Point(1, 2)][1])(__import__('sys')"
                ".modules['steelyard.checks.python.grader_runtime.direct'].TestRun)")
    def __eq__(self, other): return True
"""
REPR = """
def test_repr():
    point = Point(1, 2)
    assert eval(repr(point)) == point
def test_norm():
    assert Point(3, 4).norm() == 5
"""


def case(tests: str, isolation: Isolation | None = None, functions: tuple[str, ...] = ()) -> Case:
    wanted = Expectations(tests=tests, isolation=isolation, functions=functions, settings={"answer": "raw"})
    return Case(id="f", language="python", timeout_s=30.0, expectations=wanted)


def loaded(*cases: Case) -> EvalSet:
    found = load_eval_set(EvalSet(id="set", suites=(), cases=cases))
    require_gradable(found)
    return found


@pytest.mark.parametrize("name", RUN)
def test_tests_that_would_run_what_the_answer_says_are_refused(name: str) -> None:
    with pytest.raises(
        InputError, match=f"case f: its tests use {name}, which would run what the answer says"
    ):
        loaded(case(RUN[name]))


@pytest.mark.parametrize("name", NOT_THERE)
def test_tests_about_the_state_of_a_process_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"tests use {name}, which does not reach the answer's process"):
        loaded(case(NOT_THERE[name]))


@pytest.mark.parametrize("use", STDERR)
def test_tests_about_what_the_answer_writes_to_stderr_are_refused(use: str) -> None:
    with pytest.raises(InputError, match="tests use the captured stderr, which does not reach"):
        loaded(case(f"def test_it(capsys):\n    f()\n    {STDERR[use]}"))


@pytest.mark.parametrize("name", NOT_BESIDE)
def test_tests_that_want_something_beside_the_answer_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"use {name}, which goes on only when the answer has ended"):
        loaded(case(NOT_BESIDE[name]))


@pytest.mark.parametrize("name", NOT_SEEN)
def test_tests_that_ask_what_a_class_is_made_from_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"use {name}, which sees a stand-in for what is in"):
        loaded(case(NOT_SEEN[name]))


@pytest.mark.parametrize("name", DECORATED)
def test_tests_that_the_answer_decorates_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"its tests use {name}, which decorates a test: the answer would"):
        loaded(case(DECORATED[name]))


@pytest.mark.parametrize("tests", [*RUN.values(), *NOT_THERE.values(), *DECORATED.values()])
def test_the_same_tests_may_share_a_process(tests: str) -> None:
    assert loaded(case(tests, Isolation.SHARED)).cases


@pytest.mark.parametrize("name", FINE)
def test_other_tests_are_not_refused(name: str) -> None:
    assert loaded(case(FINE[name])).cases


@pytest.mark.parametrize(
    "tests",
    [
        "def test_it():\n    assert f() == 1\n    yield",
        "class TestF:\n    async def test_it(self):\n        yield f()",
        "import unittest\nclass F(unittest.TestCase):\n    async def test_it(self): assert f() == 1",
    ],
    ids=["yields", "yields in a class", "async in a plain TestCase"],
)
def test_tests_that_nothing_would_run_are_refused(tests: str) -> None:
    with pytest.raises(InputError, match="nothing would run the body of test_it"):
        loaded(case(tests))


def test_an_answer_may_define_eval(checker: PythonChecker) -> None:
    tests = "def test_it():\n    assert eval('1 2 +') == 3\n    assert len('a') == 1\n"

    outcome = checker.check(case(tests, functions=("eval",)), "def eval(text): return 3\n")

    assert outcome.facts.classification is Classification.PASS, outcome.detail


def test_all_refused_cases_are_named_before_anything_is_drawn() -> None:
    idle = case("def check_small():\n    assert f() == 1\n")

    with pytest.raises(InputError, match=r"(?s)cannot be checked:.*the graded tests run nothing.*use eval"):
        loaded(idle, case(REPR))


def test_code_in_a_text_of_the_answer_is_refused_before_it_runs(checker: PythonChecker) -> None:
    with pytest.raises(InputError, match=r'its tests use eval, .* set isolation = "shared"'):
        checker.check(case(REPR), FORGES)
