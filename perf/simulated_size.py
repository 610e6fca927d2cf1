"""Predict a run on more workers than there are here, and say what saturates first.

Four costs are measured: what a check takes, what it computes, what the driver does for a sample, and what a
commit takes. From them follow samples a second, the driver's load, commits and requests to the object store
for any number of workers. The prediction is then held against runs with 1 to 8 workers on this machine, whose
checks mostly wait, so that its cores are enough for them; it must not be wrong by more than a fifth.
Run: python -m perf.simulated_size [--samples 60] [--keep]
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.measured_at import stamp
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.sample import Sample
from steelyard.providers.replay import ReplayProvider
from steelyard.runner.batch_queue import COMMIT_ROWS, COMMIT_WITHIN_S
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from steelyard.runner.plan import RunOptions, plan_run
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute
from steelyard.runner.settings import RunSettings
from steelyard.sources.answers.read import read_answers

DATA = Path(__file__).parents[1] / "docs" / "explanation" / "data" / "simulated-size.json"
WORKERS, SIZES = (1, 2, 4, 8), (10, 100, 1_000, 10_000)
WRONG_BY = 0.2
TABLES = 2  # samples and outcomes: a commit of each for the same rows
REQUESTS = 3  # of one commit: a file, an entry of the log, and a look at what the log ends with
PUTS_PER_S = 3_500  # that S3 promises below one prefix
WAIT_S = 0.2
WAITING = f"import time\n\ndef test_twice():\n    time.sleep({WAIT_S})\n    assert twice(2) == 4\n"


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What one sample takes, in seconds."""

    check_s: float  # of a worker's time
    check_cpu_s: float  # of that, computing
    driver_s: float  # of the driver's processor
    commit_s: float  # of the driver's time, for one commit


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """A run with so many workers."""

    workers: int
    per_second: float
    driver_load: float  # 1 is a driver with nothing left
    commits_per_s: float
    requests_per_s: float
    saturates: str


def predicted(costs: Costs, workers: int, *, cores: float | None = None) -> Prediction:
    """Return what follows from the costs; `cores` if driver and workers share so many."""
    limits = {
        "workers": workers / costs.check_s,
        "driver": (1 - TABLES * costs.commit_s / COMMIT_WITHIN_S) / costs.driver_s,
        "object store": PUTS_PER_S / REQUESTS / TABLES * COMMIT_ROWS,
    }
    if cores is not None:
        limits["cores"] = cores / (costs.check_cpu_s + costs.driver_s)
    saturates = min(limits, key=lambda name: limits[name])
    rate = limits[saturates]
    # A commit is due when its rows are there, or when the first of them has waited long enough.
    commits = TABLES * max(rate / COMMIT_ROWS, min(rate, 1 / COMMIT_WITHIN_S))
    return Prediction(
        workers=workers,
        per_second=rate,
        driver_load=rate * costs.driver_s + commits * costs.commit_s,
        commits_per_s=commits,
        requests_per_s=commits * REQUESTS,
        saturates=saturates,
    )


class Runs:
    """Runs of one eval set with a number of answers, on a number of workers."""

    def __init__(self, folder: Path, case: Case) -> None:
        self.folder, self.case = folder, case
        self.eval_set = EvalSet(id="size", cases=(case,), suites=(Suite(id="default"),))

    def seconds(self, samples: int, workers: int) -> tuple[float, float]:
        """Return how long a run takes, and how long this process computes meanwhile."""
        path = self.folder / f"answers-{samples}.jsonl"
        lines = (json.dumps({"case": self.case.id, "text": answer(number)}) for number in range(samples))
        path.write_text("\n".join(lines), encoding="utf-8")
        provider = ReplayProvider(read_answers(path).find, where=str(path))
        plan = plan_run(self.eval_set, RunOptions(models=("replay/m",), samples=samples))
        settings = RunSettings(instead=provider, threads=workers, share=False)
        resources = RunResources(self.eval_set, plan.subjects, settings)
        store = begin_run(plan, str(self.folder / f"run-{time.monotonic_ns()}"))
        began, computed = time.perf_counter(), time.process_time()
        total = execute(store, self.eval_set, resources, progress=lambda _: None).progress.total
        if total.passed != samples:
            raise SystemExit(f"only {total.passed} of {samples} answers passed")
        return time.perf_counter() - began, time.process_time() - computed

    def per_sample(self, samples: int, workers: int) -> tuple[float, float]:
        """Return the two for one sample: by the difference of two runs, as beginning and end cancel out."""
        small, large = self.seconds(samples, workers), self.seconds(3 * samples, workers)
        return tuple((much - little) / (2 * samples) for little, much in zip(small, large, strict=True))  # type: ignore[return-value]  # two


def answer(number: int) -> str:
    """Return a right answer like no other."""
    return f"def twice(x):\n    return 2 * x  # {number}\n"


def measured_costs(folder: Path, samples: int) -> Costs:
    """Measure on this machine: checks one after the other, and a run whose checks are next to nothing."""
    waiting = Case(id="twice", language="python", prompt="-", expectations=Expectations(tests=WAITING))
    checking = Checking(make_sandbox(), share=False)
    texts = [answer(number) for number in range(samples)]
    times = [_one_check(checking, waiting, text) for text in texts]
    wanted = Expectations(settings={"contains": "x"})
    cheap = Case(id="cheap", language="text", prompt="-", expectations=wanted)
    _, driver_s = Runs(folder, cheap).per_sample(100 * samples, 1)
    return Costs(
        check_s=statistics.median(wall for wall, _ in times),
        check_cpu_s=statistics.mean(computed for _, computed in times),
        driver_s=driver_s,
        commit_s=_commit_s(folder, cheap),
    )


def _one_check(checking: Checking, case: Case, text: str) -> tuple[float, float]:
    began, computed = time.perf_counter(), _cpu_s()
    checking.outcome(case, Sample(model="m", case=case.id, digest="d", attempt=0, text=text))
    return time.perf_counter() - began, _cpu_s() - computed


def _cpu_s() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _commit_s(folder: Path, case: Case) -> float:
    runs = Runs(folder, case)
    plan = plan_run(runs.eval_set, RunOptions(models=("replay/m",), samples=100))
    store = begin_run(plan, str(folder / "commits"))
    taken = []
    for number, key in enumerate(store.pending()):
        sample = Sample(
            model=key.model, tier=key.tier, suite=key.suite, case=key.case, digest=key.digest,
            attempt=key.attempt, text="x",
        )  # fmt: skip
        began = time.perf_counter()
        store.add_samples([sample], chunk=str(number))
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def main() -> int:
    """Measure, predict, compare, print; 1 if a prediction is wrong by more than a fifth."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--keep", action="store_true", help="write the figures to where the pages take them")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        costs = measured_costs(folder, given.samples)
        waiting = Case(id="twice", language="python", prompt="-", expectations=Expectations(tests=WAITING))
        runs, points = Runs(folder, waiting), []
        for workers in WORKERS:
            here = predicted(costs, workers, cores=os.cpu_count() or 1)
            rate = 1 / runs.per_sample(given.samples * workers, workers)[0]
            points.append({**asdict(here), "measured": rate, "error": here.per_second / rate - 1})
            print(f"{workers} workers: {here.per_second:.1f}/s predicted, {rate:.1f}/s measured", flush=True)
    sizes = [asdict(predicted(costs, workers)) for workers in SIZES]
    for size in sizes:
        print(json.dumps(size))
    if given.keep:
        told = {"made_by": "python -m perf.simulated_size", **stamp(), "costs": asdict(costs)}
        DATA.write_text(json.dumps({**told, "points": points, "sizes": sizes}, indent=1) + "\n", "utf-8")
    worst = max(abs(point["error"]) for point in points)
    print(f"costs: {costs}\nwrong by {worst:.0%} at most (goal {WRONG_BY:.0%})")
    return int(worst > WRONG_BY)


if __name__ == "__main__":
    sys.exit(main())
