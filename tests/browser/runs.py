"""Make the three runs whose pages are looked at: a small one, a usual one, and one of 100,000 samples.

Made up, but plausible: models differ, cases differ, and every kind of ending comes up. Seeded, so that the
same run comes out every time.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from steelyard.metrics.rules import describe_rule
from steelyard.metrics.scoring import BuildTestLint
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.run import Manifest, RunCase, Subject
from steelyard.model.sample import Sample, SampleKey
from steelyard.store.run.run_store import create_run

CHUNK = 20_000
SUITES = ("basics", "concurrency", "parsing", "numerics", "repair")
MODELS = (
    ("openai/gpt-5.2", 0.86, 4_100_000, 6.1),
    ("anthropic/claude-opus-4.6", 0.88, 9_800_000, 7.4),
    ("anthropic/claude-haiku-4.6", 0.71, 610_000, 2.2),
    ("google/gemini-3-pro", 0.82, 3_300_000, 5.0),
    ("mistral/devstral-3", 0.63, 450_000, 3.1),
    ("qwen/qwen3-coder-480b", 0.74, 900_000, 4.4),
    ("deepseek/deepseek-v4", 0.78, 520_000, 9.6),
    ("local/tiny-coder-7b", 0.31, 60_000, 1.1),
)
TASKS = ("fizzbuzz", "lru_cache", "parse_csv", "merge_sort", "token_bucket", "word_count", "roman_numerals")
PROSE = "Here is the function. It walks the list once and keeps a running total."
CODE = '''```python
def {name}(items: list[int], limit: int = {number}) -> int:
    """Add up what is at most the limit."""
    total = 0  # nothing yet
    for item in items:
        if item <= limit:
            total += item
    return total if total else None
```'''
TRACE = """FAILED test_{name}.py::test_{kind} - AssertionError: assert {got} == {wanted}
  at line {line}: total = {name}([1, 2, {wanted}], limit=3)
1 failed, 4 passed in 0.0{line} s"""
ENDINGS = (
    (Classification.FAIL, 0.62),
    (Classification.BUILD_ERROR, 0.16),
    (Classification.TIMEOUT, 0.08),
    (Classification.CRASH, 0.05),
    (Classification.WRONG_FORMAT, 0.05),
    (Classification.REFUSAL, 0.03),
    (Classification.POLICY_VIOLATION, 0.01),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How large a run is; `shift` makes every answer better or worse by so much."""

    models: int
    suites: int
    cases: int
    samples: int
    tiers: tuple[str, ...] = ("T0",)
    shift: float = 0.0
    errors: float = 0.004
    seed: int = 1


SMALL = Shape(models=2, suites=1, cases=15, samples=5)
USUAL = Shape(models=8, suites=5, cases=164, samples=10)
LARGE = Shape(models=4, suites=5, cases=500, samples=10)
SINGLES = Shape(models=1, suites=5, cases=20_000, samples=1, errors=0.0)
TIERED = Shape(models=2, suites=2, cases=20, samples=4, tiers=("T0", "T1", "T2"))


def make_run(path: Path, shape: Shape) -> Path:
    """Generate and check everything, and put it in order."""
    manifest = _manifest(shape)
    store = create_run(path, manifest)
    wanted = manifest.wanted()
    number = 0
    while keys := list(islice(wanted, CHUNK)):
        checked = [_checked(key, shape) for key in keys]
        store.add_samples([sample for sample, _ in checked], chunk=f"samples-{number}")
        store.add_outcomes(checked, chunk=f"outcomes-{number}")
        number += 1
    store.finish()
    return path


def _manifest(shape: Shape) -> Manifest:
    return Manifest(
        id="looked-at",
        created_at="2026-11-15T00:00:00Z",
        generator="a test",
        scoring=describe_rule(BuildTestLint()),
        subjects=tuple(
            Subject(model=model, tier=tier) for model, *_ in MODELS[: shape.models] for tier in shape.tiers
        ),
        cases=tuple(_cases(shape)),
        planned_samples=shape.samples,
    )


def _cases(shape: Shape) -> Iterator[RunCase]:
    for suite in SUITES[: shape.suites]:
        for number in range(shape.cases):
            yield RunCase(suite=suite, case=f"{suite}/{TASKS[number % len(TASKS)]}_{number:03d}", digest="d1")


@cache
def _ease(suite: str, case: str) -> float:
    """Return how easy a case is: most are easy or hard, few are in between."""
    return random.Random(f"{suite}/{case}").betavariate(0.55, 0.35) + 0.06 * SUITES.index(suite) - 0.1


def _checked(key: SampleKey, shape: Shape) -> tuple[Sample, Outcome]:
    dice = random.Random(f"{shape.seed} {key}")
    skill, cost, seconds = next(rest for model, *rest in MODELS if model == key.model)
    gain = 0.07 * shape.tiers.index(key.tier) if key.tier in shape.tiers else 0.0
    chance = _ease(key.suite, key.case) + 1.3 * (skill - 0.72) + gain + shape.shift
    is_pass = dice.random() < min(max(chance, 0.0), 1.0)
    name = key.case.rpartition("/")[2]
    sample = Sample(
        model=key.model,
        tier=key.tier,
        suite=key.suite,
        case=key.case,
        digest=key.digest,
        attempt=key.attempt,
        text=f"{PROSE}\n\n{CODE.format(name=name, number=dice.randrange(100))}\n",
        cost_nano_usd=round(cost * dice.uniform(0.4, 1.8)),
        latency_us=round(seconds * 1e6 * dice.lognormvariate(0, 0.5)),
        tokens_in=200 + dice.randrange(50),
        tokens_out=dice.randrange(80, 400),
    )
    return sample, _outcome(dice, name, is_pass=is_pass, errors=shape.errors)


def _outcome(dice: random.Random, name: str, *, is_pass: bool, errors: float) -> Outcome:
    if is_pass:
        warnings = dice.choice((0, 0, 0, 1, 2))
        return Outcome(facts=Facts(built=True, tests_passed=5, tests_failed=0, lint_warnings=warnings))
    if dice.random() < errors:
        return Outcome(facts=Facts(classification=Classification.ERROR), detail="the sandbox broke")
    kinds, weights = zip(*ENDINGS, strict=True)
    kind = dice.choices(kinds, weights)[0]
    built = kind is not Classification.BUILD_ERROR
    passed = dice.randrange(5) if kind is Classification.FAIL else 0
    detail = TRACE.format(
        name=name,
        kind=kind.value,
        got=dice.randrange(9),
        wanted=dice.randrange(9),
        line=dice.randrange(10, 60),
    )
    facts = Facts(
        classification=None if kind is Classification.FAIL else kind,
        built=built,
        tests_passed=passed if built else None,
        tests_failed=5 - passed if built else None,
        lint_warnings=dice.randrange(3) if built else None,
    )
    return Outcome(facts=facts, detail=detail)
