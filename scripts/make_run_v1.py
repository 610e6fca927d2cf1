"""Make the run of schema version 1 that the tests keep: every later version must read, resume and finish it.

Run once, when version 1 was the newest, and not again: a run made by a later version proves nothing.
Run: python scripts/make_run_v1.py tests/store/run/data
"""

import json
import sys
from itertools import islice
from pathlib import Path

from steelyard.metrics.rules import describe_rule
from steelyard.metrics.scoring import BuildTestLint
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.run import RUN_SCHEMA, Manifest, RunCase, Subject
from steelyard.model.sample import Sample
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.run_store import create_run

SEEN = (
    Outcome(facts=Facts(built=True, tests_passed=4, tests_failed=0, lint_warnings=1), check_us=5_000),
    Outcome(facts=Facts(built=True, tests_passed=3, tests_failed=1, lint_warnings=0), check_us=6_000),
    Outcome(facts=Facts(built=False), detail="error[E0308]: mismatched types"),
    Outcome(facts=Facts(classification=Classification.ERROR), detail="the sandbox broke"),
    Outcome(facts=Facts(classification=Classification.TIMEOUT, built=True)),
)
UNPRICED = 3  # from this attempt on, nobody knows what it cost
MANIFEST = Manifest(
    id="run-v1",
    created_at="2026-11-15T00:00:00Z",
    generator="scripts/make_run_v1.py",
    scoring=describe_rule(BuildTestLint()),
    subjects=(Subject(model="acme/one", parameters={"temperature": "0.8"}), Subject(model="acme/two")),
    cases=tuple(RunCase(suite="basics", case=f"case-{number}", digest=f"d{number}") for number in range(3)),
    planned_samples=4,
    eval_set="basics.toml",
    seed=7,
    tools={"rustc": "1.95.0"},
    host={"os": "Linux"},
)


def main(folder: Path) -> int:
    """Draw 20 of 24 samples, check 18 of them, and keep what was counted beside the run."""
    assert RUN_SCHEMA == "steelyard.run/1", "the run of version 1 can no longer be made"
    store = create_run(folder / "run-v1", MANIFEST)
    samples = [
        Sample(
            **key._asdict(),
            text=f"fn answer() -> u32 {{ {key.attempt} }}",
            cost_nano_usd=1_000 + key.attempt if key.attempt < UNPRICED else None,
            latency_us=2_000_000,
            tokens_in=10,
            tokens_out=20,
            finish_reason="stop",
        )
        for key in islice(store.undrawn(), 20)
    ]
    store.add_samples(samples, chunk="samples-0")
    checked = [(sample, SEEN[place % len(SEEN)]) for place, sample in enumerate(samples[:18])]
    store.add_outcomes(checked, chunk="outcomes-0")
    cases = [state._asdict() for state in run_evidence(store, RunCounting()).states]
    (folder / "run-v1-cases.json").write_text(f"{json.dumps(cases, indent=1)}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
