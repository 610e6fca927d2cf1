"""Make cases that detect whether a model has memorized a benchmark.

A canary shows the first half of a task's text and asks for the next words. Only who has seen the task can
know them, so a canary is a honeypot: it is in no score, and a report names those that were passed.
"""

import re
from collections.abc import Iterator, Sequence

from steelyard.app.benchmarks.spread import spread
from steelyard.model.benchmark import Benchmark
from steelyard.model.case import Case, Expectations

PREFIX = "canary:"  # of the id, before that of the task
LETTERS = 60  # required in the answer; fewer could be guessed
SHORTEST = 4 * LETTERS  # of a text that is worth asking for


def is_canary(case: Case) -> bool:
    """Whether a case is a canary."""
    return case.honeypot and case.id.startswith(PREFIX)


def canary_cases(benchmark: Benchmark, cases: Sequence[Case], count: int) -> tuple[Case, ...]:
    """Make canaries for evenly spread tasks; skip tasks with short texts."""
    fit = [case for case in cases if len(case.prompt) >= SHORTEST]
    return tuple(_canaries(benchmark, spread(fit, count)))


def _canaries(benchmark: Benchmark, cases: Sequence[Case]) -> Iterator[Case]:
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
            expectations=Expectations(settings={"regex": _pattern(requested)}),
            honeypot=True,
        )


def _pattern(words: str) -> str:
    """Return a pattern for words with any blanks between them."""
    return r"\s+".join(map(re.escape, words.split()))
