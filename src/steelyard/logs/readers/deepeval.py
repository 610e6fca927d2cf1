"""Read a test run of DeepEval: test cases with the metrics that graded them."""

from collections.abc import Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, Repeats, excerpt, model_name
from steelyard.logs.files import document, top
from steelyard.logs.record import Record
from steelyard.model.log import Log, LogOptions, LogRow


class DeepEvalReader:
    """Reads test runs of DeepEval."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has test cases and metrics."""
        return {"testCases", "metricsScores"} <= top(path).keys()

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read test runs."""
        collector = Collector()
        for path in paths:
            repeats = Repeats()
            run = Record(document(path), str(path))
            model = run.record("hyperparameters").text("model") or model_name(options, path)
            for case in run.records("testCases"):
                _add(case, collector, repeats, options, model)
            chats = len(run.items("conversationalTestCases"))
            collector.leave_out("conversations", "only single-turn cases can be imported", chats)
        return collector.log("DeepEval")


def _add(case: Record, collector: Collector, repeats: Repeats, options: LogOptions, model: str) -> None:
    metrics = case.records("metricsData")
    chosen = [metric for metric in metrics if options.scorer in {None, metric.text("name")}]
    if not chosen and metrics:
        listed = ", ".join(metric.name("name") for metric in metrics)[:200]
        raise InputError(f"{case.where}: no metric {options.scorer!r}; the log has: {listed}")
    errors = [text for metric in chosen if (text := metric.text("error"))]
    graded = case if options.scorer is None else next(iter(chosen), None)
    passed = None if graded is None else graded.flag("success")
    if passed is None and not errors:
        errors = [collector.no_verdict("test cases", "there is no verdict")]
    score = chosen[0].number("score") if len(chosen) == 1 else None
    if score is not None and not 0 <= score <= 1:
        collector.leave_out("scores", "not between 0 and 1; a pass counts as 1, a failure as 0")
        score = None
    error = errors[0] if errors and not passed else None
    name = case.name("name")
    collector.rows.append(
        LogRow(
            model=model,
            tier=options.tier,
            suite=options.suite or "deepeval",
            case=name,
            attempt=repeats.number(model, name),
            passed=None if error is not None else passed,
            score=None if error is not None else score,
            error=error,
            cost_usd=case.amount("tokenCost"),
            latency_s=case.amount("completionTime"),
            prompt=case.text("input"),
            target=case.text("expectedOutput"),
            answer=case.text("actualOutput"),
            output=excerpt([error, *(metric.text("reason") for metric in chosen)]),
        )
    )
