"""Read reports of forgetest: results with code, compilation and tests.

A result passes if the code compiles and no test fails.
"""

from collections.abc import Sequence
from pathlib import Path

from steelyard.logs.collect import Collector, attempt_of, excerpt
from steelyard.logs.files import document, top
from steelyard.logs.record import Record, clean
from steelyard.model.log import Log, LogOptions, LogRow
from steelyard.model.outcome import Classification


class ForgetestReader:
    """Reads reports of forgetest."""

    def recognise(self, path: Path) -> bool:
        """Whether a file is a report with an eval set and results."""
        return {"eval_set", "models_evaluated", "results"} <= top(path).keys()

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read reports."""
        collector = Collector()
        for path in paths:
            report = Record(document(path), str(path))
            suite = report.record("eval_set").text("id") or options.suite or "default"
            for result in report.records("results"):
                collector.rows.append(_row(result, suite, options))
        return collector.log("forgetest")


def _row(result: Record, suite: str, options: LogOptions) -> LogRow:
    build, tests = result.record("compilation"), result.record("test_execution")
    usage, timing = result.record("token_usage"), result.record("timing")
    built, failed = build.flag("success") or False, tests.count("failed")
    passed = built and not failed
    failures = [
        f"{record.text('name')}: {record.text('message') or ''}" for record in tests.records("failures")
    ]
    errors = [clean(str(error))[:500] for error in build.items("errors")[:10]]
    milliseconds = timing.amount("llm_request_ms")
    return LogRow(
        model=_model(result),
        tier=options.tier,
        suite=suite,
        case=result.name("case_id"),
        attempt=attempt_of(result.count("attempt"), first=1, where=f"{result.where}: attempt"),
        passed=passed,
        classification=None if built else Classification.BUILD_ERROR,
        cost_usd=usage.amount("estimated_cost_usd"),
        latency_s=None if milliseconds is None else milliseconds / 1000,
        tokens_in=usage.count("prompt_tokens"),
        tokens_out=usage.count("completion_tokens"),
        tests_passed=tests.count("passed"),
        tests_failed=failed,
        answer=result.text("generated_code"),
        output=excerpt([*errors, *failures]),
    )


def _model(result: Record) -> str:
    model, provider = result.name("model"), result.text("provider")
    return f"{provider}/{model}" if provider and not model.startswith(f"{provider}/") else model
