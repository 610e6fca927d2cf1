"""Weigh the report of a run against the bare engine and against other engines doing less.

Each side runs as a process of its own, in turns, so that a noisy machine hits all alike. The bare side and
the peers compute only n, c and five sums for each case; the report computes everything a report has. What
counts is the ratio of the best times, beside it that of processor seconds, which other people's work on the
machine changes less. Peers need an environment of their own: `python -m venv V && V/bin/pip install polars
pyspark 'ray[data]' aiohttp pyarrow`.
Run: python -m perf.run_store FOLDER [--sizes 1e7 1e8] [--peers V/bin/python] [--repeats 3] [--keep]
"""

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import duckdb

from perf.make_outcomes import CASES, MODELS, Size, make_run
from perf.process_tree import Weight, weigh
from scripts.measured_at import stamp
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.states import states_sql

DATA = Path(__file__).parents[1] / "docs" / "explanation" / "data" / "run-store.json"
PEERS = Path(__file__).parent / "peers.py"
GOAL_RATIO, GOAL_MIB = 1.3, 2048
LIMIT_S = 900.0

BARE = """
import duckdb, json
connection = duckdb.connect()
connection.execute("SET enable_progress_bar = false")
rows = connection.execute('''
    SELECT model, tier, suite, case_id, count(passed), count(*) FILTER (passed), sum(score_micro),
        sum(cost_nano_usd), sum(latency_us), sum(tokens_in), sum(tokens_out)
    FROM read_parquet({files!r})
    GROUP BY model, tier, suite, case_id
''').fetchall()
print(json.dumps([len(rows), *(sum(column) for column in list(zip(*rows))[4:])]))
"""
TOLD = {
    "bare": "bare DuckDB, sums only",
    "report": "steelyard report",
    "polars": "Polars, sums only",
    "pyspark": "PySpark, sums only",
    "raydata": "Ray Data, sums only",
    "ray": "steelyard report --engine ray",
}
PEER_TRIES = 3  # before one that must not fail
PEER_SIDES = ("polars", "pyspark", "raydata")
Figures = dict[str, object]


def main() -> int:
    """Make the runs, measure, print, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the generated runs are kept")
    parser.add_argument("--sizes", type=lambda text: int(float(text)), nargs="+", default=[10**7, 10**8])
    parser.add_argument("--cases", type=int, default=CASES, help="of each of the twenty models")
    parser.add_argument("--peers", help="a Python that has the other engines; without it they are left out")
    parser.add_argument("--sides", nargs="+", choices=TOLD, default=list(TOLD), help="whom to measure")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--keep", action="store_true", help="write the figures to where the pages take them from"
    )
    given = parser.parse_args()
    measured = []
    for outcomes in given.sizes:
        store = make_run(given.folder / f"outcomes-{outcomes}", Size(outcomes=outcomes, cases=given.cases))
        weights = _weighed(store, given)
        measured.append(_figures(store, weights))
        _show(measured[-1])
        if given.keep:
            _keep(measured[-1])
    is_met = _is_met(measured[-1])
    print(
        f"goal: ratio <= {GOAL_RATIO}, peak < {GOAL_MIB} MiB, faster than every peer: "
        f"{'met' if is_met else 'MISSED'}"
    )
    return 0 if is_met else 1


def _keep(figures: Figures) -> None:
    """Put the figures of one size in the place of older ones."""
    known = json.loads(DATA.read_text(encoding="utf-8"))["sizes"] if DATA.exists() else []
    others = [size for size in known if size["outcomes"] != figures["outcomes"]]
    sizes = sorted([*others, figures], key=lambda size: size["outcomes"])
    kept = {"made_by": "python -m perf.run_store", "cores": os.cpu_count(), "sizes": sizes}
    DATA.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _weighed(store: RunStore, given: argparse.Namespace) -> dict[str, list[Weight | None]]:
    commands = {
        name: command for name, command in _commands(store, given.peers).items() if name in given.sides
    }
    weights: dict[str, list[Weight | None]] = {name: [] for name in commands}
    for turn in range(given.repeats):
        for name, command in commands.items():
            if None in weights[name]:
                continue  # whoever did not make it in time need not prove it again
            weight = _patiently(name, command)
            weights[name].append(weight)
            told = f"{weight.seconds:.2f} s" if weight else "not in time"
            print(f"{turn + 1}/{given.repeats} {TOLD[name]}: {told}", flush=True)
    _refuse_differing(weights)
    return weights


def _patiently(name: str, command: list[str]) -> Weight | None:
    """Weigh a side; a peer that crashes now and then, as Ray Data does at its start, gets further tries."""
    for _ in range(PEER_TRIES if name in PEER_SIDES else 0):
        try:
            return weigh(command, limit_s=LIMIT_S)
        except SystemExit as failure:
            print(f"{TOLD[name]} failed: {str(failure).strip().splitlines()[-1]}", flush=True)
    return weigh(command, limit_s=LIMIT_S)


def _commands(store: RunStore, peers: str | None) -> dict[str, list[str]]:
    files = [file.uri for file in store.outcomes.files()]
    report = [sys.executable, "-m", "steelyard", "report", store.location.address, "--format", "json"]
    others = PEER_SIDES if peers else ()
    return {
        "bare": [sys.executable, "-c", BARE.format(files=files)],
        "report": report,
        **{name: [str(peers), str(PEERS), name, *files] for name in others},
        "ray": [*report, "--engine", "ray"],
    }


def _refuse_differing(weights: dict[str, list[Weight | None]]) -> None:
    """Make sure that all sides computed the same sums, and both engines the same bytes."""
    for group in (("bare", "polars", "pyspark", "raydata"), ("report", "ray")):
        outputs = {
            hashlib.sha256(weight.output.strip()).hexdigest()
            for name in group
            for weight in weights.get(name, ())
            if weight is not None
        }
        assert len(outputs) <= 1, f"{', '.join(group)} do not agree"


def _figures(store: RunStore, weights: dict[str, list[Weight | None]]) -> Figures:
    files = store.outcomes.files()
    rows, size_bytes = sum(file.rows for file in files), sum(file.size_bytes for file in files)
    sides = {name: _side(found) for name, found in weights.items()}
    return {
        "outcomes": rows,
        **stamp(),
        "cases": MODELS * len(store.manifest.cases),
        "files": len(files),
        "bytes": size_bytes,
        "bytes_per_outcome": round(size_bytes / rows, 2),
        "bytes_read_per_outcome": round(_bytes_read(store) / rows, 2),
        "sides": sides,
    }


def _bytes_read(store: RunStore) -> int:
    """Return the compressed size of the columns that the report's question names."""
    asked = set(re.findall(r"\w+", states_sql(store.outcomes)))
    paths = [file.uri for file in store.outcomes.files()]
    with duckdb.connect() as connection:
        sizes = connection.execute(
            "SELECT path_in_schema, sum(total_compressed_size) FROM parquet_metadata(?) GROUP BY ALL", [paths]
        ).fetchall()
    return sum(int(size) for name, size in sizes if name in asked)


def _side(weights: Sequence[Weight | None]) -> dict[str, float] | None:
    ended = [weight for weight in weights if weight is not None]
    if len(ended) < len(weights):
        return None
    return {
        "seconds": round(min(weight.seconds for weight in ended), 2),
        "cpu_seconds": round(min(weight.cpu_seconds for weight in ended), 2),
        "peak_mib": round(max(weight.peak_mib for weight in ended)),
        "load": round(min(weight.load for weight in ended), 1),
    }


def _show(figures: Figures) -> None:
    sides = figures["sides"]
    assert isinstance(sides, dict)
    bare = sides["bare"]
    print(
        f"\n{figures['outcomes']:,} outcomes in {figures['files']} files, "
        f"{figures['bytes_per_outcome']} bytes each"
    )
    for name, side in sides.items():
        if side is None:
            print(f"{TOLD[name]:<32} did not end in {LIMIT_S:g} s")
            continue
        print(
            f"{TOLD[name]:<32}{side['seconds']:8.2f} s ({side['seconds'] / bare['seconds']:5.2f}) "
            f"{side['cpu_seconds']:8.2f} s of processor ({side['cpu_seconds'] / bare['cpu_seconds']:5.2f}) "
            f"{side['peak_mib']:6.0f} MiB  load {side['load']}"
        )


def _is_met(figures: Figures) -> bool:
    sides = figures["sides"]
    assert isinstance(sides, dict)
    ours, bare = sides["report"], sides["bare"]
    others = [sides[name] for name in ("polars", "pyspark", "raydata") if sides.get(name)]
    return (
        ours["seconds"] <= GOAL_RATIO * bare["seconds"]
        and ours["peak_mib"] < GOAL_MIB
        and all(ours["seconds"] < other["seconds"] for other in others)
    )


if __name__ == "__main__":
    sys.exit(main())
