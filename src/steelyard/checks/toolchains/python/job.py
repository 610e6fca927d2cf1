"""Prepare the command that runs a case's tests against one answer."""

import marshal
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import PurePosixPath

from steelyard.checks.extraction.extract import extract
from steelyard.checks.extraction.paths import fitting
from steelyard.checks.grading.limits import memory_bytes
from steelyard.checks.grading.protected import editable_files, is_test_file
from steelyard.checks.toolchains.python.interpreter import SCRIPT, Interpreter
from steelyard.checks.toolchains.python.settings import (
    SOURCES,
    answer_path,
    is_raw,
    module_of,
    setting,
    tests_path,
)
from steelyard.checks.toolchains.python.tests_source import TestsSource, count_assertions, read_source
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.execution import GIB, MIB, Command, Limits

MEMORY_BYTES = 4 * GIB  # as EvalPlus allows
MARSHAL_VERSION = 4  # every Python since 3.4 reads it
CPU_SPARE_S = 5.0  # beyond the wall limit, which should be what ends an endless loop
EVENTS_BYTES = 32 * MIB
MAX_CACHED_CASES = 4096
ENTRY = "steelyard_run.py"
CONFIGURATIONS = ("pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
# Python 3.11 raises SystemError if two threads parse sources that give warnings.
_PARSING = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCode:
    """An answer's code: the main text, and named files."""

    main: str
    files: Mapping[str, str] = field(default_factory=dict)


def read_tests(case: Case) -> TestsSource:
    """Parse the graded tests; raises InputError if no answer could pass them."""
    helpers = frozenset((path, text) for path, text in case.files.items() if path.endswith(".py"))
    try:
        tests = _read_tests(case.expectations.tests, setting(case, "entry_point"), helpers)
    except (SyntaxError, ValueError) as error:
        raise InputError(f"case {case.id}: syntax error in tests: {error}") from error
    if tests.is_idle:
        raise InputError(
            f"case {case.id}: the tests run nothing: no function has a name that begins with `test`, "
            f"and no statement asserts or calls anything"
        )
    return tests


@lru_cache(maxsize=MAX_CACHED_CASES)
def _read_tests(source: str, entry_point: str, helpers: frozenset[tuple[str, str]]) -> TestsSource:
    with _PARSING:
        tests = read_source(source, entry_point=entry_point)
        imported = [
            text
            for path, text in helpers
            if PurePosixPath(path).name == "conftest.py"
            or path.partition("/")[0].removesuffix(".py") in tests.imported
        ]
        return replace(tests, helper_assertions=sum(map(count_assertions, imported)))


def read_code(case: Case, answer: str, *, is_program: bool = False) -> AnswerCode | None:
    """Extract an answer's code and prepend the case's prefix; None if there is no code."""
    prefix = setting(case, "prefix")
    if is_raw(case):
        return AnswerCode(main=prefix + answer) if answer.strip() else None
    extracted = extract(answer, "python", files=case.files, is_program=is_program)
    if not extracted.is_code:
        return None
    return AnswerCode(main=prefix + extracted.code, files=extracted.files)


def _required_names(case: Case) -> list[str]:
    """Return the names that the answer must define."""
    names = (*case.expectations.functions, *case.expectations.types, setting(case, "entry_point"))
    return sorted(set(filter(None, names)))


def _workspace(case: Case, code: AnswerCode, module: str) -> dict[str, str]:
    """Merge the case's files with those of the answer, which may not replace protected ones."""
    editable = editable_files(case.files, SOURCES)
    fixed = {path: text for path, text in case.files.items() if path not in editable}
    added = {path: text for path, text in code.files.items() if path not in fixed and not is_test_file(path)}
    main = answer_path(module)
    # A diff changes files of the case, and need not touch the main one.
    is_changed_elsewhere = main in case.files and main not in code.files and bool(added.keys() & editable)
    if main not in fixed and not is_changed_elsewhere:
        added[main] = code.main
    return {**case.files, **fitting(added, (*fixed, ENTRY))}


def command(case: Case, code: AnswerCode, tests: TestsSource, interpreter: Interpreter) -> Command:
    """Build the command that runs the (sealed) tests."""
    module = module_of(case, tests)
    tests_file = tests_path(case, module)
    files = _workspace(case, code, module)
    editable = editable_files(case.files, SOURCES)
    job = {
        "code": files.get(answer_path(module), code.main),
        "module": module,
        "tests": tests.source,
        "tests_file": tests_file,
        "runner": tests.runner.value,
        "lines": sorted(tests.lines),
        "shares_names": bool(tests.undefined) or module.partition(".")[0] not in tests.imported,
        "library": sorted(tests.undefined & sys.stdlib_module_names),
        "entry_point": setting(case, "entry_point"),
        "required": _required_names(case),
        "configuration": next((name for name in CONFIGURATIONS if name in case.files), "/dev/null"),
        "has_plugins": bool(interpreter.packages),
        "search": (*interpreter.packages, *interpreter.search),
    }
    contents = {path: text.encode("utf-8", "replace") for path, text in files.items()}
    return Command(
        argv=(*interpreter.argv, ENTRY),
        files={**contents, tests_file: tests.source.encode("utf-8", "replace"), ENTRY: SCRIPT},
        read_only=frozenset({*(case.files.keys() - editable), tests_file}),
        binds=interpreter.binds,
        stdin=marshal.dumps(job, MARSHAL_VERSION),
        channel=True,
        loopback=tests.needs_loopback,
        limits=Limits(
            wall_s=case.timeout_s,
            cpu_s=case.timeout_s + CPU_SPARE_S,
            memory_bytes=memory_bytes(case, default=MEMORY_BYTES),
            processes=64,
            output_bytes=EVENTS_BYTES,
        ),
    )
