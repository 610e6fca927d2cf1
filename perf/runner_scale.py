"""Weigh the runner: a million recorded answers through `local` and `ray`, and ten thousand calls at once.

The bare side does the same work, looking up and checking, in one loop with nothing around it; `commits` also
commits the same rows. Each side is a process of its own. Processor seconds are those of all processes of a
side; other people's work on the machine changes them least. Memory is looked at all the time, and given at
each tenth of it.
Run: python -m perf.runner_scale FOLDER [--samples 1e6] [--sides bare commits local ray calls] [--keep]
"""

import argparse
import json
import os
import subprocess
import sys
import time
from itertools import accumulate
from pathlib import Path

from perf.process_tree import Weight, weigh
from perf.runner_sides import RECORDED, recorded
from scripts.measured_at import stamp

DATA = Path(__file__).parents[1] / "docs" / "explanation" / "data" / "runner.json"
SIDES = ("bare", "commits", "local", "ray", "calls")
LIMIT_S = 3600.0
LOOK_S = 1.0
TENTHS = 10
CALLS = 40_000  # altogether: one more is let through with each that succeeds, until there are 10,000
CALL_S = 1.0
GOAL_PER_S, GOAL_GROWTH_MIB, GOAL_AT_ONCE = 5_000, 100, 10_000

Figures = dict[str, object]


def main() -> int:
    """Measure, print, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where answers and runs are kept")
    parser.add_argument("--samples", type=lambda text: int(float(text)), default=1_000_000)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--sides", nargs="+", choices=SIDES, default=SIDES)
    parser.add_argument("--keep", action="store_true", help="write the figures to where the pages take them")
    given = parser.parse_args()
    recorded(given.folder)
    kept = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    measured: dict[str, Figures] = dict(kept.get("sides", {})) if given.keep else {}
    for side in given.sides:
        found = _calls(given) if side == "calls" else _side(given, side)
        measured[side] = {**stamp(), **found}
        print(f"{side}: {json.dumps(measured[side])}", flush=True)
    if given.keep:
        told = {"made_by": "python -m perf.runner_scale", "cores": os.cpu_count(), "sides": measured}
        DATA.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0 if _goals(measured) else 1


def _side(given: argparse.Namespace, side: str) -> Figures:
    # The bare loops do not change their pace: a part of the work tells enough.
    is_loop = side in {"bare", "commits"}
    samples = max(RECORDED, given.samples // 5 if is_loop else given.samples)
    return _weighed([side, str(given.folder), str(samples)])


def _calls(given: argparse.Namespace) -> Figures:
    """Have a service that takes its time, in a process of its own, asked for everything at once."""
    port, log, answers = (given.folder / name for name in ("port", "calls.log", "said.jsonl"))
    port.unlink(missing_ok=True)
    log.unlink(missing_ok=True)
    answers.write_text(json.dumps({"contains": "", "texts": ['{"sure": "yes"}', '{"sure": "no"}']}))
    options = ["--port-file", str(port), "--log", str(log), "--answers", str(answers)]
    options += ["--delay", str(CALL_S)]
    server = subprocess.Popen([sys.executable, "-m", "tests.fake_providers", *options])
    try:
        while not port.exists():
            time.sleep(0.05)
        url = f"http://127.0.0.1:{port.read_text().strip()}/v1"
        figures = _weighed(["calls", str(given.folder), str(given.calls), "--url", url])
    finally:
        server.terminate()
        server.wait()
    with log.open(encoding="utf-8") as lines:
        spans = [(line["asked_s"], line["answered_s"]) for line in map(json.loads, lines)]
    return {**figures, "calls_at_the_server": len(spans), "most_at_the_server": _most_at_once(spans)}


def _most_at_once(spans: list[tuple[float, float]]) -> int:
    """Return how many spans of time overlap at most."""
    turns = sorted([(began, 1) for began, _ in spans] + [(ended, -1) for _, ended in spans])
    return max(accumulate(change for _, change in turns))


def _weighed(arguments: list[str]) -> Figures:
    command = [sys.executable, "-m", "perf.runner_sides", *arguments]
    weight = weigh(command, limit_s=LIMIT_S, look_s=LOOK_S)
    if weight is None:
        raise SystemExit(f"{' '.join(command)} did not end within {LIMIT_S:g} s")
    told: Figures = json.loads(weight.output)
    samples, seconds = float(str(told["samples"])), float(str(told["seconds"]))
    return {
        **told,
        "per_s": round(samples / seconds),
        "cpu_seconds": round(weight.cpu_seconds, 1),
        "cpu_us_per_sample": round(1e6 * weight.cpu_seconds / samples, 1),
        "peak_mib": round(weight.peak_mib),
        "mib_over_time": _tenths(weight),
        "load": round(weight.load, 1),
    }


def _tenths(weight: Weight) -> list[int]:
    """Return the memory at each tenth of the time."""
    end = weight.curve[-1][0]
    return [
        round(next(mib for second, mib in weight.curve if second >= end * tenth / TENTHS))
        for tenth in range(1, TENTHS + 1)
    ]


def _goals(measured: dict[str, Figures]) -> bool:
    """Print the ratios, and whether the goals are met."""
    is_met = True
    for side in ("local", "ray"):
        for loop in ("bare", "commits"):
            if side in measured and loop in measured:
                pace, cost = (
                    float(str(measured[side][name])) / float(str(measured[loop][name]))
                    for name in ("per_s", "cpu_us_per_sample")
                )
                print(f"{side} to {loop}: {pace:.2f} of its pace, {cost:.2f} times its processor seconds")
    if "local" in measured:
        curve = [int(mib) for mib in measured["local"]["mib_over_time"]]  # type: ignore[attr-defined]
        growth = curve[-2] - curve[TENTHS // 2 - 1]
        is_met = float(str(measured["local"]["per_s"])) >= GOAL_PER_S and growth <= GOAL_GROWTH_MIB
        print(
            f"local: memory grows by {growth} MiB in the second half; goals {'met' if is_met else 'MISSED'}"
        )
    if "calls" in measured:
        is_held = float(str(measured["calls"]["most_in_flight"])) >= GOAL_AT_ONCE
        print(f"calls: {GOAL_AT_ONCE} at once {'held' if is_held else 'NOT REACHED'}")
        is_met = is_met and is_held and not measured["calls"]["errors"]
    return is_met


if __name__ == "__main__":
    sys.exit(main())
