"""Write records of Every Eval Ever 0.3.0: an aggregate per subject and suite, a line per answer."""

from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from steelyard.logs.writing import by_task, file_name, left_out, unsupported, write_json, write_lines
from steelyard.model.log import Exported, ExportedRun, LogRow
from steelyard.model.version import VERSION

SCHEMA = "0.3.0"
TOOL = "Every Eval Ever"
UNSUPPORTED = (
    "costs",
    "cached or reasoning tokens",
    "numbers of tests",
    "finish reasons",
    "outputs of checks",
)


class EveryEvalEverWriter:
    """Writes records of Every Eval Ever into a folder."""

    def write(self, run: ExportedRun, folder: Path) -> Exported:
        """Write the records of each subject and suite."""
        files = []
        for model, tier, suite, rows in by_task(run.rows):
            identity = f"{suite}/{model}/{tier}/{run.id}"
            base = _base_path(suite, model, identity)
            lines = folder / f"{base}_samples.jsonl"
            files.append(write_lines(lines, [_instance(row, identity) for row in rows]))
            checksum = sha256(lines.read_bytes()).hexdigest()
            detailed = {
                "format": "jsonl",
                "file_path": f"{base}_samples.jsonl",
                "hash_algorithm": "sha256",
                "checksum": checksum,
                "total_rows": len(rows),
            }
            files.append(write_json(folder / f"{base}.json", _aggregate(run, rows, identity, detailed)))
        lone = sum((row.tokens_in is None) is not (row.tokens_out is None) for row in run.rows)
        return Exported(
            files=tuple(files),
            rows=len(run.rows),
            left_out=(
                *left_out("numbers of tokens", f"{TOOL} requires both counts or none", lone),
                *unsupported(run.rows, TOOL, *UNSUPPORTED),
            ),
        )


def _base_path(suite: str, model: str, identity: str) -> str:
    """Return the path of a record in the collection: benchmark, developer, model, UUID.

    >>> _base_path("sums", "acme/one", "x")
    'data/sums/acme/one/2d711642-b726-4044-8162-7ca9fbac32f5'
    """
    developer, _, name = model.rpartition("/")
    words = [file_name(word).strip(".") or "unknown" for word in (suite, developer, name)]
    return "/".join(["data", *words, str(UUID(sha256(identity.encode()).hexdigest()[:32], version=4))])


def _aggregate(
    run: ExportedRun, rows: list[LogRow], identity: str, detailed: dict[str, object]
) -> dict[str, Any]:
    first = rows[0]
    cases: dict[str, list[bool]] = {}
    for row in rows:
        if row.passed is not None:
            cases.setdefault(row.case, []).append(row.passed)
    rates = [sum(case) / len(case) for case in cases.values()]
    result = {
        "evaluation_name": first.suite,
        "source_data": {"dataset_name": first.suite, "source_type": "other"},
        "metric_config": {
            "metric_id": "pass_at_k",
            "metric_name": "pass@1",
            "metric_parameters": {"k": 1},
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 1,
        },
        "score_details": {"score": sum(rates) / len(rates), "uncertainty": {"num_samples": len(rates)}},
    }
    return {
        "schema_version": SCHEMA,
        "evaluation_id": identity,
        "evaluation_timestamp": run.created_at,
        "retrieved_timestamp": run.created_at,
        "source_metadata": {
            "source_name": run.id,
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "steelyard", "version": VERSION},
        "model_info": {
            "name": first.model,
            "id": first.model,
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
                "tier": first.tier,
            },
        },
        "evaluation_results": [result] if rates else [],
        "detailed_evaluation_results": detailed,
    }


def _instance(row: LogRow, identity: str) -> dict[str, Any]:
    score = float(row.passed or False) if row.score is None else row.score
    metadata = {"attempt": str(row.attempt), "tier": row.tier, "classification": str(row.classification)}
    line: dict[str, Any] = {
        "schema_version": SCHEMA,
        "evaluation_id": identity,
        "model_id": row.model,
        "evaluation_name": row.suite,
        "sample_id": row.case,
        "interaction_type": "single_turn",
        "input": {"raw": row.prompt or "", "reference": [row.target] if row.target else []},
        "output": {"raw": [row.answer or ""]},
        "messages": None,
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": row.passed or False},
        "error": row.error,
        "metadata": metadata,
    }
    if row.tokens_in is not None and row.tokens_out is not None:
        total = row.tokens_in + row.tokens_out
        counts = {"input_tokens": row.tokens_in, "output_tokens": row.tokens_out, "total_tokens": total}
        line["token_usage"] = counts
    if row.latency_s is not None:
        line["performance"] = {"latency_ms": row.latency_s * 1000}
    return line
