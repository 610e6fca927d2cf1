"""Weigh the comparison and the gate of two reports with 100,000 cases each, and the exact test of 164 cases.

Times and peak memory of one process, from reports in memory and from report files. Goals: comparing and
gating 2 x 100,000 cases under 5 s and 1 GiB; the exact Cochran-Mantel-Haenszel test of 164 cases in
milliseconds. Run: python benchmarks/compare_reports.py [--cases 100000]
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

from steelyard import compare_reports, gate_reports, read_report
from steelyard.analysis.build import build_report
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.cmh import cmh_test
from steelyard.model.options import ReportOptions, Scoring
from steelyard.model.report import Report
from steelyard.model.state import CaseState, Evidence
from steelyard.render.json import JsonRenderer

Result = TypeVar("Result")

SAMPLES, SMALL = 10, 164
GOAL_SECONDS, GOAL_MIB = 5.0, 1024


def main() -> int:
    """Measure, print, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    cases = parser.parse_args().cases
    reports = [_timed(f"build a report of {cases:,} cases", partial(_report, seed, cases)) for seed in (1, 2)]
    seconds = [
        _seconds(f"compare 2 x {cases:,} cases", lambda: compare_reports(*reports)),
        _seconds(f"gate 2 x {cases:,} cases", lambda: gate_reports(*reports)),
    ]
    _small_test()
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of all this: {mib:.0f} MiB")
    _files(reports[0])
    is_met = max(seconds) < GOAL_SECONDS and mib < GOAL_MIB
    print(
        f"goal: each under {GOAL_SECONDS:g} s, together under {GOAL_MIB} MiB: {'met' if is_met else 'MISSED'}"
    )
    return 0 if is_met else 1


def _report(seed: int, cases: int) -> Report:
    chance = Random(seed)
    states = []
    for place in range(cases):
        rate = Random(place).betavariate(0.5, 0.25)
        passed = sum(chance.random() < rate for _ in range(SAMPLES))
        micro = passed * 1_000_000
        states.append(
            CaseState(
                "m",
                "T0",
                "s",
                f"case-{place:06d}",
                n=SAMPLES,
                c=passed,
                score_n=SAMPLES,
                score_sum=micro,
                score_sq=micro * 1_000_000,
            )
        )
    evidence = Evidence(states=tuple(states), scoring=Scoring(name="plausible", version=1), spreads={})
    return build_report(evidence, ReportOptions(pass_k=(1, 5)))


def _small_test() -> None:
    chance = Random(3)
    rates = [chance.betavariate(0.5, 0.25) for _ in range(SMALL)]
    runs = [
        CaseCounts.of(n=5, c=[sum(chance.random() < rate for _ in range(5)) for rate in rates])
        for _ in range(2)
    ]
    started = time.perf_counter()
    for _ in range(100):
        cmh_test(*runs)
    print(f"exact test of {SMALL} cases x 5 samples: {(time.perf_counter() - started) * 10:.2f} ms")


def _files(report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        text = _timed("write the report as JSON", lambda: JsonRenderer().render(report))
        path.write_text(text, encoding="utf-8")
        print(f"  {path.stat().st_size / 1e6:.0f} MB")
        _timed("read it back", lambda: read_report(path))


def _timed(told: str, work: Callable[[], Result]) -> Result:
    started = time.perf_counter()
    result = work()
    print(f"{told}: {time.perf_counter() - started:.2f} s")
    return result


def _seconds(told: str, work: Callable[[], object]) -> float:
    started = time.perf_counter()
    _timed(told, work)
    return time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
