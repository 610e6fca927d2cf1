"""What tests may use where they are apart is a list, to which they are held before anything is drawn.

docs/explanation/trust.md and docs/how-to/check-python.md say what is on it.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.app.validate import load_eval_set, require_gradable
from steelyard.checks.python import PythonChecker
from steelyard.checks.python.allowed import ALL, BUILTINS, FIXTURES, METHODS, MODULES, not_allowed
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet
from steelyard.model.outcome import Classification, Isolation

REFUSED = {
    # What turns a text or a file into code.
    "eval": "assert eval(repr(f())) == 1",
    "exec": "def test_it():\n    exec(f())",
    "compile": "assert compile(f(), 'x', 'exec')",
    "__import__": "assert __import__(f()).x == 1",
    "breakpoint": "def test_it():\n    breakpoint()",
    "pickle.load": "import pickle as p\nassert p.load(f()) == 1",
    "pickle.loads": "from pickle import loads\nassert loads(f()) == 1",
    "marshal.loads": "import marshal\nassert marshal.loads(f()) == 1",
    "runpy.run_path": "import runpy\nrunpy.run_path(f())",
    "doctest.run_docstring_examples": "import doctest\ndoctest.run_docstring_examples(f, {})",
    "typing.get_type_hints": "import typing\nassert typing.get_type_hints(f) == {}",
    "logging.config.dictConfig": "import logging.config\nlogging.config.dictConfig(f())",
    "logging.config.fileConfig": "from logging.config import fileConfig\nfileConfig(f())",
    "importlib.util.spec_from_file_location": "import importlib.util as u\nu.spec_from_file_location(f())",
    "sympy.sympify": "import sympy as sp\nassert sp.sympify(f()) == 1",
    "numpy.load": "import numpy as np\nassert np.load(f(), allow_pickle=True) == 1",
    "builtins.eval": "import builtins\nassert builtins.eval(f()) == 1",
    # Another process than the answer's, and what starts one.
    "input": "def test_it():\n    assert input() == f()",
    "sys.argv": "import sys\nsys.argv = ['x', '3']\nassert main() == 3",
    "sys.path.insert": "import sys\nsys.path.insert(0, '.')\nassert f() == 1",
    "sys.modules": "import sys\nassert 'json' not in sys.modules",
    "sys.stdin.read": "import sys\nassert sys.stdin.read() == f()",
    "sys.setrecursionlimit": "from sys import setrecursionlimit\nsetrecursionlimit(100)\nassert f() == 1",
    "os.environ": "import os\nos.environ['A'] = 'b'",
    "os.getenv": "from os import getenv\nassert getenv('A') == f()",
    "os.chdir": "import os\nos.chdir('/')",
    "os.system": "import os\nassert os.system(f()) == 0",
    "os.getpid": "import os as system\nassert system.getpid() == f()",
    "subprocess.run": "import subprocess\nassert subprocess.run([f()]).returncode == 0",
    "threading.active_count": "import threading\nassert f() == threading.active_count()",
    "threading.Thread": "from threading import Thread\nThread(target=f).start()",
    "concurrent.futures.ThreadPoolExecutor": "import concurrent.futures\n"
    "with concurrent.futures.ThreadPoolExecutor() as pool: pool.submit(f)",
    "asyncio.run": "import asyncio\nassert asyncio.run(f()) == 1",
    "async": "async def test_it():\n    assert await f() == 1",
    "timeit.timeit": "import timeit\nassert timeit.timeit(f, number=1) < 1",
    "tracemalloc.start": "import tracemalloc\ntracemalloc.start()\nassert f() == 1",
    "gc.get_objects": "import gc\nassert f() not in gc.get_objects()",
    "weakref.ref": "import weakref\nassert weakref.ref(Node())",
    "random.getstate": "import random\nassert f() == random.getstate()",
    "decimal.localcontext": "import decimal\nwith decimal.localcontext() as c: assert f() == 1",
    "warnings.catch_warnings": "import warnings\nwith warnings.catch_warnings(record=True) as w: f()",
    "pytest.warns": "import pytest\ndef test_it():\n    with pytest.warns(UserWarning): f()",
    "pytest.deprecated_call": "import pytest\ndef test_it():\n    with pytest.deprecated_call(): f()",
    "assertWarns": "class TestF:\n    def test_it(self): self.assertWarns(UserWarning, f)",
    "assertLogs": "class TestF:\n    def test_it(self):\n        with self.assertLogs(): f()",
    "caplog": "def test_it(caplog):\n    assert not caplog.text",
    "recwarn": "def test_it(recwarn):\n    assert not recwarn",
    "monkeypatch": "def test_it(monkeypatch):\n    monkeypatch.setenv('A', 'b')",
    "capfd": "def test_it(capfd):\n    assert capfd.readouterr().out == f()",
    "unittest.mock.patch": "from unittest.mock import patch\nwith patch('time.sleep'): f()",
    "unittest.IsolatedAsyncioTestCase": "import unittest\nclass F(unittest.IsolatedAsyncioTestCase):\n"
    "    def test_it(self): assert f() == 1",
    "freezegun.freeze_time": "from freezegun import freeze_time\nwith freeze_time('2024-01-01'): f()",
    # What would see a stand-in.
    "inspect.signature": "from inspect import signature as s\nassert len(s(f).parameters) == 2",
    "types.GeneratorType": "import types\nassert isinstance(f(), types.GeneratorType)",
    "dataclasses.asdict": "from dataclasses import asdict\nassert asdict(Point(1)) == {'x': 1}",
    "enum.Enum": "from enum import Enum\nassert issubclass(Color, Enum)",
    "abc.ABC": "from abc import ABC\nassert issubclass(Shape, (int, ABC))",
    # What may make a test that fails one that does not.
    "pytest.mark.xfail": "import pytest\n@pytest.mark.xfail\ndef test_it(): assert f() == 1",
    "pytest.mark.skipif": "import pytest\n@pytest.mark.skipif(f(), reason='')\ndef test_it(): f()",
    "pytest.mark.filterwarnings": "import pytest\n@pytest.mark.filterwarnings('error')\ndef test_it(): f()",
}
FINE = {
    "an unused import": "import os, sys, inspect\nfrom unittest.mock import patch\nassert f() == 1",
    "what is listed of a module": "from os import path\nimport os.path\nassert path.exists(os.sep)",
    "a whole module": "import math, re\nassert math.isclose(f(), math.pi) and re.compile('1').match('1')",
    "a module within one": "import collections.abc\nassert isinstance(f(), collections.abc.Iterable)",
    "a literal": "import ast\nassert ast.literal_eval(f()) == 1",
    "the answer's module": "import solution\nassert solution.environ == solution.eval('1')",
    "names like modules": "def test_it():\n    pickle = Item('pickle', 3)\n    assert pickle.price == 3",
    "methods like builtins": "shell = Shell()\nshell.chdir('/')\nassert shell.eval('1') == shell.input()",
    "a builtin that the tests define": "def compile(text): return text\nassert compile(f()) == 1",
    "a loop over a builtin's name": "for input in [1, 2]:\n    assert f(input) == input",
    "both streams": "def test_it(capsys):\n    out, err = capsys.readouterr()\n    assert out + err == f()",
    "redirected streams": "import contextlib, io\nwith contextlib.redirect_stderr(io.StringIO()) as err: f()",
    "luck": "import random\nrandom.seed(7)\nassert f(random.random()) == 1",
    "fixtures": "import pytest\n@pytest.fixture\ndef one(): return 1\n"
    "@pytest.mark.parametrize('n', [1])\ndef test_it(one, n, tmp_path, request): assert f(n) == one",
    "unittest": "import unittest\nclass F(unittest.TestCase):\n    def test_it(self): self.fail()\n"
    "if __name__ == '__main__':\n    unittest.main()",
    "arrays": "import numpy as np\nassert np.allclose(f(), np.zeros(2))\nnp.testing.assert_allclose(f(), 1)",
    "a package's size": "import sys\nassert sys.getsizeof(f()) == sys.getsizeof((1, 2))",
    "a method like one of a loader": "registry = Registry()\nassert registry.discover('db') == 1",
    "an own eval": "def test_it():\n    from solution import eval\n    assert eval('1') == 1",
    "a stream in another's place": "import io, sys\nsys.stdout = io.StringIO()\nassert f() == 1",
    "an object by a module's name": "time = f()\nassert time.hour == time.process_time == 3",
    "data classes of the tests": "from dataclasses import dataclass\n"
    "@dataclass\nclass Row: x: int\nassert f(Row(1).x)",
    "a future import": "from __future__ import annotations\nassert f() == 1",
}
FINE_FIXTURES = {
    *("cache", "capsys", "capsysbinary", "doctest_namespace", "pytestconfig", "record_property"),
    *("record_testsuite_property", "record_xml_attribute", "request", "subtests", "tmp_path"),
    *("tmp_path_factory", "tmpdir", "tmpdir_factory"),
}
STAR = "from {} import *\nassert f() == 1\n"
FORGES = """
class Point:
    def __init__(self, x, y): pass
    def __repr__(self):
        return ("(lambda run: [setattr(run, 'attempt', lambda self, name, test: self.ended(name, 'passed')),"
                " Point(1, 2)][1])(__import__('sys')"
                ".modules['steelyard.checks.python.grader_runtime.direct'].TestRun)")
    def __eq__(self, other): return True
"""
REPR = "def test_repr():\n    point = Point(1, 2)\n    assert eval(repr(point)) == point\n"


def case(
    tests: str,
    isolation: Isolation | None = None,
    *,
    functions: tuple[str, ...] = (),
    types: tuple[str, ...] = (),
    files: dict[str, str] | None = None,
    **settings: str,
) -> Case:
    wanted = Expectations(
        tests=tests,
        isolation=isolation,
        functions=functions,
        types=types,
        settings={"answer": "raw", **settings},
    )
    return Case(id="f", language="python", timeout_s=30.0, expectations=wanted, files=files or {})


def loaded(*cases: Case) -> EvalSet:
    found = load_eval_set(EvalSet(id="set", suites=(), cases=cases))
    require_gradable(found)
    return found


def told(name: str) -> str:
    return (
        f"case f: its tests use {name}, which tests apart from the answer may not: leave it out, "
        'or set isolation = "shared"'
    )


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_on_the_list_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(InputError) as caught:
        loaded(case(REFUSED[name]))

    assert told(name) in str(caught.value)


def test_a_module_that_may_be_the_answer_is_named_with_the_setting_for_it() -> None:
    tests = "from calculator import add\ndef test_add():\n    assert add(1, 2) == 3\n"

    with pytest.raises(InputError, match=r'if calculator is the answer, set settings\.module = "calculator"'):
        loaded(case(tests))
    assert loaded(case(tests, module="calculator")).cases


def test_every_fixture_of_pytest_is_known_to_be_fine_or_refused(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "pytest", "--fixtures", "-c", os.devnull, str(tmp_path)]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    listed = subprocess.run(words, capture_output=True, text=True, check=False, env=alone, cwd=tmp_path)
    names = set(re.findall(r"^([a-z]\w+)(?: \[\w+ scope\])? -- ", listed.stdout, re.MULTILINE))

    assert {"capsys", "monkeypatch", "tmp_path"} <= names
    assert names - FINE_FIXTURES <= FIXTURES


@pytest.mark.parametrize("name", REFUSED)
def test_the_same_tests_may_share_a_process(name: str) -> None:
    assert loaded(case(REFUSED[name], Isolation.SHARED)).cases


@pytest.mark.parametrize("name", FINE)
def test_what_is_on_the_list_is_fine(name: str) -> None:
    assert loaded(case(FINE[name])).cases


def test_the_checker_refuses_what_validate_refuses(checker: PythonChecker) -> None:
    with pytest.raises(InputError) as caught:
        checker.check(case(REPR), FORGES)

    assert str(caught.value) == told("eval")


@pytest.mark.parametrize("module", ["os", "pickle", "sys", "inspect"])
def test_all_names_of_a_module_are_refused_unless_all_are_listed(module: str) -> None:
    with pytest.raises(InputError, match=rf"its tests use {module}\.\*"):
        loaded(case(STAR.format(module)))


@pytest.mark.parametrize("module", ["math", "calc"])
def test_all_names_of_a_module_that_is_listed_or_the_answers_are_fine(module: str) -> None:
    assert loaded(case(STAR.format(module), module="calc")).cases


@pytest.mark.parametrize("how", ["functions", "types", "entry_point"])
def test_a_name_that_the_case_demands_is_no_builtin(how: str) -> None:
    tests = "def test_it():\n    assert eval('1 2 +') == 3\n"
    demanding = {
        "functions": case(tests, functions=("eval",)),
        "types": case(tests, types=("eval",)),
        "entry_point": case(tests, entry_point="eval"),
    }

    assert loaded(demanding[how]).cases
    with pytest.raises(InputError, match="its tests use eval"):
        loaded(case(tests, functions=("evaluate",)))


def test_an_answer_may_define_eval(checker: PythonChecker) -> None:
    tests = "def test_it():\n    assert eval('1 2 +') == 3\n    assert len('a') == 1\n"

    outcome = checker.check(case(tests, functions=("eval",)), "def eval(text): return 3\n")

    assert outcome.facts.classification is Classification.PASS, outcome.detail


USE = "import helper\nassert helper.seen() == f()\n"
BAD = "import pickle\ndef seen(): return pickle.loads(b'')\n"


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"helper.py": BAD}, id="a file"),
        pytest.param({"helper/__init__.py": BAD}, id="a package"),
        pytest.param({"helper.py": "from other import seen\n", "other.py": BAD}, id="a file of a file"),
        pytest.param(
            {"helper/__init__.py": "from helper.deep import seen", "helper/deep.py": BAD}, id="deeper"
        ),
        pytest.param({"helper/__init__.py": "from .deep import seen", "helper/deep.py": BAD}, id="relative"),
    ],
)
def test_files_that_tests_import_are_held_to_the_same_list(files: dict[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        loaded(case(USE, files=files))
    assert told("pickle.loads") in str(caught.value)

    assert loaded(case(USE, Isolation.SHARED, files=files)).cases


@pytest.mark.parametrize(
    "files",
    [
        {"helper.py": "def seen(): return 1\n"},
        {"helper.py": "def seen(): return 1\n", "app.py": BAD},
        {"helper.py": "import other\ndef seen(): return other.x\n", "other.py": "x = 1\n"},
        {"helper.py": "import helper\ndef seen(): return 1\n"},
        {"helper.py": "def seen(): return 1\n", "pickle.txt": BAD},
    ],
    ids=["harmless", "not imported", "in turn", "itself", "no Python"],
)
def test_other_files_are_the_answers(files: dict[str, str]) -> None:
    assert loaded(case(USE, files=files)).cases


def test_a_file_that_is_no_python_is_the_cases_fault() -> None:
    with pytest.raises(InputError, match="case f: "):
        loaded(case(USE, files={"helper.py": "def seen("}))


def test_all_refused_cases_are_named_before_anything_is_drawn() -> None:
    idle = case("def check_small():\n    assert f() == 1\n")

    with pytest.raises(InputError, match=r"(?s)cannot be checked:.*the graded tests run nothing.*use eval"):
        loaded(idle, case(REPR))


@pytest.mark.parametrize(
    "tests",
    [
        "def test_it():\n    assert f() == 1\n    yield",
        "class TestF:\n    def test_it(self):\n        yield f()",
    ],
    ids=["yields", "yields in a class"],
)
def test_tests_that_nothing_would_run_are_refused(tests: str) -> None:
    with pytest.raises(InputError, match="nothing would run the body of test_it"):
        loaded(case(tests))


@pytest.mark.parametrize("name", sorted(FIXTURES | METHODS | BUILTINS))
def test_every_name_on_the_lists_of_what_is_refused_is_found(name: str) -> None:
    uses = f"def test_it({name}): pass" if name in FIXTURES else f"x.{name}()\n{name}()"

    assert [*not_allowed([uses])] == [name]


@pytest.mark.parametrize(
    "name",
    [
        *("os.system", "os.environ", "sys.modules", "numpy.load", "numpy.memmap", "builtins", "ctypes"),
        *("importlib", "runpy", "pickle", "marshal", "shelve", "subprocess", "code", "pytest.main"),
        *("unittest.main", "unittest.mock", "logging.config", "io.open_code", "zipimport", "turtle"),
    ],
)
def test_nothing_that_runs_a_text_or_a_file_is_listed(name: str) -> None:
    module, _, within = name.partition(".")

    assert within not in MODULES.get(module, frozenset())
    assert ALL not in MODULES.get(module, frozenset())
