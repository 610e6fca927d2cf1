"""Read the Python of a case: its reference as one program, the names it defines, its expected values."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from steelyard.checks.toolchains.python.job import read_code
from steelyard.checks.toolchains.python.settings import setting
from steelyard.languages.interpreted import PYTHON
from steelyard.model.case import Case


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedValue:
    """A call in the tests and the value it must return, as source."""

    call: str
    value: str


def is_python(case: Case) -> bool:
    """Whether answers to a case are Python that tests can fail."""
    return case.language == PYTHON.name and case.task is None and case.expectations.has_tests


def with_raw_answers(case: Case) -> Case | None:
    """Return the case with whole programs as answers; None if the reference is not one Python file."""
    if not is_python(case) or case.reference is None:
        return None
    code = read_code(case, case.reference)
    if code is None or code.files or not _is_python_source(code.main):
        return None
    settings = {**case.expectations.settings, "answer": "raw"}
    settings.pop("prefix", None)
    return replace(case, reference=code.main, expectations=replace(case.expectations, settings=settings))


def prefix_lines(case: Case) -> int:
    """Return how many lines of a program the case itself prepends."""
    return setting(case, "prefix").count("\n")


def defined_names(source: str) -> tuple[list[str], list[str]]:
    r"""Return the functions and classes at the top of a program.

    >>> defined_names("class Cart: ...\ndef total(): ...")
    (['total'], ['Cart'])
    """
    body = ast.parse(source).body
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return functions, [node.name for node in body if isinstance(node, ast.ClassDef)]


def expected_values(case: Case) -> Iterator[ExpectedValue]:
    """Yield the plain values that calls in the tests must return."""
    expectations = case.expectations
    for call in expectations.calls:
        arguments = [*map(repr, call.args), *(f"{name}={value!r}" for name, value in call.kwargs.items())]
        if call.raises is None:
            yield ExpectedValue(
                call=f"{expectations.function}({', '.join(arguments)})", value=repr(call.returns)
            )
    if case.language != PYTHON.name or not _is_python_source(expectations.tests):
        return
    entry_point = setting(case, "entry_point")
    for node in ast.walk(ast.parse(expectations.tests)):
        if isinstance(node, ast.Assert):
            yield from _expected_by(node.test, entry_point)


def _expected_by(test: ast.expr, entry_point: str) -> Iterator[ExpectedValue]:
    match test:
        case ast.Compare(left=ast.Call() as call, ops=[ast.Eq() | ast.Is()], comparators=[value]):
            pass
        case ast.Compare(left=value, ops=[ast.Eq() | ast.Is()], comparators=[ast.Call() as call]):
            pass
        case _:
            return
    if _is_plain(value):
        text = ast.unparse(call)
        is_check = bool(entry_point) and text.startswith("candidate(")
        yield ExpectedValue(
            call=text.replace("candidate", entry_point, 1) if is_check else text, value=ast.unparse(value)
        )


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _is_python_source(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True
