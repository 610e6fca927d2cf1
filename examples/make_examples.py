"""Write the example files beside this script, the same bytes every time.

Made-up outcomes with known truths, small enough to read; run it again after changing it.
"""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

from make_logs import log_files
from make_tiers import tier_files

from steelyard import write_synthetic
from steelyard.sources.evalset.read import read_eval_set
from steelyard.sources.synthetic import SyntheticPlan

HERE = Path(__file__).parent

RUST_CASES = ("fizzbuzz", "word-count", "roman-numerals", "matrix", "lru-cache", "json-parser")
RUST_SAMPLES = 5
BASELINE = {
    "openai/gpt-4o": (0.95, 0.9, 0.85, 0.8, 0.6, 0.4),
    "anthropic/sonnet-4": (1.0, 1.0, 0.9, 0.9, 0.7, 0.6),
}
CURRENT = {
    "openai/gpt-4o": (0.95, 0.9, 0.85, 0.8, 0.7, 0.5),
    "anthropic/sonnet-4": (1.0, 1.0, 0.9, 0.1, 0.7, 0.8),
}
TESTS = 4

TIER_RUNS = 10
TIERS = {"T0": (0.5, 0.62, 0.21), "T1": (0.7, 0.74, 0.26), "T2": (0.8, 0.83, 0.41), "T3": (0.9, 0.91, 0.95)}

# The answers that do not pass, by the place of their case: of 10, and of 20 and 10.
SEED_004 = {
    "example-1": {
        2: 'Sure! Here is the object:\n\n{"name": "Lena", "mugs": 1}',
        5: "{'name': 'Ines', 'mugs': 2}",
        8: '{"name": "Mika", "mugs": "8"}',
    },
    "example-2": {
        6: "APPROVED",
        15: "I'm sorry, but I can't help with sorting private mails.",
        23: "no",
        27: "yes",
    },
}

# How often each of 60 tasks is solved: 34 of them always, 6 never, 20 now and then; in no order.
GATE_RATES = [1.0] * 34 + [0.0] * 6 + [(place + 0.5) / 20 for place in range(20)]
Random("gate/order").shuffle(GATE_RATES)
BROKEN = 17  # the place of a task that was always solved and then never
WORSE = 0.8  # what a clear drop leaves of every rate
GATE_SAMPLES, FRESH_SAMPLES = 5, 10
LITTLE_CASES, LITTLE_SAMPLES = 12, 2


def main() -> None:
    """Write every example."""
    plan = SyntheticPlan(rates={"gemini": 0.77, "chatgpt4.1": 0.62}, problems=12, samples=10, seed=7)
    write_synthetic(HERE / "repairs", plan)
    for name, rates in (("baseline", BASELINE), ("current", CURRENT)):
        _write_csv(HERE / "rust-basics" / f"{name}.csv", _rust_rows(rates, Random(f"rust/{name}")))
    _write_csv(HERE / "tiers" / "outcomes.csv", _tier_rows(Random("tiers")))
    _write_jsonl(HERE / "behaviour" / "results.jsonl", _behaviour_rows())
    for name in SEED_004:
        folder = HERE / "behaviour" / "seed-004"
        _write_jsonl(folder / f"{name}-answers.jsonl", _recorded_rows(folder / f"{name}.toml", Random(name)))
    log_files(HERE)
    _write_gate(HERE / "gate")
    for path, rows in tier_files(HERE / "tiers"):
        _write_jsonl(path, rows)
    config = {
        "fixes_dir": "repairs",
        "output_dir": "out",
        "clones_dir": "clones",
        "k_values": [1, 5, 10],
        "models": [],
        "generate_synthetic_data": False,
        "data_type": "all",
    }
    (HERE / "evaluation_config.json").write_text(json.dumps(config, indent=4) + "\n", encoding="utf-8")


def _rust_rows(rates: Mapping[str, Sequence[float]], chance: Random) -> Iterable[Mapping[str, object]]:
    for model, by_case in rates.items():
        for case, rate in zip(RUST_CASES, by_case, strict=True):
            for attempt in range(RUST_SAMPLES):
                yield _rust_row(model, case, attempt, rate, chance)


def _rust_row(model: str, case: str, attempt: int, rate: float, chance: Random) -> Mapping[str, object]:
    is_built = chance.random() < 0.8 + 0.2 * rate
    is_right = is_built and chance.random() < rate
    failed = 0 if is_right else chance.randint(1, TESTS)
    return {
        "model": model,
        "case": case,
        "attempt": attempt,
        "built": is_built,
        "tests_passed": TESTS - failed if is_built else 0,
        "tests_failed": failed if is_built else 0,
        "lint_warnings": chance.choice((0, 0, 0, 1, 2)) if is_built else "",
        "cost_usd": round(chance.uniform(0.002, 0.012), 6),
        "latency_s": round(chance.uniform(0.8, 6.5), 3),
    }


def _tier_rows(chance: Random) -> Iterable[Mapping[str, object]]:
    for tier, (pass_rate, impl_rate, cost) in TIERS.items():
        for run in range(1, TIER_RUNS + 1):
            yield {
                "agent_model": "claude-opus-4.5",
                "tier": tier,
                "case": "todo-cli",
                "run_number": run,
                "passed": chance.random() < pass_rate,
                "impl_rate": round(min(1.0, max(0.0, chance.gauss(impl_rate, 0.06))), 2),
                "cost_usd": round(cost * chance.uniform(0.8, 1.3), 4),
                "duration_seconds": round(cost * chance.uniform(300, 700), 1),
            }


def _behaviour_rows() -> Iterable[Mapping[str, object]]:
    suites = {
        "injection": ["pass"] * 18 + ["policy_violation", "refusal"],
        "contradictions": ["pass"] * 8 + ["fail", "fail"],
        "json_api": ["pass"] * 7 + ["wrong_format", "wrong_format", "fail"],
    }
    for suite, kinds in suites.items():
        for place, kind in enumerate(kinds):
            yield {
                "case_id": f"{suite}-{place:02d}",
                "suite_id": suite,
                "run_id": "run-1",
                "model_id": "local/llama",
                "classification": {"primary": kind, "details": {}},
                "scores": {"accuracy": int(kind == "pass")},
            }


def _recorded_rows(eval_set: Path, chance: Random) -> Iterable[Mapping[str, object]]:
    """Give the recorded answers to a set: the reference, but for some that are wrong in their own way."""
    slips = SEED_004[eval_set.stem]
    for place, case in enumerate(read_eval_set(eval_set).cases):
        yield {
            "model": "acme/assistant",
            "suite": case.suite,
            "case": case.id,
            "text": slips.get(place, case.reference),
            "finish_reason": "stop",
            "latency_s": round(0.4 + chance.expovariate(1.5), 3),
        }


def _write_gate(folder: Path) -> None:
    """Write runs of one agent with known changes between them, and the same tasks drawn again."""
    usual = dict(enumerate(GATE_RATES))
    worse = {task: WORSE * rate for task, rate in usual.items()}
    broken = {**usual, BROKEN: 0.0}
    few, few_worse = ({task: rates[task] for task in range(LITTLE_CASES)} for rates in (usual, worse))
    _write_csv(folder / "baseline.csv", _gate_rows(usual, GATE_SAMPLES, Random("gate/baseline")))
    _write_csv(folder / "clear-drop.csv", _gate_rows(worse, GATE_SAMPLES, Random("gate/clear-drop/7")))
    _write_csv(folder / "noise.csv", _gate_rows(usual, GATE_SAMPLES, Random("gate/noise/1")))
    _write_csv(folder / "one-broken.csv", _gate_rows(broken, GATE_SAMPLES, Random("gate/one-broken/0")))
    for name, rates in (("baseline", few), ("current", few_worse)):
        rows = _gate_rows(rates, LITTLE_SAMPLES, Random(f"gate/little/{name}/2"))
        _write_csv(folder / f"too-little-{name}.csv", rows)
    for name, rates in (("baseline", usual), ("current", broken)):
        again = {task: rates[task] for task in _suspects(folder)}
        rows = _gate_rows(again, FRESH_SAMPLES, Random(f"gate/fresh/{name}"))
        _write_csv(folder / f"fresh-{name}.csv", rows)


def _gate_rows(rates: Mapping[int, float], samples: int, chance: Random) -> Iterable[Mapping[str, object]]:
    for task, rate in rates.items():
        for attempt in range(samples):
            passed = chance.random() < rate
            yield {"model": "my/agent", "case": f"task-{task + 1:02d}", "attempt": attempt, "passed": passed}


def _suspects(folder: Path) -> Sequence[int]:
    """Return the tasks whose first sample passed in the baseline and failed with one task broken."""
    before, after = ((folder / f"{name}.csv").read_text("utf-8") for name in ("baseline", "one-broken"))
    return [
        task
        for task in range(len(GATE_RATES))
        if f",task-{task + 1:02d},0,True" in before and f",task-{task + 1:02d},0,False" in after
    ]


def _write_csv(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    listed = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(listed[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(listed)


def _write_jsonl(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
