"""Weigh what a viewer and a resumed run do with a million samples that have answers of 2 KB.

Opening the run, its summary (the state of every case) and one page of a case's samples, each in a process
that is warm, against reading everything; then what is left to draw, as a process of its own. Both for a
finished run and for one that was left unfinished in many small files. Last, what a commit and the statistics
of a case cost.
Run: python -m perf.open_run FOLDER [--samples 1e6] [--chunk 1000] [--keep]
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from perf.make_outcomes import CASES, Size, make_run
from perf.process_tree import weigh
from scripts.measured_at import stamp
from steelyard.analysis.build import build_report
from steelyard.model.options import ReportOptions
from steelyard.model.sample import Sample
from steelyard.model.state import Evidence
from steelyard.store.run.columns import OUTCOMES, SAMPLES
from steelyard.store.run.files import engine, reading, rows_of
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.states import case_states, count_here, shares

DATA = Path(__file__).parents[1] / "docs" / "explanation" / "data" / "open-run.json"
ANSWER_BYTES, REPEATS = 2_000, 5
COMMITS, CHUNK = 40, 100
GOAL_S, GOAL_RESUME_S, GOAL_RESUME_MIB = 0.3, 2.0, 500
PAGE = """
SELECT samples.*, outcomes.classification, outcomes.detail
FROM samples LEFT JOIN outcomes USING (case_key, attempt)
ORDER BY attempt LIMIT 20
"""
RESUME = """
import sys
from dataclasses import replace
from steelyard.store.run.progress import pending
from steelyard.store.run.run_store import open_run

store = open_run(sys.argv[1])
more = replace(store.manifest, planned_samples=store.manifest.planned_samples + 1)
print(sum(1 for _ in pending(more, store.samples)))
"""


def main() -> int:
    """Make the runs, measure, print, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the generated runs are kept")
    parser.add_argument("--samples", type=lambda text: int(float(text)), default=1_000_000)
    parser.add_argument("--cases", type=int, default=CASES, help="of each of the twenty models")
    parser.add_argument("--chunk", type=int, default=1_000, help="rows of a commit in the unfinished run")
    parser.add_argument(
        "--keep", action="store_true", help="write the figures to where the pages take them from"
    )
    given = parser.parse_args()
    measured: dict[str, dict[str, float]] = {}
    for form, chunk in (("finished", None), ("unfinished", given.chunk)):
        size = Size(outcomes=given.samples, answer_bytes=ANSWER_BYTES, chunk=chunk, cases=given.cases)
        make_run(given.folder / form, size)
        measured[form] = {**_looked_at(given.folder / form), **_resumed(given.folder / form)}
        print(f"{form}: {json.dumps(measured[form])}", flush=True)
    measured["writing"] = _written()
    measured["statistics"] = _computed(given.folder / "finished")
    print(json.dumps({name: measured[name] for name in ("writing", "statistics")}))
    if given.keep:
        kept = {"made_by": "python -m perf.open_run", **stamp(), "cores": os.cpu_count(), **measured}
        DATA.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    is_met = all(_is_met(measured[form]) for form in ("finished", "unfinished"))
    print(
        f"goals: open, summary and page < {GOAL_S} s; what is left < {GOAL_RESUME_S} s and "
        f"{GOAL_RESUME_MIB} MiB: {'met' if is_met else 'MISSED'}"
    )
    return 0 if is_met else 1


def _looked_at(folder: Path) -> dict[str, float]:
    store = open_run(folder)
    files = store.samples.files()
    found: dict[str, float] = {
        "rows": sum(file.rows for file in files),
        "files": len(files),
        "bytes_per_sample": round(sum(file.size_bytes for file in files) / sum(file.rows for file in files)),
    }
    for name, act in (
        ("open", lambda: _opened(folder)),
        ("summary", lambda: case_states(store, count_here, shares(store.outcomes, parts=1))),
        ("page", lambda: _page(store)),
        ("everything", lambda: _read(store)),
    ):
        found[f"{name}_s"], found[f"{name}_cpu_s"] = _seconds(act)
    found["load"] = round(os.getloadavg()[0], 1)
    return found


def _opened(folder: Path) -> int:
    store = open_run(folder)
    return len(store.samples.files()) + len(store.outcomes.files())


def _page(store: RunStore) -> object:
    """Ask for the answers to one case as the viewer does, which passes over files without it."""
    subjects, cases = store.manifest.subjects, store.manifest.cases
    subject, case = subjects[len(subjects) // 2], cases[len(cases) // 2]
    one = {"model": subject.model, "tier": subject.tier, "suite": case.suite, "case_id": case.case}
    with engine(store.location.address) as connection:
        for name, table in ((SAMPLES, store.samples), (OUTCOMES, store.outcomes)):
            connection.execute(f"CREATE TEMP VIEW {name} AS {rows_of(table, one)}")
        found = connection.execute(PAGE).fetchall()
    if not found:
        raise ValueError(f"no answers to {one}")
    return found


def _read(store: RunStore) -> object:
    with reading(store.samples) as connection:
        return connection.execute("SELECT bit_xor(hash(rows)) FROM rows").fetchall()


def _seconds(act: Callable[[], object]) -> tuple[float, float]:
    act()
    walls, processor = [], []
    for _ in range(REPEATS):
        started, started_cpu = time.perf_counter(), time.process_time()
        act()
        walls.append(time.perf_counter() - started)
        processor.append(time.process_time() - started_cpu)
    return round(min(walls), 3), round(min(processor), 3)


def _resumed(folder: Path) -> dict[str, float]:
    weights = [weigh([sys.executable, "-c", RESUME, str(folder)]) for _ in range(3)]
    ended = [weight for weight in weights if weight is not None]
    return {
        "left": int(ended[0].output),
        "resume_s": round(min(weight.seconds for weight in ended), 2),
        "resume_cpu_s": round(min(weight.cpu_seconds for weight in ended), 2),
        "resume_mib": round(max(weight.peak_mib for weight in ended)),
    }


def _written() -> dict[str, float]:
    """Return what one commit of so many answers costs."""
    text = "x" * ANSWER_BYTES
    with tempfile.TemporaryDirectory() as scratch:
        store = make_run(Path(scratch) / "run", Size(outcomes=0))
        keys = list(islice(store.pending(), COMMITS * CHUNK))
        chunks = [
            [Sample(**key._asdict(), text=text) for key in keys[start : start + CHUNK]]
            for start in range(0, len(keys), CHUNK)
        ]
        started, started_cpu = time.perf_counter(), time.process_time()
        for place, samples in enumerate(chunks):
            store.add_samples(samples, chunk=str(place))
        seconds, processor = time.perf_counter() - started, time.process_time() - started_cpu
    return {
        "rows_per_commit": CHUNK,
        "commit_ms": round(1000 * seconds / COMMITS, 1),
        "commit_cpu_ms": round(1000 * processor / COMMITS, 1),
    }


def _computed(folder: Path) -> dict[str, float]:
    """Return what the statistics of one case cost, however many samples it has."""
    store = open_run(folder)
    states = case_states(store, count_here, shares(store.outcomes, parts=1))
    evidence = Evidence(states=tuple(states), scoring=store.manifest.scoring, spreads=None)
    expected = store.manifest.expected()
    _, processor = _seconds(lambda: build_report(evidence, ReportOptions(), expected))
    return {"cases": len(states), "us_per_case": round(1e6 * processor / len(states), 1)}


def _is_met(found: dict[str, float]) -> bool:
    return (
        all(found[f"{name}_s"] < GOAL_S for name in ("open", "summary", "page"))
        and found["resume_s"] < GOAL_RESUME_S
        and found["resume_mib"] < GOAL_RESUME_MIB
    )


if __name__ == "__main__":
    sys.exit(main())
