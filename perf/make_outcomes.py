"""Make a run of any size: 10^8 outcomes by default, or fewer with the answers themselves beside them.

The rows are a function of their place alone, so that two runs of one size are equal. A finished run is
sorted by case and lies in few large files; `--chunk` leaves it unfinished, as a killed driver would.
Run: python perf/make_outcomes.py FOLDER [--outcomes 1e8] [--answer-bytes 2000] [--chunk 500]
"""

import argparse
import sys
import time
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path

import duckdb
from arro3.core import Table

from steelyard.metrics.rules import describe_rule
from steelyard.metrics.scoring import BuildTestLint
from steelyard.model.run import Manifest, RunCase, Subject, case_key
from steelyard.store.run.columns import OUTCOME_COLUMNS, SAMPLE_COLUMNS
from steelyard.store.run.run_store import RunStore, create_run, is_run, open_run

MODELS, CASES, SUITES, TIER = 20, 1_000, 5, "T0"
LINE_BYTES, LINES = 50, 1_000  # answers are put together from so many different lines of code, …
NAME_BYTES = 8  # … each with a name of its own at the end, so that they compress about as code does

# One row in a thousand is an error of our own; of the others 60 % pass, 30 % fail, 10 % do not build or hang.
# `place` numbers the rows in the order in which they are written, `i` in the order of a finished table.
DRAWN = """
    SELECT
        i,
        i // {attempts} AS subject_case,
        (i // {attempts}) % {cases} AS one_case,
        CAST(i % {attempts} AS INTEGER) AS attempt,
        hash(i) % 1000 = 0 AS broke,
        hash(i) % 100 AS luck,
        hash(i) >> 20 AS noise
    FROM (SELECT place, {order} AS i FROM range({start}, {stop}) t(place))
"""
KEY = """
        'vendor/model-' || lpad(CAST(subject_case // {cases} AS VARCHAR), 2, '0') AS model,
        '{tier}' AS tier,
        'suite-' || CAST(one_case % {suites} AS VARCHAR) AS suite,
        'case-' || lpad(CAST(one_case AS VARCHAR), 4, '0') AS case_id,
        attempt,
        getvariable('digests')[one_case + 1] AS case_digest,
        getvariable('keys')[subject_case + 1] AS case_key,
"""
BILL = """
        CAST(1000000 + noise % 5000 * 1000 AS BIGINT) AS cost_nano_usd,
        CAST(200000 + (noise >> 4) % 4000000 AS BIGINT) AS latency_us,
        CAST(500 + one_case AS BIGINT) AS tokens_in,
        CAST(100 + (noise >> 8) % 900 AS BIGINT) AS tokens_out,
"""
OUTCOMES = f"""
    SELECT
        {KEY}
        CASE
            WHEN broke THEN 'error'
            WHEN luck < 60 THEN 'pass'
            WHEN luck < 90 THEN 'fail'
            WHEN luck < 95 THEN 'build_error'
            ELSE 'timeout'
        END AS classification,
        CASE WHEN NOT broke THEN luck < 60 END AS passed,
        CAST(CASE
            WHEN broke THEN NULL
            WHEN luck < 60 THEN 1000000 - noise % 3 * 10000
            WHEN luck < 90 THEN 400000 + luck % 5 * 100000 + 100000 - noise % 3 * 10000
            ELSE 0
        END AS INTEGER) AS score_micro,
        CAST(CASE
            WHEN broke THEN NULL
            WHEN luck < 60 THEN 1000000
            WHEN luck < 90 THEN luck % 5 * 200000
            ELSE 0
        END AS INTEGER) AS tests_micro,
        false AS untested,
        false AS unlinted,
        CASE WHEN NOT broke THEN luck < 90 END AS built,
        CAST(CASE
            WHEN broke THEN NULL
            WHEN luck < 60 THEN 5
            WHEN luck < 90 THEN luck % 5
            ELSE 0
        END AS INTEGER) AS tests_passed,
        CAST(CASE
            WHEN broke THEN NULL
            WHEN luck < 60 THEN 0
            WHEN luck < 90 THEN 5 - luck % 5
            ELSE 5
        END AS INTEGER) AS tests_failed,
        CAST(CASE WHEN NOT broke THEN 0 END AS INTEGER) AS tests_ignored,
        CAST(NULL AS VARCHAR) AS no_tests,
        CAST(CASE WHEN NOT broke THEN noise % 3 END AS INTEGER) AS lint_warnings,
        CAST(NULL AS INTEGER) AS diagnostic_errors,
        CAST(NULL AS INTEGER) AS diagnostic_warnings,
        CAST(NULL AS INTEGER) AS impl_micro,
        {BILL}
        CAST(80000 + (noise >> 12) % 200000 AS BIGINT) AS check_us,
        CAST(50000000 + (noise >> 16) % 64 * 1048576 AS BIGINT) AS peak_memory_bytes,
        false AS is_shared,
        'c0ffee' AS check_digest,
        {{answer_digest}} AS answer_digest,
        '' AS detail,
        CAST(NULL AS VARCHAR) AS judgement,
        CAST(NULL AS VARCHAR) AS integrity,
        CAST(NULL AS INTEGER) AS sealed_assertions,
        CAST(NULL AS INTEGER) AS open_assertions
    FROM ({DRAWN})
"""
SAMPLES = f"""
    SELECT *, md5(text) AS answer_digest FROM (
        SELECT
            {KEY}
            {BILL}
            CAST(0 AS BIGINT) AS tokens_cached,
            CAST(NULL AS BIGINT) AS tokens_reasoning,
            CAST(150000 + (noise >> 10) % 50000 AS BIGINT) AS first_byte_us,
            CAST(1700000000000000 + i * 1000 AS BIGINT) AS generated_at_us,
            CAST(NULL AS VARCHAR) AS error,
            'stop' AS finish_reason,
            getvariable('digests')[one_case + 1] AS prompt_digest,
            'da7a' AS parameters_digest,
            'req_' || md5(CAST(i AS VARCHAR)) AS request_id,
            CAST(NULL AS VARCHAR) AS egress,
            array_to_string(
                list_transform(
                    range({{answer_lines}}),
                    lambda x: getvariable('lines')[1 + CAST(hash(i * 1000 + x) % {{lines}} AS BIGINT)]
                        || substr(hex(hash(i * 1000 + x)), 1, 8)
                ),
                chr(10)
            ) AS text
        FROM ({DRAWN})
    )
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large the run is to be."""

    outcomes: int
    answer_bytes: int = 0  # 0: no samples, only outcomes
    chunk: int | None = None  # None: a finished run
    cases: int = CASES

    @property
    def attempts(self) -> int:
        """Samples of one subject's case."""
        return max(1, self.outcomes // (MODELS * self.cases))

    @property
    def rows(self) -> int:
        """Rows that there will be: full attempts for every case."""
        return MODELS * self.cases * self.attempts


def main() -> int:
    """Make the run, unless it is there already, and say what lies where."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--outcomes", type=lambda text: int(float(text)), default=100_000_000)
    parser.add_argument(
        "--answer-bytes", type=int, default=0, help="also write samples with answers this long"
    )
    parser.add_argument(
        "--chunk", type=int, help="leave the run unfinished, committed in chunks of so many rows"
    )
    given = parser.parse_args()
    size = Size(outcomes=given.outcomes, answer_bytes=given.answer_bytes, chunk=given.chunk)
    started = time.perf_counter()
    store = make_run(given.folder, size)
    for table in (store.outcomes, store.samples):
        files = table.files()
        rows, stored = sum(file.rows for file in files), sum(file.size_bytes for file in files)
        print(f"{table.location.address}: {rows:,} rows, {len(files)} files, {stored / 2**20:,.0f} MiB")
    print(f"{time.perf_counter() - started:.1f} s")
    return 0


def make_run(folder: Path, size: Size) -> RunStore:
    """Make a run of that size, or take the one that is there."""
    if is_run(folder):
        return open_run(folder)
    store = create_run(folder, _manifest(size))
    with duckdb.connect() as connection:
        _set_names(connection, store.manifest)
        if size.chunk is None:
            _write_sorted(store, connection, size)
        else:
            _write_chunks(store, connection, size, size.chunk)
    return store


def _manifest(size: Size) -> Manifest:
    cases = (
        RunCase(
            suite=f"suite-{place % SUITES}",
            case=f"case-{place:04d}",
            digest=md5(str(place).encode(), usedforsecurity=False).hexdigest(),
        )
        for place in range(size.cases)
    )
    return Manifest(
        id=f"generated-{size.outcomes}",
        created_at="2026-01-01T00:00:00Z",
        generator="perf/make_outcomes.py",
        scoring=describe_rule(BuildTestLint()),
        subjects=tuple(Subject(model=f"vendor/model-{place:02d}", tier=TIER) for place in range(MODELS)),
        cases=tuple(cases),
        planned_samples=size.attempts,
    )


def _set_names(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    """Give the engine what only Python can compute: digests of cases and keys of subjects' cases."""
    keys = [
        case_key(subject.model, subject.tier, case.suite, case.case, case.digest)
        for subject in manifest.subjects
        for case in manifest.cases
    ]
    lines = [
        f"    let v{n:03d} = items.iter().map(|x| x * {n * 7919 % 997:03d}) // "[
            : LINE_BYTES - NAME_BYTES - 1
        ]
        for n in range(LINES)
    ]
    for name, value in (
        ("keys", keys),
        ("digests", [case.digest for case in manifest.cases]),
        ("lines", lines),
    ):
        connection.execute(f"SET VARIABLE {name} = ?", [value])


def _write_sorted(store: RunStore, connection: duckdb.DuckDBPyConnection, size: Size) -> None:
    store.outcomes.replace_all(connection.sql(_sql(OUTCOMES, size, order="place")))
    if size.answer_bytes:
        store.samples.replace_all(connection.sql(_sql(SAMPLES, size, order="place")))
    for table in (store.outcomes, store.samples):
        table.checkpoint()
        table.sweep()


def _write_chunks(store: RunStore, connection: duckdb.DuckDBPyConnection, size: Size, chunk: int) -> None:
    """Commit as a driver does that asks all models at once: a chunk holds few cases and every model."""
    case_by_case = f"place % {MODELS} * {size.cases * size.attempts} + place // {MODELS}"
    for start in range(0, size.rows, chunk):
        stop = min(start + chunk, size.rows)
        for table, sql in ((store.samples, SAMPLES), (store.outcomes, OUTCOMES)):
            if table is store.outcomes or size.answer_bytes:
                rows = connection.sql(_sql(sql, size, order=case_by_case, start=start, stop=stop))
                table.add(Table.from_arrow(rows), chunk=f"chunk-{start}")


def _sql(template: str, size: Size, *, order: str, start: int = 0, stop: int | None = None) -> str:
    inner = template.format(
        attempts=size.attempts,
        cases=size.cases,
        suites=SUITES,
        tier=TIER,
        order=order,
        start=start,
        stop=size.rows if stop is None else stop,
        answer_digest="md5(CAST(i AS VARCHAR))" if size.answer_bytes else "CAST(NULL AS VARCHAR)",
        answer_lines=max(1, size.answer_bytes // LINE_BYTES),
        lines=LINES,
    )
    columns = OUTCOME_COLUMNS if template is OUTCOMES else SAMPLE_COLUMNS
    return f"SELECT {', '.join(column.name for column in columns)} FROM ({inner})"


if __name__ == "__main__":
    sys.exit(main())
