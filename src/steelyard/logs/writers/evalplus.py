"""Write results as EvalPlus does: `*.eval_results.json`, one file for each subject.

EvalPlus has no infrastructure errors: these rows are left out, and so are prompts, costs and times.
"""

from pathlib import Path
from typing import Any

from steelyard.logs.writing import by_subject, file_name, left_out, write_json
from steelyard.model.log import Exported, ExportedRun
from steelyard.model.outcome import Classification


class EvalPlusWriter:
    """Writes results of EvalPlus into a folder."""

    def write(self, run: ExportedRun, folder: Path) -> Exported:
        """Write the results of each subject."""
        files, kept = [], 0
        for model, tier, rows in by_subject(run.rows):
            tasks: dict[str, list[dict[str, Any]]] = {}
            for row in rows:
                if row.passed is not None:
                    kept += 1
                    status = _status(row.classification, passed=row.passed)
                    tasks.setdefault(row.case, []).append(
                        {
                            "task_id": row.case,
                            "solution": row.answer or "",
                            "base_status": status,
                            "plus_status": status,
                            "base_fail_tests": [],
                            "plus_fail_tests": [],
                        }
                    )
            path = folder / f"{file_name(model, tier)}.eval_results.json"
            files.append(write_json(path, {"date": run.created_at, "hash": run.id, "eval": tasks}))
        errors = left_out("answers", "EvalPlus has no infrastructure errors", len(run.rows) - kept)
        return Exported(files=tuple(files), rows=kept, left_out=errors)


def _status(kind: Classification | None, *, passed: bool) -> str:
    if passed:
        return "pass"
    return "timeout" if kind is Classification.TIMEOUT else "fail"
