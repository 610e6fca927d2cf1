"""Write logs that Inspect reads: an archive `.eval` for each subject and suite, in version 2 of its form."""

import json
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

from steelyard.logs.writing import by_task, file_name, write_whole
from steelyard.model.log import Exported, ExportedRun, LogRow
from steelyard.model.sample import text_digest

SCORER = "steelyard"


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
    keys = ("id", "epoch", "input", "target", "scores", "model_usage", "total_time", "uuid")
    summaries = [
        {**{key: one[key] for key in keys if key in one}, "completed": True, "error": _message(one)}
        for one in samples
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
    cases = list(dict.fromkeys(row.case for row in rows))
    epochs = max(row.attempt for row in rows) + 1
    graded = [row for row in rows if row.passed is not None]
    created = run.created_at.replace("Z", "+00:00")
    return {
        "version": 2,
        "status": "success",
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
            "total_samples": len(rows),
            "completed_samples": len(graded),
            "scores": [_score_summary(graded)] if graded else [],
        },
        "stats": {"started_at": created, "completed_at": created, "model_usage": {}},
    }


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
    message = {"role": "assistant", "content": row.answer or "", "source": "generate"}
    choice = {"message": message, "stop_reason": "stop"}
    sample: dict[str, Any] = {
        "id": row.case,
        "epoch": row.attempt + 1,
        "input": row.prompt or "",
        "target": row.target or "",
        "messages": [{"role": "user", "content": row.prompt or ""}, message],
        "output": {"model": row.model, "choices": [choice]},
        "scores": {},
        "metadata": {},
        "store": {},
        "events": [],
        "model_usage": {},
        "attachments": {},
        "uuid": text_digest(json.dumps(row.key))[:22],
    }
    if row.tokens_in is not None and row.tokens_out is not None:
        usage = {"input_tokens": row.tokens_in, "output_tokens": row.tokens_out}
        total = row.tokens_in + row.tokens_out
        cost = {} if row.cost_usd is None else {"total_cost": row.cost_usd}
        sample["model_usage"] = {row.model: {**usage, "total_tokens": total, **cost}}
    if row.latency_s is not None:
        sample["total_time"] = row.latency_s
    if row.passed is None:
        error = row.error or "error"
        sample["error"] = {"message": error, "traceback": error, "traceback_ansi": error}
    else:
        value = "C" if row.passed else "I"
        score = {"value": value, "answer": row.answer, "explanation": row.output}
        sample["scores"] = {SCORER: {**score, "metadata": {"score": row.score, "kind": row.classification}}}
    return sample


def _message(sample: dict[str, Any]) -> str | None:
    error = sample.get("error")
    return None if error is None else str(error["message"])
