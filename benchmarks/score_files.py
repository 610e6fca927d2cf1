"""Weigh `steelyard score` on 20 million outcomes against a bare DuckDB group-by over the same files.

Each side runs as a process of its own, in turns, so that a noisy machine hits both alike; what counts is
the ratio of the best times. Run: python benchmarks/score_files.py [--rows 20000000] [--repeats 5]
With `--models 1 --cases 100000 --rows 500000` it is one model with very many cases.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import duckdb

FILES = 4
GOAL_RATIO, GOAL_MIB = 1.5, 1536

# The layout of Steelyard's own tables: integers in natural units, rows sorted by subject and case.
ROWS = """
    SELECT
        'provider/model-' || lpad(CAST(i // {per_model} AS VARCHAR), 2, '0') AS model,
        'T0' AS tier,
        'suite-' || CAST((i // {samples}) % {cases} % 5 AS VARCHAR) AS suite,
        'case-' || lpad(CAST((i // {samples}) % {cases} AS VARCHAR), 7, '0') AS "case",
        CAST(i % {samples} AS INTEGER) AS attempt,
        hash(i) % 100 < 60 AS passed,
        CAST(CASE WHEN hash(i) % 100 < 60 THEN 1000000 ELSE hash(i * 7) % 10 * 100000 END AS INTEGER)
            AS score_micro,
        CAST(hash(i * 3) % 100000 * 1000 AS BIGINT) AS cost_nano_usd,
        CAST(hash(i * 5) % 10000000 AS BIGINT) AS latency_us,
        CAST(hash(i * 11) % 2000 AS INTEGER) AS tokens_in,
        CAST(hash(i * 13) % 2000 AS INTEGER) AS tokens_out
    FROM range({start}, {stop}) t(i)
"""
BARE = """
    SELECT model, tier, suite, "case", count(*), count(*) FILTER (passed), sum(score_micro),
        sum(cost_nano_usd), sum(latency_us), sum(tokens_in), sum(tokens_out)
    FROM read_parquet('{pattern}')
    GROUP BY model, tier, suite, "case"
"""


def main() -> int:
    """Make the files, measure both sides, print the figures, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--cases", type=int, default=1_000, help="of each model")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="keep the files here and use them again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        make_files(folder, given.rows, models=given.models, cases=given.cases)
        print(f"{given.rows:,} outcomes, {given.models:,} models x {given.cases:,} cases")
        return _compare(_pattern(folder, given.rows, given.cases), given.repeats)


def _pattern(folder: Path, rows: int, cases: int, part: str = "*") -> str:
    return str(folder / f"outcomes-{rows}-{cases}-{part}.parquet")


def make_files(folder: Path, rows: int, *, models: int, cases: int) -> None:
    """Write the outcomes as Parquet, unless they are there already."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = rows // (models * cases)
    step = rows // FILES
    with duckdb.connect() as connection:
        for place in range(FILES):
            path = _pattern(folder, rows, cases, str(place))
            if Path(path).exists():
                continue
            sql = ROWS.format(
                per_model=samples * cases,
                samples=samples,
                cases=cases,
                start=place * step,
                stop=(place + 1) * step,
            )
            connection.execute(f"COPY ({sql}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")


def _compare(pattern: str, repeats: int) -> int:
    bare = ["-c", f'import duckdb; duckdb.connect().execute("""{BARE.format(pattern=pattern)}""").fetchall()']
    ours = ["-m", "steelyard", "score", pattern, "--pass-k", "1,5,10", "--format", "csv"]
    full = [*ours, "--statistics", "full"]
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in ("bare", "ours", "full")}
    for _ in range(repeats):
        for name, command in (("bare", bare), ("ours", ours), ("full", full)):
            figures[name].append(_measured([sys.executable, *command]))
    best = {name: min(found) for name, found in figures.items()}
    memory = {name: max(mib for _, mib in found) for name, found in figures.items()}
    print(f"best of {repeats} (whole processes)")
    for name, told in (
        ("bare", "bare DuckDB group-by"),
        ("ours", "steelyard score"),
        ("full", "… --statistics full"),
    ):
        ratio = best[name][0] / best["bare"][0]
        print(f"{told:<22} {best[name][0]:6.2f} s  ratio {ratio:5.2f}  peak {memory[name]:6.0f} MiB")
    ratio = best["ours"][0] / best["bare"][0]
    is_met = ratio <= GOAL_RATIO and memory["ours"] <= GOAL_MIB
    print(f"goal: ratio <= {GOAL_RATIO}, peak <= {GOAL_MIB} MiB: {'met' if is_met else 'MISSED'}")
    return 0 if is_met else 1


def _measured(command: Sequence[str]) -> tuple[float, float]:
    """Run a command; return its seconds and its peak memory in MiB."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)[:200]} ended with {process.returncode}")
    return seconds, usage.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
