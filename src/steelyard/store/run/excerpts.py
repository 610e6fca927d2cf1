"""Choose samples of a run to show beside its report, and cut what is long.

Spread evenly over the cases that scores count, and limited in characters for any size of run.
"""

from collections.abc import Callable
from pathlib import Path

from steelyard.model.run import Manifest
from steelyard.model.sample import CaseTexts, SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD
from steelyard.store.database import load_sql
from steelyard.store.run.files import reading, rows_of
from steelyard.store.run.progress import planned_cases
from steelyard.store.run.run_store import RunStore, open_run, retry_on_conflict

TextsOf = Callable[[CaseKey], CaseTexts | None]

LONGEST = 4_000  # characters of one answer
TURNS = 10  # samples of one case
CHARACTERS = 32_000_000
MOST_ROWS = 5_000_000  # a larger run shows none: choosing them would take longer than the report
COST_OF_A_ROW = 60  # bytes of a sample without text


def excerpts_of_run(
    address: str | Path, about: TextsOf = lambda _: None, *, threads: int | None = None
) -> tuple[SampleExcerpt, ...]:
    """Return samples of a run round-robin over cases."""
    return retry_on_conflict(open_run(address), lambda store: _excerpts(store, about, threads))


def _excerpts(store: RunStore, about: TextsOf, threads: int | None) -> tuple[SampleExcerpt, ...]:
    if sum(file.rows for file in store.outcomes.files()) > MOST_ROWS:
        return ()
    with reading(store.samples, threads=threads) as connection:
        checked = f"SELECT * FROM ({rows_of(store.outcomes)}){_counted(store.manifest)}"
        connection.execute(f"CREATE TEMP VIEW outcomes AS {checked}")
        limits = {
            "longest": LONGEST,
            "turns": TURNS,
            "characters": CHARACTERS,
            "cost_of_a_row": COST_OF_A_ROW,
        }
        rows = connection.execute(load_sql("sample_excerpts"), limits).fetchall()
    return tuple(_excerpt(*row, about=about) for row in rows)


def _counted(manifest: Manifest) -> str:
    """Return SQL that keeps current forms of cases only, and no honeypots."""
    cases = tuple(case for case in manifest.current_cases() if not case.honeypot)
    if len(cases) == len(manifest.cases):
        return ""
    keys = ", ".join(map(str, planned_cases(manifest, cases))) or "NULL"
    return f" WHERE case_key IN ({keys})"


def _excerpt(  # noqa: PLR0913, PLR0917  # a row of the question
    model: str,
    tier: str,
    suite: str,
    case: str,
    attempt: int,
    classification: str,
    passed: bool | None,  # noqa: FBT001  # as above
    score_micro: int | None,
    tests_passed: int | None,
    tests_failed: int | None,
    lint_warnings: int | None,
    diagnostic_errors: int | None,
    cost_nano: int | None,
    latency_us: int | None,
    text: str | None,
    text_length: int,
    detail: str,
    detail_length: int,
    integrity: str | None,
    sealed_assertions: int | None,
    open_assertions: int | None,
    *,
    about: TextsOf,
) -> SampleExcerpt:
    key = CaseKey(model, tier, suite, case)
    return SampleExcerpt(
        key=key,
        attempt=attempt,
        classification=classification,
        passed=passed,
        score=None if score_micro is None else score_micro / MICRO_POINTS,
        tests_passed=tests_passed,
        tests_failed=tests_failed,
        lint_warnings=lint_warnings,
        diagnostic_errors=diagnostic_errors,
        cost_usd=None if cost_nano is None else cost_nano / NANO_USD,
        latency_s=None if latency_us is None else latency_us / MICROSECONDS,
        text=text,
        text_length=text_length,
        detail=detail,
        detail_length=detail_length,
        integrity=integrity,
        sealed_assertions=sealed_assertions,
        open_assertions=open_assertions,
        about=about(key),
    )
