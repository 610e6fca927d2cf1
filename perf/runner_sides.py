"""One side of the measurements of the runner, as a process of its own; prints what it took as JSON.

`bare` looks recorded answers up and checks them in one loop; `commits` commits them too, in chunks of the
runner's size; `local` and `ray` are the runner itself; `calls` is the runner at a slow service.
Run: python -m perf.runner_sides SIDE FOLDER SAMPLES [--url URL]
"""

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from steelyard.model.case import Case, Expectations
from steelyard.model.config import ProviderSettings
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.outcome import Outcome
from steelyard.model.progress import RunProgress
from steelyard.model.sample import Sample, SampleKey
from steelyard.providers.replay import ReplayProvider
from steelyard.runner.batch_queue import COMMIT_ROWS
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from steelyard.runner.plan import RunOptions, RunPlan, plan_run
from steelyard.runner.requests import Requests
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute
from steelyard.runner.settings import RunSettings
from steelyard.sources.answers.read import Answers, read_answers

CASES = 500
ATTEMPTS = int(os.environ.get("BENCH_ATTEMPTS", "100"))  # fewer where only the script itself is tried
RECORDED = CASES * ATTEMPTS  # each model gets these answers
KEY = "STEELYARD_BENCH_KEY"

Figures = dict[str, float]


def main() -> int:
    """Do the work of a side, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("side", choices=sorted(SIDES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("samples", type=int)
    parser.add_argument("--url", help="where the slow service listens")
    given = parser.parse_args()
    print(json.dumps(SIDES[given.side](given)))
    return 0


def recorded(folder: Path) -> Path:
    """Write the recorded answers, as an exported run has them, unless they are there."""
    path = folder / "answers.jsonl"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".draft")
        with draft.open("w", encoding="utf-8") as file:
            for case in range(CASES):
                for attempt in range(ATTEMPTS):
                    file.write(json.dumps(_line(case, attempt)) + "\n")
        draft.rename(path)
    return path


def _line(case: int, attempt: int) -> dict[str, object]:
    said = {"answer": case * ATTEMPTS + attempt, "sure": "no" if (case + 7 * attempt) % 3 == 0 else "yes"}
    return {
        "case": f"case-{case:04}",
        "attempt": attempt,
        "text": json.dumps(said),
        "finish_reason": "stop",
        "tokens_in": 120,
        "tokens_out": 9,
        "cost_nano_usd": 4_500,
        "latency_us": 812_345,
        "request_id": f"req-{case}-{attempt}",
    }


def plan_of(samples: int, *, provider: str = "replay", attempts: int = ATTEMPTS) -> RunPlan:
    """Return a plan of so many samples: the same cases, asked of as many models as it takes."""
    cases = tuple(
        Case(
            id=f"case-{number:04}",
            language="text",
            prompt=f"What is the answer to question {number}? Say it as JSON, and whether you are sure.",
            expectations=Expectations(settings={"contains": "yes"}),
        )
        for number in range(CASES)
    )
    eval_set = EvalSet(id="scale", cases=cases, suites=(Suite(id="default"),))
    models = tuple(f"{provider}/m{number:03}" for number in range(max(1, samples // (CASES * attempts))))
    return plan_run(eval_set, RunOptions(models=models, samples=attempts))


def _bare(given: argparse.Namespace) -> Figures:
    plan, answers = plan_of(given.samples), read_answers(recorded(given.folder))
    return _timed(lambda: sum(1 for _ in _checked(plan, answers, _keys(plan))), plan.total)


def _commits(given: argparse.Namespace) -> Figures:
    plan, answers = plan_of(given.samples), read_answers(recorded(given.folder))
    store = begin_run(plan, _fresh(given.folder / "commits"))

    def work() -> None:
        checked = _checked(plan, answers, store.pending())
        for number, batch in enumerate(iter(lambda: list(islice(checked, COMMIT_ROWS)), [])):
            store.add_samples([sample for sample, _ in batch], chunk=str(number))
            store.add_outcomes(batch, chunk=str(number))
        store.finish()

    return _timed(work, plan.total)


def _keys(plan: RunPlan) -> Iterator[SampleKey]:
    for subject in plan.subjects:
        for case in plan.cases:
            for attempt in range(plan.samples):
                yield SampleKey(subject.model, subject.tier, case.suite, case.case, case.digest, attempt)


def _checked(plan: RunPlan, answers: Answers, keys: Iterator[SampleKey]) -> Iterator[tuple[Sample, Outcome]]:
    """Look each answer up and check it, as simply as can be."""
    checking, requests = Checking(make_sandbox()), Requests(plan.eval_set, plan.subjects)
    for key in keys:
        reply, case = answers.find(key), requests.case_of(key)
        assert reply is not None
        assert case is not None
        sample = Sample(**key._asdict(), text=reply.text, cost_nano_usd=reply.cost_nano_usd)
        yield sample, checking.outcome(case, sample)


def _run(given: argparse.Namespace) -> Figures:
    plan, answers = plan_of(given.samples), read_answers(recorded(given.folder))
    provider = ReplayProvider(answers.find, where=str(answers.path))
    settings = RunSettings(instead=provider, engine=given.side)
    return _carried_out(plan, settings, given.folder / given.side)


def _calls(given: argparse.Namespace) -> Figures:
    """Ask a service over HTTP, by the real client library."""
    os.environ[KEY] = "key"
    plan = plan_of(given.samples, provider="slow", attempts=max(1, given.samples // CASES))
    slow = ProviderSettings(name="slow", kind="openai", base_url=given.url, api_key_env=KEY)
    return _carried_out(plan, RunSettings(providers={"slow": slow}), given.folder / "calls")


def _carried_out(plan: RunPlan, settings: RunSettings, place: Path) -> Figures:
    resources = RunResources(plan.eval_set, plan.subjects, settings)
    store = begin_run(plan, _fresh(place))
    most = 0

    def watch(progress: RunProgress) -> None:
        nonlocal most
        most = max(most, *(provider.in_flight for provider in progress.providers.values()))

    figures = _timed(lambda: execute(store, plan.eval_set, resources, progress=watch), plan.total)
    rows = [sum(file.rows for file in table.files()) for table in (store.samples, store.outcomes)]
    assert rows == [plan.total] * 2, f"{plan.total} planned, {rows} kept"
    return {**figures, "most_in_flight": most, "errors": store.forget_errors()}


def _timed(work: Callable[[], object], samples: int) -> Figures:
    began, began_cpu = time.perf_counter(), time.process_time()
    work()
    seconds, processor = time.perf_counter() - began, time.process_time() - began_cpu
    return {"samples": samples, "seconds": round(seconds, 2), "own_cpu_seconds": round(processor, 2)}


def _fresh(place: Path) -> str:
    shutil.rmtree(place, ignore_errors=True)
    return str(place)


SIDES: dict[str, Callable[[argparse.Namespace], Figures]] = {
    "bare": _bare,
    "commits": _commits,
    "local": _run,
    "ray": _run,
    "calls": _calls,
}

if __name__ == "__main__":
    sys.exit(main())
