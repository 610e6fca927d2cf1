"""Write results as EvalPlus does: `*.eval_results.json`, one file for each subject.

EvalPlus has no infrastructure errors: such rows are left out, as are all fields but verdict and answer.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from steelyard.logs.writing import (
    OPTIONAL_FIELDS,
    by_subject,
    left_out,
    subject_names,
    unsupported,
    write_json,
)
from steelyard.model.log import Exported, ExportedRun, LogRow
from steelyard.model.outcome import Classification

TOOL, KINDS = "EvalPlus", "kinds of failure"


class EvalPlusWriter:
    """Writes results of EvalPlus into a folder."""

    def write(self, run: ExportedRun, folder: Path) -> Exported:
        """Write the results of each subject."""
        files = []
        kept = [row for row in run.rows if row.passed is not None]
        names, tasks_of = subject_names(run.rows), _task_names(run.rows)
        for model, tier, rows in by_subject(run.rows):
            tasks: dict[str, list[dict[str, Any]]] = {}
            for row in rows:
                if row.passed is not None:
                    status = _status(row.classification, passed=row.passed)
                    task = tasks_of[row.suite, row.case]
                    tasks.setdefault(task, []).append(
                        {
                            "task_id": task,
                            "solution": row.answer or "",
                            "base_status": status,
                            "plus_status": status,
                            "base_fail_tests": [],
                            "plus_fail_tests": [],
                        }
                    )
            path = folder / f"{names[model, tier]}.eval_results.json"
            files.append(write_json(path, {"date": run.created_at, "hash": run.id, "eval": tasks}))
        errors = left_out("answers", "EvalPlus has no infrastructure errors", len(run.rows) - len(kept))
        # Timeouts are the only kind of failure in the format.
        untimed = [row for row in kept if row.classification is not Classification.TIMEOUT]
        kinds = unsupported(untimed, TOOL, KINDS)
        others = unsupported(kept, TOOL, *(what for what in OPTIONAL_FIELDS if what != KINDS))
        return Exported(files=tuple(files), rows=len(kept), left_out=(*errors, *kinds, *others))


def _task_names(rows: Iterable[LogRow]) -> dict[tuple[str, str], str]:
    """Return the name of each task: the case, with its suite if the case is in several suites."""
    cases = sorted({(row.suite, row.case) for row in rows})
    suites = Counter(case for _, case in cases)
    return {(suite, case): case if suites[case] == 1 else f"{suite}/{case}" for suite, case in cases}


def _status(kind: Classification | None, *, passed: bool) -> str:
    if passed:
        return "pass"
    return "timeout" if kind is Classification.TIMEOUT else "fail"
