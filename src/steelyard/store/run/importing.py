"""Import outcome files as a run.

The rows are counted first, which finds all faults that a report would find; then they are copied.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from secrets import token_bytes

import duckdb

from steelyard.errors import InputError
from steelyard.metrics.rules import rule_for
from steelyard.model.log import LeftOut
from steelyard.model.options import ColumnMapping, Duplicates, RuleChoice, Scoring
from steelyard.model.run import Manifest, RunCase, Subject, case_key
from steelyard.model.state import CaseState, Evidence
from steelyard.model.version import GENERATOR
from steelyard.store.database import load_sql
from steelyard.store.outcomes import Counting, counted_outcomes
from steelyard.store.run.manifest import write_manifest
from steelyard.store.run.origin import host_facts, run_id, tool_versions
from steelyard.store.run.run_store import prepare_run, stopped_import

DEFAULT_RULE = RuleChoice()
DEFAULT_NAMING = ColumnMapping()
UNKNOWN = Scoring(name="given", version=1)  # until the files have been read
LARGEST_ATTEMPT = 2**31 - 1

# Optional columns of outcome files with their types.
_FILE_COLUMNS = {
    **dict.fromkeys(("kind", "attempt", "integrity"), "VARCHAR"),
    **dict.fromkeys(("passed", "untested", "unlinted", "built"), "BOOLEAN"),
    **dict.fromkeys(("score_micro", "tests_micro", "impl_micro", "tests_passed", "tests_failed"), "INTEGER"),
    **dict.fromkeys(("lint_warnings", "sealed_assertions", "open_assertions"), "INTEGER"),
    **dict.fromkeys(("attempt_number", "cost_nano", "latency_us", "tokens_in", "tokens_out"), "BIGINT"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The result of an import; `tool` made the log, and is None for outcome files."""

    manifest: Manifest
    outcomes: int
    duplicates: int = 0  # equal rows of one attempt, of which one is kept
    tool: str | None = None
    left_out: tuple[LeftOut, ...] = ()


def import_files(  # noqa: PLR0913  # what to read, where to keep it, how to name and score it
    outcomes: str | Path | Iterable[str | Path],
    run: str | Path,
    *,
    rule: RuleChoice = DEFAULT_RULE,
    naming: ColumnMapping = DEFAULT_NAMING,
    duplicates: Duplicates = Duplicates.ERROR,
    threads: int | None = None,
) -> Imported:
    """Keep the outcomes of files (CSV, JSONL or Parquet; paths or globs) as a new run at an address."""
    moment = datetime.now(UTC)
    manifest = Manifest(
        id=run_id(moment, token_bytes(4)),
        created_at=moment.isoformat(timespec="seconds"),
        generator=GENERATOR,
        scoring=UNKNOWN,
        subjects=(),
        cases=(),
        tools=tool_versions(),
        host=host_facts(),
    )
    counting = Counting(
        rule_for=partial(rule_for, choice=rule), naming=naming, duplicates=duplicates, threads=threads
    )
    patterns = [outcomes] if isinstance(outcomes, str | Path) else outcomes
    return import_outcomes(patterns, run, manifest, counting)


def import_outcomes(
    patterns: Iterable[str | Path], address: str | Path, manifest: Manifest, counting: Counting
) -> Imported:
    """Write the outcomes of files into a new run.

    Fills in subjects, cases and rule of `manifest`, which is written last: a killed import leaves no run
    behind and can be repeated.
    """
    with counted_outcomes(patterns, counting) as (connection, evidence):
        states = (*evidence.states, *evidence.unknown)
        present = {name for name, *_ in connection.execute("DESCRIBE outcomes").fetchall()}
        filled = _fill_manifest(manifest, evidence, states, attempts_known="attempt" in present)
        store = prepare_run(address, filled, otherwise="name another one: `run=ADDRESS`")
        if store.samples.files():
            raise stopped_import(store, store.samples)
        _create_cases(connection, states)
        _create_rows(connection)
        sql = load_sql("import_outcomes")
        store.outcomes.replace_all(connection.sql(sql))
    write_manifest(store.location, filled)
    return Imported(
        manifest=filled,
        outcomes=sum(state.n + state.n_error for state in states),
        duplicates=sum(evidence.dropped_duplicates.values()),
    )


def _fill_manifest(
    manifest: Manifest, evidence: Evidence, states: Iterable[CaseState], *, attempts_known: bool
) -> Manifest:
    subjects = sorted({state.subject for state in states})
    cases = sorted({(state.suite, state.case, state.digest or "") for state in states})
    for (suite, case, _), following in pairwise(cases):
        if (suite, case) == following[:2]:
            raise InputError(f"case {case!r} has two digests: subjects were given two forms of one case")
    return replace(
        manifest,
        scoring=evidence.scoring,
        subjects=tuple(Subject(model=subject.model, tier=subject.tier) for subject in subjects),
        cases=tuple(RunCase(suite=suite, case=case, digest=digest) for suite, case, digest in cases),
        names_refusals=evidence.names_refusals,
        attempts_known=attempts_known,
    )


def _create_cases(connection: duckdb.DuckDBPyConnection, states: Iterable[CaseState]) -> None:
    names = [(*state[:4], state.digest or "") for state in states]
    values = [*map(list, zip(*names, strict=True)), [case_key(*name) for name in names]]
    columns = ("model", "tier", "suite", "case_id", "case_digest")
    listed = ", ".join(f"unnest(CAST(? AS VARCHAR[])) AS {name}" for name in columns)
    connection.execute(
        f"CREATE TEMP TABLE cases AS SELECT {listed}, unnest(CAST(? AS BIGINT[])) AS case_key", values
    )


def _create_rows(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the view `rows`: the outcomes, with null for missing columns."""
    present = {name for name, *_ in connection.execute("DESCRIBE outcomes").fetchall()}
    missing = [
        f"CAST(NULL AS {kind}) AS {name}" for name, kind in _FILE_COLUMNS.items() if name not in present
    ]
    connection.execute(f"CREATE TEMP VIEW rows AS SELECT {', '.join(['*', *missing])} FROM outcomes")
    ((unnumbered,),) = connection.execute(
        f"SELECT count_if(attempt_number IS NULL OR attempt_number > {LARGEST_ATTEMPT}) FROM rows"
    ).fetchall()
    number = "attempt_number"
    if unnumbered:
        # Named, very large and missing attempts are renumbered in that order.
        number = (
            "row_number() OVER (PARTITION BY model, tier, suite, case_id "
            "ORDER BY attempt_number, CAST(attempt AS VARCHAR)) - 1"
        )
    connection.execute(f"CREATE TEMP VIEW imported AS SELECT *, {number} AS place FROM rows")
