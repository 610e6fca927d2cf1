"""Put together the grader's input for one answer."""

import ast
import marshal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

from steelyard.checks.extraction.extract import extract
from steelyard.checks.extraction.paths import fitting
from steelyard.checks.limits import memory_bytes
from steelyard.checks.python.allowed import MODULES, not_allowed, top_imports, top_module
from steelyard.checks.python.definitions import complete
from steelyard.checks.python.grader_runtime import collect
from steelyard.checks.python.grader_runtime.steps import steps
from steelyard.checks.python.interpreter import SHARED_SCRIPT, Interpreter, pytest_packages
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.execution import GIB, Command, Limits

SETTINGS = {
    "runner": {"auto", "direct", "pytest"},
    "answer": {"extract", "raw"},
    "entry_point": None,
    "module": None,
    "prefix": None,
    "memory_mb": None,
    "isolation": {"apart", "shared"},
}
MEMORY_BYTES = 4 * GIB  # as EvalPlus allows
# Python 3.11 mixes up two threads that parse at once, if the source gives a warning: SystemError.
_PARSING = threading.Lock()
Helpers = frozenset[tuple[str, str]]  # the case's files in Python
REMEMBERED = 1024  # cases whose tests are kept compiled
EVERY_PYTHON = 4  # the version of the format that every Python since 3.4 reads
CPU_SPARE_S = 5.0  # so that the wall clock, which is the same for all answers, ends an endless loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Tests:
    """The graded tests of a case, read and compiled once."""

    source: str
    names: tuple[str, ...]
    runner: str
    asks_for_pytest: bool  # be it to run them, or for no more than `pytest.raises`
    is_idle: bool  # whether they only define functions that are never called
    lost: tuple[str, ...]  # those whose bodies nothing would run
    asserts: int
    may_vary: bool  # whether which tests there are may depend on the answer
    steps: bytes  # the code of the tests, marshalled
    wanted: frozenset[str]  # names that the answer may define for them
    library: frozenset[str]  # names that stand for modules of the standard library

    __test__ = False  # for pytest, which would take this class for tests because of its name


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCode:
    """An answer's code: what is graded, and what lies beside it."""

    main: str
    files: Mapping[str, str] = field(default_factory=dict)


def setting(case: Case, name: str, default: str = "") -> str:
    """Return a setting of the case, or say which values it may have."""
    value = case.expectations.settings.get(name, default)
    allowed = SETTINGS[name]
    if allowed is not None and value not in allowed:
        raise InputError(
            f"case {case.id}: settings.{name} is {value!r}; it may be {', '.join(sorted(allowed))}"
        )
    return value


def read_tests(case: Case) -> Tests:
    """Read the graded tests, or say what is wrong with them: that is the case's fault, never the answer's."""
    entry_point, module = setting(case, "entry_point"), setting(case, "module", "solution")
    with _parsing(case):
        runner = setting(case, "runner", "auto")
        needs_pytest = _needs_pytest(case.expectations.tests, _helpers(case))
        found = _tests(case.expectations.tests, runner, entry_point, module, needs_pytest=needs_pytest)
    _refuse_idle(case, is_idle=found.is_idle, lost=found.lost)
    _refuse_names(case)
    return found


def require_gradable(case: Case) -> None:
    """Refuse tests as `read_tests` does, and sooner: nothing is compiled."""
    with _parsing(case):
        tree = ast.parse(case.expectations.tests)
    is_idle = _is_idle(tree, collect.names_of_tests(tree, entry_point=setting(case, "entry_point")))
    _refuse_idle(case, is_idle=is_idle, lost=collect.never_awaited(tree))
    _refuse_names(case)


@contextmanager
def _parsing(case: Case) -> Iterator[None]:
    """Read the tests of one case at a time, and say whose they are if they are no Python."""
    try:
        with _PARSING:
            yield
    except (SyntaxError, ValueError) as error:
        raise InputError(f"case {case.id}: the graded tests are no Python: {error}") from error


def _refuse_idle(case: Case, *, is_idle: bool, lost: Sequence[str]) -> None:
    if is_idle:
        raise InputError(
            f"case {case.id}: the graded tests run nothing: they define functions that are never called, or "
            f"stand below `if __name__`; begin their names with test"
        )
    if lost:
        raise InputError(
            f"case {case.id}: nothing would run the body of {lost[0]}: a test has no `yield`, and an `async` "
            f"one stands outside of unittest.TestCase (IsolatedAsyncioTestCase runs it)"
        )


def _refuse_names(case: Case) -> None:
    """Refuse what tests, and files of the case that they import, may not use where they are apart."""
    if "conftest.py" in case.files:
        raise InputError(f"case {case.id}: conftest.py is not loaded: put its fixtures into the tests")
    if shares_process(case):
        return
    with _parsing(case):
        sources = (case.expectations.tests, complete(setting(case, "prefix")))
        own = frozenset({*required_names(case), setting(case, "module", "solution")})
        found = _not_allowed(sources, _helpers(case), own)
    if found:
        raise InputError(
            f"case {case.id}: its tests use {', '.join(found)}, which tests apart from the answer may not: "
            f'leave it out, or set settings.isolation = "shared"{_answers_name(case, found[0])}'
        )


def _answers_name(case: Case, found: str) -> str:
    """Return what to do if tests that name nothing else of the answer import it under another name."""
    top, module = found.partition(".")[0], setting(case, "module", "solution")
    if top in sys.stdlib_module_names or collect.wanted_names(case.expectations.tests, module=module):
        return ""
    return f'; if {top} is the answer, set settings.module = "{top}"'


def _helpers(case: Case) -> Helpers:
    return frozenset((path, text) for path, text in case.files.items() if path.endswith(".py"))


@lru_cache(maxsize=REMEMBERED)
def _not_allowed(sources: tuple[str, ...], helpers: Helpers, own: frozenset[str]) -> tuple[str, ...]:
    """Return what is not allowed in tests, and in files of the case that they import."""
    read = _with_imported(sources, helpers)
    files = {top_module(path) for path, _ in helpers}
    names = dict.fromkeys(not_allowed(read, own=own, files=files))
    return tuple(name for name in names if not any(other.startswith(f"{name}.") for other in names))


def _with_imported(sources: Sequence[str], helpers: Helpers) -> list[str]:
    """Return sources with the files of the case that they, or these in turn, import."""
    read, left = [*sources], dict(helpers)
    for source in read:
        wanted = top_imports(ast.parse(source))
        read += [left.pop(path) for path in [*left] if top_module(path) in wanted]
    return read


def _is_idle(tree: ast.Module, names: list[str]) -> bool:
    return names == [collect.WHOLE] and collect.runs_nothing(tree)


@lru_cache(maxsize=REMEMBERED)
def _needs_pytest(source: str, helpers: Helpers) -> bool:
    """Whether a file of the case that tests import needs pytest, be it to set up the tests."""
    return any(collect.needs_pytest(ast.parse(text)) for text in _with_imported([source], helpers)[1:])


@lru_cache(maxsize=REMEMBERED)
def _tests(source: str, runner: str, entry_point: str, module: str, *, needs_pytest: bool) -> Tests:
    tree = ast.parse(source)
    names = collect.names_of_tests(tree, entry_point=entry_point)
    asks_for_pytest = runner == "pytest" or collect.needs_pytest(tree) or needs_pytest
    if runner == "auto":
        is_for_pytest = asks_for_pytest and collect.defines_tests(tree) and collect.CHECK not in names
        runner = "pytest" if is_for_pytest else "direct"
    wanted = collect.wanted_names(source, module=module, entry_point=entry_point)
    return Tests(
        source=source,
        names=tuple(names),
        runner=runner,
        asks_for_pytest=asks_for_pytest,
        is_idle=_is_idle(tree, names),
        lost=tuple(collect.never_awaited(tree)),
        asserts=sum(collect.is_assertion(node) or collect.expects_error(node) for node in ast.walk(tree)),
        may_vary=runner == "pytest" or collect.may_vary(tree),
        wanted=frozenset(wanted),
        library=frozenset(collect.library_modules(tree) & wanted & MODULES.keys()),
        steps=marshal.dumps(steps(tree, names)),  # last: it changes the tree
    )


def read_code(case: Case, answer: str, *, is_program: bool = False) -> AnswerCode | None:
    """Return the code in an answer with the case's own code before it, or None when there is none."""
    prefix = setting(case, "prefix")
    if setting(case, "answer", "extract") == "raw":
        return AnswerCode(main=prefix + answer) if answer.strip() else None
    found = extract(answer, "python", files=case.files, is_program=is_program)
    if not found.found:
        return None
    beside = {
        path: text for path, text in found.files.items() if text != found.code and path not in case.files
    }
    return AnswerCode(main=prefix + found.code, files=beside)


def required_names(case: Case) -> list[str]:
    """Return the names that the answer must define."""
    named = (*case.expectations.functions, *case.expectations.types, setting(case, "entry_point"))
    return sorted({name for name in named if name})


def shares_process(case: Case) -> bool:
    """Whether tests and answer run in one process."""
    return setting(case, "isolation", "apart") == "shared"


def command(case: Case, code: AnswerCode, tests: Tests, *, key: bytes, interpreter: Interpreter) -> Command:
    """Return the command that grades one answer."""
    binds, search = pytest_packages() if tests.asks_for_pytest else ((), ())
    is_shared = shares_process(case)
    packages = interpreter.packages if is_shared else interpreter.test_packages
    job = {
        "key": key,
        "code": code.main,
        "module": setting(case, "module", "solution"),
        "tests": tests.source,
        "runner": tests.runner,
        "entry_point": setting(case, "entry_point"),
        "helpers": "" if is_shared else complete(setting(case, "prefix")),
        "names": tests.names,
        "steps": tests.steps if interpreter.is_own else b"",  # another version could not run them
        "library": sorted(tests.library),
        "wanted": sorted({*tests.wanted, *required_names(case)}),
        "demanded": required_names(case),
        "files": {path: text for path, text in case.files.items() if path.endswith(".py")},
        "search": [*search, *packages],
    }
    given = {path: text.encode("utf-8", "replace") for path, text in case.files.items()}
    ours = (*given, "grade.py")
    brought = {path: text.encode("utf-8", "replace") for path, text in fitting(code.files, ours).items()}
    script = SHARED_SCRIPT if is_shared else interpreter.script
    return Command(
        argv=(*interpreter.argv, "grade.py", *(() if is_shared else interpreter.packages)),
        files={**brought, **given, "grade.py": script},
        read_only=frozenset(given),
        binds=(*interpreter.binds, *binds),
        stdin=marshal.dumps(job, EVERY_PYTHON),
        channel=True,
        limits=_limits(case),
    )


def _limits(case: Case) -> Limits:
    return Limits(
        wall_s=case.timeout_s,
        cpu_s=case.timeout_s + CPU_SPARE_S,
        memory_bytes=memory_bytes(case, default=MEMORY_BYTES),
        processes=64,
    )
