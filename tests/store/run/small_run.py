"""A small run for tests: two models, a few cases, by default all attempts generated and checked."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from steelyard.metrics.rules import describe_rule
from steelyard.metrics.scoring import BuildTestLint
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.run import Manifest, RunCase, Subject
from steelyard.model.sample import Sample, SampleKey
from steelyard.store.run.run_store import RunStore, create_run

MANIFEST = Manifest(
    id="small",
    created_at="2026-11-15T00:00:00Z",
    generator="a test",
    scoring=describe_rule(BuildTestLint()),
    subjects=(Subject(model="acme/one"), Subject(model="acme/two")),
    cases=tuple(RunCase(suite="basics", case=f"case-{number}", digest="d1") for number in range(4)),
    planned_samples=3,
)


def small_manifest(*, models: int = 2, cases: int = 4, planned: int = 3) -> Manifest:
    """Return a manifest of so many models, cases and samples of each."""
    return replace(
        MANIFEST,
        subjects=tuple(Subject(model=f"acme/{number}") for number in range(models)),
        cases=tuple(RunCase(suite="basics", case=f"case-{number}", digest="d1") for number in range(cases)),
        planned_samples=planned,
    )


def generated(key: SampleKey, **changes: object) -> Sample:
    """Return an answer that says which it is."""
    sample = Sample(
        model=key.model,
        tier=key.tier,
        suite=key.suite,
        case=key.case,
        digest=key.digest,
        attempt=key.attempt,
        text=f"answer {key.attempt} of {key.model} to {key.case}",
        cost_nano_usd=1_000 + key.attempt,
        latency_us=2_000_000,
        tokens_in=10,
        tokens_out=20,
    )
    return replace(sample, **changes)  # type: ignore[arg-type]


def seen(sample: Sample) -> Outcome:
    """Return an outcome that follows from the sample's place alone: every kind of ending comes up."""
    match (sample.attempt + len(sample.case) + int(sample.case[-1])) % 5:
        case 0:
            return Outcome(facts=Facts(built=False))
        case 1:
            return Outcome(facts=Facts(classification=Classification.ERROR), detail="the sandbox broke")
        case 2:
            return Outcome(facts=Facts(classification=Classification.TIMEOUT, built=True))
        case rest:
            failed = rest - 3
            return Outcome(
                facts=Facts(built=True, tests_passed=4 - failed, tests_failed=failed, lint_warnings=1),
                check_us=5_000,
            )


def fill(store: RunStore, keys: Iterable[SampleKey], *, chunk: str) -> None:
    """Generate and check some samples in one chunk."""
    samples = [generated(key) for key in keys]
    store.add_samples(samples, chunk=f"samples-{chunk}")
    store.add_outcomes([(sample, seen(sample)) for sample in samples], chunk=f"outcomes-{chunk}")


def small_run(path: Path, manifest: Manifest = MANIFEST, *, chunks: int = 2) -> RunStore:
    """Make a whole run in so many chunks."""
    store = create_run(path, manifest)
    keys = list(store.pending())
    for number in range(chunks):
        fill(store, keys[number::chunks], chunk=str(number))
    return store
