"""Compute expected results by running the reference, for benchmarks that ship inputs only.

The reference runs in a sandbox like an answer; its results are cached.
"""

import gzip
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from steelyard.checks.forms.calls.checker import code_of, prepare_calls
from steelyard.checks.toolchains.drivers.driver import drivers, warm_options, with_tools
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.case import Case
from steelyard.model.execution import GIB, MIB, Command, Limits
from steelyard.model.graded import Compare, FunctionCall
from steelyard.model.sample import text_digest
from steelyard.ports import Sandbox
from steelyard.runner.check.checkers import warm_up

WALL_S = 1200.0  # a reference may take minutes on a busy machine
LIMITS = Limits(
    wall_s=WALL_S,
    cpu_s=WALL_S,
    memory_bytes=4 * GIB,
    output_bytes=256 * MIB,
    output_total_bytes=512 * MIB,
)
# Characters of a result as JSON. A few HumanEval+ inputs give megabytes each, 300 MB in all; calls with
# longer results are skipped, and their number is reported.
LONGEST = 1 << 18
# The driver's report of each call; None: too long.
Results = list[dict[str, Any] | None]


def with_expected(
    cases: Sequence[Case], sandbox: Sandbox, folder: Path, *, threads: int, notify: Callable[[str], None]
) -> tuple[Case, ...]:
    """Return cases with expected results from their references, cached in a folder."""
    index = folder / f"expected-{_digest(cases)}.json.gz"
    known = _kept(index)
    if known is None:
        notify(f"running {len(cases)} references to compute expected results; this is done once")
        warm = warm_up(sandbox, warm_options())
        with ThreadPoolExecutor(threads) as pool:
            all_results = list(pool.map(lambda case: results_of_reference(case, warm), cases))
        known = {case.id: results for case, results in zip(cases, all_results, strict=True)}
        folder.mkdir(parents=True, exist_ok=True)
        draft = index.with_suffix(".draft")
        draft.write_bytes(gzip.compress(json.dumps(known).encode(), mtime=0))
        draft.replace(index)
    if dropped := sum(result is None for results in known.values() for result in results):
        notify(f"{dropped} inputs are skipped: their results are longer than {LONGEST:,} characters")
    return tuple(expecting(case, known[case.id]) for case in cases)


def results_of_reference(case: Case, sandbox: Sandbox) -> Results:
    """Return the reference's result of each call."""
    recipe = with_tools(drivers()[case.language].recipe)
    code = code_of(case, case.reference or "", case.language)
    if code is None:
        raise InputError(f"case {case.id}: has no reference to compute expected results")
    ran = sandbox.run(
        Command(
            argv=recipe.run,
            files={name: text.encode() for name, text in {**recipe.files, recipe.answer: code.code}.items()},
            stdin=prepare_calls(case).message,
            channel=True,
            limits=LIMITS,
        )
    )
    written = ((line, json.loads(line)) for line in ran.channel.text.splitlines())
    lines = [text if len(line) <= LONGEST else None for line, text in written if "call" in text]
    if len(lines) != len(case.expectations.calls):
        raise InfrastructureError(
            f"case {case.id}: its reference gave {len(lines)} results for {len(case.expectations.calls)} "
            f"calls ({ran.limit or ran.exit_code})"
        )
    return lines


def expecting(case: Case, results: Results) -> Case:
    """Return the case with these expected results."""
    expectations = case.expectations
    is_present = expectations.compare is Compare.EXISTS
    calls = tuple(
        _expecting(call, line, is_present=is_present)
        for call, line in zip(expectations.calls, results, strict=True)
        if line is not None
    )
    return replace(case, expectations=replace(expectations, calls=calls))


def _expecting(call: FunctionCall, line: dict[str, Any], *, is_present: bool) -> FunctionCall:
    if is_present:
        value = line.get("returns", True)
        return replace(call, returns=value if isinstance(value, bool) else value is not None)
    if "raises" in line:
        return replace(call, raises=line["raises"][0])
    return replace(call, returns=line["returns"])


def _digest(cases: Sequence[Case]) -> str:
    """Return the cache key: calls, references and driver."""
    forms = sorted((case.id, case.digest, case.reference or "") for case in cases)
    digests = sorted({drivers()[case.language].digest for case in cases})
    return text_digest(json.dumps([digests, forms]))


def _kept(path: Path) -> dict[str, Results] | None:
    if not path.is_file():
        return None
    try:
        result: dict[str, Results] = json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, ValueError):
        return None  # damaged: compute again
    return result
