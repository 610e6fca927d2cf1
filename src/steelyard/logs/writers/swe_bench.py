"""Write reports and predictions of SWE-bench: `MODEL.RUN.json` and predictions for each subject.

SWE-bench has one answer per instance: further answers are left out, as are all other fields of a row.
"""

from pathlib import Path

from steelyard.logs.writing import (
    OPTIONAL_FIELDS,
    by_subject,
    file_name,
    left_out,
    subject_names,
    unsupported,
    write_json,
    write_lines,
)
from steelyard.model.evalset import BASELINE_TIER
from steelyard.model.log import Exported, ExportedRun, LogRow


class SweBenchWriter:
    """Writes predictions and reports of SWE-bench into a folder."""

    def write(self, run: ExportedRun, folder: Path) -> Exported:
        """Write the predictions and the report of each subject."""
        files: list[str] = []
        kept: list[LogRow] = []
        names, reports = subject_names(run.rows), subject_names(run.rows, _report_name)
        for model, tier, rows in by_subject(run.rows):
            first = list({row.case: row for row in reversed(rows)}.values())[::-1]
            kept += first
            predictions = [
                {"instance_id": row.case, "model_name_or_path": model, "model_patch": row.answer or ""}
                for row in first
            ]
            files.append(write_lines(folder / f"{names[model, tier]}.predictions.jsonl", predictions))
            report = folder / f"{reports[model, tier]}.{file_name(run.id)}.json"
            files.append(write_json(report, _report(first)))
        others = left_out("answers", "SWE-bench has one answer per instance", len(run.rows) - len(kept))
        left_outs = unsupported(kept, "SWE-bench", *OPTIONAL_FIELDS)
        return Exported(files=tuple(files), rows=len(kept), left_out=(*others, *left_outs))


def _report_name(model: str, tier: str) -> str:
    return file_name(*model.split("/"), *([] if tier == BASELINE_TIER else [tier]))


def _report(rows: list[LogRow]) -> dict[str, object]:
    ids = {
        "completed_ids": [row.case for row in rows if row.passed is not None],
        "incomplete_ids": [],
        "empty_patch_ids": [],
        "submitted_ids": [row.case for row in rows],
        "resolved_ids": [row.case for row in rows if row.passed],
        "unresolved_ids": [row.case for row in rows if row.passed is False],
        "infra_failure_ids": [row.case for row in rows if row.passed is None],
        "ambiguous_failure_ids": [],
        "error_ids": [],
    }
    counts = {
        key.replace("_ids", "_instances"): len(cases) for key, cases in ids.items() if key != "incomplete_ids"
    }
    reasons = {row.case: row.error or "error" for row in rows if row.passed is None}
    return {"total_instances": len(rows), **counts, **ids, "failure_reasons": reasons, "schema_version": 2}
