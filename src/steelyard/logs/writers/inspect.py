"""Write logs of Inspect: an `.eval` archive per subject and suite, in version 2 of the format.

If planned samples are missing, the status of the log is cancelled.
"""

import json
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

from steelyard.logs.inspect_notes import SCORER, model_usage, sample_notes, score_notes
from steelyard.logs.writing import by_task, file_name, write_whole
from steelyard.model.log import Exported, ExportedRun, LogRow
from steelyard.model.sample import text_digest

# Our finish reasons → those of Inspect.
STOP_REASONS = {
    **{name: name for name in ("stop", "max_tokens", "model_length", "tool_calls", "content_filter")},
    "length": "max_tokens",
    "tool_call": "tool_calls",
}


class InspectWriter:
    """Writes logs of Inspect into a folder."""

    def write(self, run: ExportedRun, folder: Path) -> Exported:
        """Write a log for each subject and suite."""
        files = []
        for model, tier, suite, rows in by_task(run.rows):
            identity = text_digest(json.dumps([run.id, model, tier, suite]))[:22]
            name = f"{file_name(run.created_at[:19], suite, model, tier)}_{identity}.eval"
            files.append(write_whole(folder / name, partial(_write, run=run, rows=rows, identity=identity)))
        return Exported(files=tuple(files), rows=len(run.rows))


def _write(path: Path, *, run: ExportedRun, rows: list[LogRow], identity: str) -> None:
    samples = [_sample(row) for row in rows]
    header = _header(run, rows, identity)
    keys = ("id", "epoch", "input", "target", "scores", "metadata", "model_usage", "total_time", "uuid")
    summaries = [
        {**{key: sample[key] for key in keys if key in sample}, "completed": True, "error": _message(sample)}
        for sample in samples
    ]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        start = {key: header[key] for key in ("version", "eval", "plan")}
        archive.writestr("_journal/start.json", json.dumps(start))
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("summaries.json", json.dumps(summaries))
        archive.writestr("header.json", json.dumps(header))


def _header(run: ExportedRun, rows: list[LogRow], identity: str) -> dict[str, Any]:
    first = rows[0]
    planned = run.planned.get((first.model, first.tier), 0)
    planned_cases = [case for suite, case in run.cases if suite == first.suite] if planned else []
    cases = list(dict.fromkeys([*(row.case for row in rows), *planned_cases]))
    epochs = max(planned, *(row.attempt + 1 for row in rows))
    missing = _missing(rows, planned_cases, planned)
    graded = [row for row in rows if row.passed is not None]
    created = run.created_at.replace("Z", "+00:00")
    return {
        "version": 2,
        "status": "cancelled" if missing else "success",
        "eval": {
            "eval_id": identity,
            "run_id": run.id,
            "task_id": identity,
            "created": created,
            "task": first.suite,
            "task_version": 0,
            "task_attribs": {},
            "task_args": {},
            "dataset": {"name": first.suite, "samples": len(cases), "sample_ids": cases, "shuffled": False},
            "model": first.model,
            "model_args": {},
            "config": {"epochs": epochs, "epochs_reducer": ["mean"]},
            "packages": {},
            "metadata": {"made_by": run.generator, "tier": first.tier},
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {
            "total_samples": len(rows) + missing,
            "completed_samples": len(graded),
            "scores": [_score_summary(graded)] if graded else [],
        },
        "stats": {"started_at": created, "completed_at": created, "model_usage": {}},
    }


def _missing(rows: list[LogRow], planned_cases: list[str], planned: int) -> int:
    """Return how many planned samples have no row."""
    seen = {(row.case, row.attempt) for row in rows}
    return sum((case, attempt) not in seen for case in planned_cases for attempt in range(planned))


def _score_summary(graded: list[LogRow]) -> dict[str, Any]:
    cases: dict[str, list[float]] = {}
    for row in graded:
        cases.setdefault(row.case, []).append(float(row.passed or False))
    accuracy = sum(sum(values) / len(values) for values in cases.values()) / len(cases)
    metric = {"name": "accuracy", "value": accuracy, "params": {}}
    return {
        "name": SCORER,
        "scorer": SCORER,
        "reducer": "mean",
        "scored_samples": len(cases),
        "unscored_samples": 0,
        "params": {},
        "metrics": {"accuracy": metric},
    }


def _sample(row: LogRow) -> dict[str, Any]:
    output = _output(row)
    answers = [choice["message"] for choice in output["choices"]]
    sample: dict[str, Any] = {
        "id": row.case,
        "epoch": row.attempt + 1,
        "input": row.prompt or "",
        "target": row.target or "",
        "messages": [{"role": "user", "content": row.prompt or ""}, *answers],
        "output": output,
        "scores": {},
        "metadata": sample_notes(row),
        "store": {},
        "events": [],
        "model_usage": model_usage(row),
        "attachments": {},
        "uuid": text_digest(json.dumps(row.key))[:22],
    }
    if row.latency_s is not None:
        sample["total_time"] = row.latency_s
    if row.passed is None:
        error = row.error or "error"
        sample["error"] = {"message": error, "traceback": error, "traceback_ansi": error}
    else:
        value = "C" if row.passed else "I"
        score = {"value": value, "answer": row.answer, "explanation": row.output}
        sample["scores"] = {SCORER: {**score, "metadata": score_notes(row)}}
    return sample


def _output(row: LogRow) -> dict[str, Any]:
    """Return the model's output; a missing answer is not an empty one."""
    if row.answer is None:
        return {"model": row.model, "choices": []}
    message = {"role": "assistant", "content": row.answer, "source": "generate"}
    choice = {"message": message, "stop_reason": STOP_REASONS.get(row.finish_reason or "", "unknown")}
    return {"model": row.model, "choices": [choice], "completion": row.answer}


def _message(sample: dict[str, Any]) -> str | None:
    error = sample.get("error")
    return None if error is None else str(error["message"])
