"""Make large reports in little time: dice count out the cases, and no answer is ever generated or kept."""

import random

from steelyard.analysis.build import build_report
from steelyard.model.options import ReportOptions, Scoring
from steelyard.model.report import Report
from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import CaseState, Evidence
from tests.browser.runs import MODELS, SUITES, TASKS, TRACE, Shape

POINTS = 1_000_000
MOST_EXCERPTS = 10_000  # cases; the others have no samples to show
ANSWER = "Here it is.\n\n```python\ndef {name}(items):\n    return sum(items)  # attempt {attempt}\n```\n"


def counted(shape: Shape) -> tuple[Report, list[SampleExcerpt]]:
    """Return a report of so many samples, and an excerpt of each sample of the first turns."""
    dice = random.Random(shape.seed)
    states = [
        _state(dice, place, suite, number, shape)
        for place in range(shape.models)
        for suite in SUITES[: shape.suites]
        for number in range(shape.cases)
    ]
    evidence = Evidence(states=tuple(sorted(states)), scoring=Scoring(name="accuracy", version=1), spreads={})
    options = ReportOptions(pass_k=tuple(k for k in (1, 5) if k <= shape.samples))
    return build_report(evidence, options), [
        one for state in states[:MOST_EXCERPTS] for one in _excerpts(state)
    ]


def _state(dice: random.Random, place: int, suite: str, number: int, shape: Shape) -> CaseState:
    model, skill, cost, seconds = MODELS[place]
    chance = dice.betavariate(0.6, 0.4) * 0.4 + skill * 0.6
    n = shape.samples
    c = sum(dice.random() < chance for _ in range(n))
    builds = sum(dice.random() < 0.2 for _ in range(n - c))
    return CaseState(
        model,
        "T0",
        suite,
        f"{suite}/{TASKS[number % len(TASKS)]}_{number:05d}",
        n=n,
        c=c,
        n_build_error=builds,
        score_n=n,
        score_sum=c * POINTS,
        score_sq=c * POINTS**2,
        cost_n=n,
        cost_sum=n * cost,
        latency_n=n,
        latency_sum=round(n * seconds * 1e6),
    )


def _excerpts(state: CaseState) -> list[SampleExcerpt]:
    return [
        SampleExcerpt(
            key=state.key,
            attempt=attempt,
            classification="pass" if attempt < state.c else "fail",
            passed=attempt < state.c,
            score=float(attempt < state.c),
            text=ANSWER.format(name=state.case, attempt=attempt),
            text_length=2_000,
            detail=""
            if attempt < state.c
            else TRACE.format(name=state.case, kind="x", got=1, wanted=2, line=attempt),
        )
        for attempt in range(state.n)
    ]
