"""Write two small logs in the form of Inspect: the same task before and after a change of the prompt."""

import json
import zipfile
from pathlib import Path
from random import Random
from typing import Any

CASES = (
    "add",
    "median",
    "roman",
    "dates",
    "matrix",
    "parser",
    "queue",
    "cache",
    "graph",
    "words",
    "bits",
    "heap",
)
EPOCHS = 5
BEFORE = (1.0, 1.0, 0.9, 0.9, 0.9, 0.8, 0.8, 0.8, 0.7, 0.7, 0.6, 0.5)
AFTER = (1.0, 1.0, 0.9, 0.1, 0.9, 0.3, 0.8, 0.3, 0.7, 0.3, 0.6, 0.5)
MODEL = "openai/gpt-4o"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # archives hold times; these bytes should never change


def log_files(folder: Path) -> None:
    """Write both logs; in the second one a sample was lost to an error of the service."""
    _write(folder / "inspect" / "before.eval", BEFORE, seed=1, lost=None)
    _write(folder / "inspect" / "after.eval", AFTER, seed=2, lost=("queue", 3))


def _write(path: Path, rates: tuple[float, ...], *, seed: int, lost: tuple[str, int] | None) -> None:
    random = Random(seed)
    samples = [
        _sample(case, epoch, passed=random.random() < rate, is_lost=(case, epoch) == lost)
        for epoch in range(1, EPOCHS + 1)
        for case, rate in zip(CASES, rates, strict=True)
    ]
    keys = ("id", "epoch", "input", "target", "scores", "model_usage")
    members = {
        "header.json": _header(samples),
        "summaries.json": [{key: sample[key] for key in keys} for sample in samples],
        **{f"samples/{sample['id']}_epoch_{sample['epoch']}.json": sample for sample in samples},
    }
    path.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in members.items():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), json.dumps(value))


def _header(samples: list[dict[str, Any]]) -> dict[str, object]:
    scored = [sample for sample in samples if sample["scores"]]
    created = "2026-11-15T12:00:00+00:00"
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "functions",
            "task_id": "functions",
            "created": created,
            "model": MODEL,
            "dataset": {"name": "functions", "samples": len(CASES), "sample_ids": list(CASES)},
            "config": {"epochs": EPOCHS, "epochs_reducer": ["mean"]},
            "packages": {"inspect_ai": "0.3.285"},
        },
        "plan": {"name": "plan", "steps": [{"solver": "generate", "params": {}}], "config": {}},
        "results": {
            "total_samples": len(samples),
            "completed_samples": len(scored),
            "scores": [
                {"name": "verify", "scorer": "verify", "reducer": "mean", "metrics": _metrics(scored)}
            ],
        },
        "stats": {"started_at": created, "completed_at": created, "model_usage": {}},
    }


def _metrics(scored: list[dict[str, Any]]) -> dict[str, object]:
    """Return the accuracy as Inspect counts it: the mean over cases of the mean over epochs."""
    rates = []
    for case in CASES:
        values = [sample["scores"]["verify"]["value"] == "C" for sample in scored if sample["id"] == case]
        rates.append(sum(values) / len(values))
    return {"accuracy": {"name": "accuracy", "value": sum(rates) / len(rates)}}


def _sample(case: str, epoch: int, *, passed: bool, is_lost: bool) -> dict[str, object]:
    code = f"def {case}(values):\n    return {'solve' if passed else 'guess'}(values)\n"
    message = {"role": "assistant", "content": f"```python\n{code}```"}
    error = "RateLimitError: 429 Too Many Requests"
    score = {
        "value": "C" if passed else "I",
        "answer": code,
        "explanation": "" if passed else "AssertionError",
    }
    sample = {
        "id": case,
        "epoch": epoch,
        "input": f"Write the Python function {case}(values).",
        "target": "",
        "messages": [],
        "output": {
            "model": MODEL,
            "choices": [] if is_lost else [{"message": message, "stop_reason": "stop"}],
        },
        "scores": {} if is_lost else {"verify": score},
        "model_usage": {MODEL: {"input_tokens": 40, "output_tokens": 60, "total_tokens": 100}},
        "total_time": 1.5,
    }
    return sample | (
        {"error": {"message": error, "traceback": error, "traceback_ansi": error}} if is_lost else {}
    )
