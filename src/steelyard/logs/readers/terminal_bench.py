"""Read `results.json` of Terminal-Bench 0.x: trials of tasks, with the tests that passed.

A failure of the harness or of the agent's installation is an infrastructure error. Trials of a task in
several runs are repeats if they are imported under one model name.
"""

from collections.abc import Sequence
from pathlib import Path

from steelyard.logs.collect import Collector, Trials, excerpt, model_name
from steelyard.logs.files import document, top
from steelyard.logs.record import Record
from steelyard.model.log import Log, LogOptions, LogRow
from steelyard.model.outcome import Classification

INFRASTRUCTURE = {"unknown", "unknown_agent_error", "agent_installation_failed"}
TIMEOUTS = {"agent_timeout", "test_timeout"}
NO_FAILURE = {None, "unset", "none"}


class TerminalBenchReader:
    """Reads results of Terminal-Bench."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has trials and totals."""
        return {"results", "n_resolved", "n_unresolved"} <= top(path).keys()

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read results; the folder names the subject."""
        collector, numbers = Collector(), Trials()
        for path in paths:
            numbers.begin(path)
            model = model_name(options, path.absolute().parent)
            trials = Record(document(path), str(path)).records("results")
            collector.rows.extend(_row(trial, model, numbers, options) for trial in trials)
            collector.leave_out(
                "answers", "Terminal-Bench records the agent's actions, not an answer", len(trials)
            )
        numbers.note_repeats(collector, "names of runs")
        return collector.log("Terminal-Bench")


def _row(trial: Record, model: str, numbers: Trials, options: LogOptions) -> LogRow:
    passed, mode = trial.flag("is_resolved") or False, trial.text("failure_mode")
    tests = trial.record("parser_results")
    results = {name: tests.text(name) for name in tests}
    failed = [name for name, status in results.items() if status != "passed"]
    error = mode if mode in INFRASTRUCTURE and not passed else None
    case = trial.name("task_id")
    return LogRow(
        model=model,
        tier=options.tier,
        suite=options.suite or "terminal-bench",
        case=case,
        attempt=numbers.number(trial, model, case),
        passed=None if error else passed,
        classification=Classification.TIMEOUT if mode in TIMEOUTS and not passed else None,
        error=error,
        tokens_in=trial.count("total_input_tokens"),
        tokens_out=trial.count("total_output_tokens"),
        tests_passed=len(results) - len(failed) if results else None,
        tests_failed=len(failed) if results else None,
        prompt=trial.text("instruction"),
        output=excerpt([None if mode in NO_FAILURE else mode, *(f"failed: {name}" for name in failed)]),
    )
