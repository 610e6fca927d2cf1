"""Read results of EvalPlus and BigCodeBench: `*eval_results.json`, graded answers by task.

With EvalPlus an answer must pass the original and the added tests; with `--scorer base` only the original.
"""

from collections.abc import Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, excerpt, model_name
from steelyard.logs.files import document, top
from steelyard.logs.record import Record
from steelyard.model.log import Log, LogOptions, LogRow
from steelyard.model.outcome import Classification

KINDS = {"pass": Classification.PASS, "fail": Classification.FAIL, "timeout": Classification.TIMEOUT}
SCORERS = ("plus", "base")


class EvalPlusReader:
    """Reads results of EvalPlus and BigCodeBench."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has graded answers by task."""
        tasks = top(path).get("eval")
        if not isinstance(tasks, dict) or "date" not in top(path):
            return False
        first = next(iter(tasks.values()), None)
        return first is None or isinstance(first, list | dict)

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read results."""
        if options.scorer not in {None, *SCORERS}:
            raise InputError(f"{paths[0]}: no scorer {options.scorer!r}; the log has: {', '.join(SCORERS)}")
        collector, tool = Collector(), "EvalPlus"
        for path in paths:
            tasks = Record(document(path), str(path)).record("eval")
            model = model_name(options, path)
            for task in tasks:
                if isinstance(tasks.get(task), dict):
                    raise InputError(
                        f"{path}: format of EvalPlus before 0.2; evaluate the samples with a newer version"
                    )
                for attempt, answer in enumerate(tasks.records(task)):
                    tool = "BigCodeBench" if "status" in answer else "EvalPlus"
                    collector.rows.append(_row(answer, (model, task, attempt), options))
        return collector.log(tool)


def _row(answer: Record, index: tuple[str, str, int], options: LogOptions) -> LogRow:
    model, task, attempt = index
    kind = _kind(answer, options.scorer)
    failed = [*answer.items("base_fail_tests"), *answer.items("plus_fail_tests")]
    return LogRow(
        model=model,
        tier=options.tier,
        suite=options.suite or task.partition("/")[0] or "default",
        case=task,
        attempt=attempt,
        passed=kind is Classification.PASS,
        classification=kind,
        answer=answer.text("solution"),
        output=excerpt([f"failed inputs: {failed[:5]}"[:2000] if failed else None]),
    )


def _kind(answer: Record, scorer: str | None) -> Classification:
    """Return the result of an answer; without added tests, that of the original tests."""
    if "status" in answer:
        return _status(answer, "status")
    base = _status(answer, "base_status")
    if scorer == "base" or base is not Classification.PASS or answer.get("plus_status") is None:
        return base
    return _status(answer, "plus_status")


def _status(answer: Record, key: str) -> Classification:
    kind = KINDS.get(str(answer.get(key)))
    if kind is None:
        answer.refuse(key, "pass, fail or timeout")
    return kind
