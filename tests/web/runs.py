"""Make small runs to look at: a usual one, one whose every text is an attack, one without answers."""

from collections.abc import Mapping
from pathlib import Path

from steelyard.metrics.rules import describe_rule
from steelyard.metrics.scoring import BuildTestLint
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite, Tier
from steelyard.model.outcome import Classification, Facts, Integrity, Outcome
from steelyard.model.run import Manifest, RunCase, Subject
from steelyard.model.sample import Sample
from steelyard.store.run.run_store import RunStore, create_run

GOOD = "Here:\n```python\ndef add(a, b):\n    return a + b\n```\n"
BAD = "```python\ndef add(a, b):\n    return a - b\n```\n"
DETAIL = "line 2: AssertionError: assert -1 == 3"


def make_run(  # noqa: PLR0913  # what a run may differ in
    path: Path | str,
    *,
    cases: int = 3,
    samples: int = 4,
    models: tuple[str, ...] = ("m/good", "m/weak"),
    texts: Mapping[str, str] | None = None,
    finish: bool = True,
) -> RunStore:
    """Make a run: the first model passes always, any other only with every second answer.

    `texts` replaces texts by their names: case, suite, model, prompt, answer, detail, and so on.
    """
    said = {**plain_texts(), **(texts or {})}
    eval_set = _eval_set(said, cases)
    subjects = tuple(Subject(model=model, tier=said["tier"]) for model in models)
    manifest = Manifest(
        id=said["id"],
        created_at=said["created_at"],
        generator=said["generator"],
        scoring=describe_rule(BuildTestLint()),
        subjects=subjects,
        cases=tuple(RunCase(suite=case.suite, case=case.id, digest=case.digest) for case in eval_set.cases),
        planned_samples=samples,
        eval_set=said.get("eval_set"),
        eval_set_digest=eval_set.digest,
    )
    store = create_run(path, manifest, eval_set)
    add_rows(store, said, range(samples))
    if finish:
        store.finish()
    return store


def add_rows(store: RunStore, said: Mapping[str, str], attempts: range, *, checked: bool = True) -> None:
    """Generate and check some attempts of every case."""
    first = store.manifest.subjects[0]
    generated = [
        (sample((subject, case, attempt), said, is_good=is_good), is_good)
        for subject in store.manifest.subjects
        for case in store.manifest.current_cases()
        for attempt in attempts
        for is_good in [subject == first or attempt % 2 == 0]
    ]
    name = f"{attempts.start}-{attempts.stop}"
    store.add_samples([one for one, _ in generated], chunk=f"samples-{name}")
    if checked:
        outcomes = [(one, outcome(said, is_good=is_good)) for one, is_good in generated]
        store.add_outcomes(outcomes, chunk=f"outcomes-{name}")


def sample(key: tuple[Subject, RunCase, int], said: Mapping[str, str], *, is_good: bool) -> Sample:
    """Return an answer."""
    subject, case, attempt = key
    return Sample(
        model=subject.model,
        tier=subject.tier,
        suite=case.suite,
        case=case.case,
        digest=case.digest,
        attempt=attempt,
        text=said["answer"] if is_good else said["wrong"],
        finish_reason=said["finish_reason"],
        request_id=said["request_id"],
        cost_nano_usd=1_000_000,
        latency_us=500_000 + attempt,
        tokens_in=10,
        tokens_out=20,
    )


def outcome(said: Mapping[str, str], *, is_good: bool) -> Outcome:
    """Return what a check found."""
    kind = Classification.PASS if is_good else Classification.FAIL
    return Outcome(
        facts=Facts(
            classification=kind,
            passed=is_good,
            built=True,
            tests_passed=5 if is_good else 3,
            tests_failed=0 if is_good else 2,
            lint_warnings=0,
        ),
        check_us=1_000,
        integrity=Integrity.SEALED,
        detail="" if is_good else said["detail"],
    )


def plain_texts() -> dict[str, str]:
    return {
        "id": "run-1",
        "created_at": "2026-11-15T00:00:00Z",
        "generator": "a test",
        "tier": "T0",
        "suite": "sums",
        "case": "add",
        "prompt": "Add two numbers.",
        "system": "Be brief.",
        "file": "notes.txt",
        "answer": GOOD,
        "wrong": BAD,
        "reference": "def add(a, b):\n    return b + a\n",
        "tests": "# Small numbers.\nassert add(1, 2) == 3",
        "tag": "easy",
        "detail": DETAIL,
        "finish_reason": "stop",
        "request_id": "req-1",
    }


def _eval_set(said: Mapping[str, str], cases: int) -> EvalSet:
    made = tuple(
        Case(
            id=f"{said['case']}-{number}",
            suite=said["suite"],
            prompt=said["prompt"],
            language="python",
            reference=said["reference"],
            files={said["file"]: said["prompt"]},
            expectations=Expectations(tests=said["tests"]),
            tags=(said["tag"],) if number else (),
        )
        for number in range(cases)
    )
    return EvalSet(
        id="sums",
        cases=made,
        suites=(Suite(id=said["suite"]),),
        tiers=(Tier(id=said["tier"], system_prompt=said["system"]),),
    )
