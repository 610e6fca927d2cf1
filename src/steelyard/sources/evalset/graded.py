"""Find what is wrong with the graded tests of a case that are plain data: `calls` and `io`."""

import re
from collections.abc import Iterator

from steelyard.model.graded import FOR_CALLS, FOR_IO, Compare
from steelyard.sources.evalset.shape import CaseTable, ExpectationsTable
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import quote

_VARIABLE = re.compile(r"\{\{[^{}]*\}\}")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*")


def graded_problems(case: CaseTable, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Find keys that contradict each other or lack a partner."""
    who, here = f"case {quote(case.id)}", (*at, "expectations")
    for key, problem in _problems(case.expectations):
        yield (*here, *key), f"{who}: {problem}"


def _problems(table: ExpectationsTable) -> Iterator[tuple[KeyPath, str]]:
    forms = [name for name in ("tests", "test_file", "calls", "io") if getattr(table, name)]
    if len(forms) > 1 and {"calls", "io"} & set(forms):
        yield (
            (forms[-1],),
            f"has {' and '.join(forms)}; a case has one form of graded tests, leave the others out",
        )
    if table.calls and not table.function:
        yield ("calls",), "'calls' needs the name of the function; add function = …"
    if table.function and not table.calls:
        yield (
            ("function",),
            "'function' belongs to 'calls', and there are none; add [[cases.expectations.calls]]",
        )
    if table.function and not _NAME.fullmatch(_VARIABLE.sub("x", table.function)):
        yield ("function",), f"{quote(table.function)} is no name of a function"
    for index, call in enumerate(table.calls):
        if call.raises is not None and call.returns is not None:
            yield (
                ("calls", index, "raises"),
                "a call cannot have both 'returns' and 'raises'; leave one of them out",
            )
    yield from _comparison(table)


def _comparison(table: ExpectationsTable) -> Iterator[tuple[KeyPath, str]]:
    used = [name for name in ("compare", "tolerance", "comparator") if getattr(table, name) not in {None, ""}]
    if used and not table.calls and not table.io:
        yield (used[0],), f"{used[0]!r} belongs to 'calls' or 'io', and there are none"
        return
    allowed = FOR_CALLS if table.calls else FOR_IO
    if table.compare is not None and table.compare not in allowed:
        known = ", ".join(sorted(allowed))
        yield ("compare",), f"compare = {quote(table.compare)} does not fit here; it may be {known}"
    if (table.compare is Compare.PROGRAM) is not bool(table.comparator):
        yield ("compare",), "compare = \"program\" and 'comparator' go together; one of them is missing"
    if table.tolerance is not None and table.io and table.compare is not Compare.NUMBERS:
        yield ("tolerance",), "for programs, 'tolerance' belongs to compare = \"numbers\""
