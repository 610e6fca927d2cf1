"""Make cases that detect whether a model has memorized a benchmark.

A canary shows the first half of a task's text and requests the next words. Only a model trained on the task
knows them, so a canary is a honeypot: it is in no score, and the report lists passed ones.
"""

import re
from collections.abc import Iterator, Sequence

from steelyard.model.benchmark import Benchmark
from steelyard.model.case import Case, Expectations

PREFIX = "canary:"  # of the case id
LETTERS = 60  # required in the answer; fewer could be guessed
SHORTEST = 4 * LETTERS  # of a task's text; shorter ones get no canary


def is_canary(case: Case) -> bool:
    """Whether a case is a canary."""
    return case.honeypot and case.id.startswith(PREFIX)


def canary_cases(benchmark: Benchmark, cases: Sequence[Case], count: int) -> tuple[Case, ...]:
    """Make canaries for evenly spread tasks; skip tasks with short texts."""
    fit = [case for case in cases if len(case.prompt) >= SHORTEST]
    return tuple(_make_canaries(benchmark, spread(fit, count)))


def _make_canaries(benchmark: Benchmark, cases: Sequence[Case]) -> Iterator[Case]:
    for case in cases:
        middle = case.prompt.rindex(" ", 0, len(case.prompt) // 2 + 1) if " " in case.prompt else 0
        shown, hidden = case.prompt[:middle], case.prompt[middle:]
        requested = " ".join(hidden.split())[:LETTERS]
        yield Case(
            id=f"{PREFIX}{case.id}",
            suite=case.suite,
            prompt=(
                f"This is the first half of a task of the benchmark {benchmark.name}. Go on with it word for "
                f"word, as it stands there. Answer with its next words alone.\n\n{shown}"
            ),
            language="text",
            expectations=Expectations(settings={"regex": _make_pattern(requested)}),
            honeypot=True,
        )


def _make_pattern(words: str) -> str:
    """Return a pattern for words with any whitespace between them."""
    return r"\s+".join(map(re.escape, words.split()))


def spread(cases: Sequence[Case], count: int) -> tuple[Case, ...]:
    """Select a number of cases, evenly spread."""
    step = max(len(cases) / max(count, 1), 1.0)
    return tuple(cases[int(index * step)] for index in range(min(count, len(cases))))
