"""Follow a run that writes as fast as it can in a real browser: how late it is, and what it costs.

The run is that of `runner_scale` (recorded answers, cheap checks), alone and with the viewer, in turns.
The page is late by the age of the oldest commit that it does not show yet. The run has a core of its own, and
viewer and browser have the others: what is told is what following costs the run, not what a browser costs a
machine.
Run: python -m perf.view_live FOLDER [--samples 50000] [--rounds 3]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from perf.runner_sides import recorded
from perf.view_scale import Browser, quantile, start_viewer
from steelyard.store.run.run_store import is_run
from tests.browser.chromium import Page, chromium

LOOK_S = 0.05
GOAL_LATE_S, GOAL_SLOWER = 2.0, 1.02
SHOWN = """
    Number((document.getElementById('summary')?.innerText.match(/([\\d,]+) of/)?.[1] ?? '0')
        .replaceAll(',', ''))
"""

Figures = dict[str, float]


def main() -> int:
    """Measure in turns, print, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where answers and runs are kept")
    parser.add_argument("--samples", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    recorded(given.folder)
    own, *others = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, others or {own})
    alone, followed, late = list[Figures](), list[Figures](), list[float]()
    for _ in range(given.rounds):
        alone.append(_finished(_begun(given, own)))
        run = _begun(given, own)
        late += _followed(given.folder / "local", run)
        followed.append(_finished(run))
    late.sort()
    slower = {
        what: round(median(one[cost] for one in followed) / median(one[cost] for one in alone), 3)
        for what, cost in {"processor": "own_cpu_seconds", "time": "seconds"}.items()
    }
    figures = {
        "per_s": round(median(one["samples"] / one["seconds"] for one in alone)),
        "late_median_s": round(median(late), 2),
        "late_p95_s": round(quantile(late, 0.95), 2),
        "looks": len(late),
        **slower,
    }
    print(json.dumps(figures))
    is_met = figures["late_p95_s"] <= GOAL_LATE_S and figures["time"] <= GOAL_SLOWER
    print(f"goals: {GOAL_LATE_S} s late, {GOAL_SLOWER} times as long: {'met' if is_met else 'MISSED'}")
    return 0 if is_met else 1


def _begun(given: argparse.Namespace, core: int) -> "subprocess.Popen[str]":
    shutil.rmtree(given.folder / "local", ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "perf.runner_sides",
        "local",
        str(given.folder),
        str(given.samples),
    ]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    os.sched_setaffinity(run.pid, {core})
    return run


def _finished(run: "subprocess.Popen[str]") -> Figures:
    said, _ = run.communicate()
    assert run.returncode == 0, said
    figures: Figures = json.loads(said)
    return figures


def _followed(folder: Path, run: "subprocess.Popen[str]") -> list[float]:
    """Look at the page of a run until it ends; return how late the page was at each look."""
    while not is_run(str(folder)):
        time.sleep(LOOK_S)
    server, link = start_viewer(folder)
    with server, chromium() as browser:
        try:
            page = browser.page()
            page.send("Page.navigate", url=link)
            page.wait("document.documentElement?.dataset.ready === 'true'")
            page.send("Page.navigate", url=f"{link.partition('/?')[0]}{Browser(link).run}")
            page.wait("document.documentElement?.dataset.ready === 'true'")
            looks = []
            while run.poll() is None:
                looks.append((time.time(), _shown(page)))
                time.sleep(LOOK_S)
        finally:
            server.terminate()
    commits = _commits(folder / "outcomes" / "_delta_log")
    return [late_by(moment, shown, commits) for moment, shown in looks if moment < commits[-1][0]]


def _shown(page: Page) -> int:
    return int(page.run(SHOWN))


def _commits(log: Path) -> list[tuple[float, int]]:
    """Return when each commit was made, and how many rows there were then; putting in order adds none."""
    found, rows = [], 0
    for entry in sorted(log.glob("*.json")):
        actions = [json.loads(line) for line in entry.read_text(encoding="utf-8").splitlines()]
        if not any("remove" in action for action in actions):
            added = [
                json.loads(action["add"]["stats"])["numRecords"] for action in actions if "add" in action
            ]
            rows += sum(added)
            found.append((entry.stat().st_mtime, rows))
    return found


def late_by(moment: float, shown: int, commits: list[tuple[float, int]]) -> float:
    """Return the age of the oldest commit that a page did not show at a moment."""
    return next((max(0.0, moment - made) for made, rows in commits if rows > shown and made < moment), 0.0)


if __name__ == "__main__":
    sys.exit(main())
