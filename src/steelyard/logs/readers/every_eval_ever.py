"""Read records of Every Eval Ever: one answer with its score per line."""

from collections.abc import Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, Repeats
from steelyard.logs.files import first_record, records
from steelyard.logs.record import Record, clean
from steelyard.model.log import Log, LogOptions, LogRow
from steelyard.model.outcome import Classification

KNOWN = ("0.1.", "0.2.", "0.3.")
KEYS = {"schema_version", "evaluation_id", "sample_id", "evaluation"}


class EveryEvalEverReader:
    """Reads instance-level records of Every Eval Ever."""

    def recognise(self, path: Path) -> bool:
        """Whether the first line has the keys of a record."""
        return first_record(path).keys() >= KEYS

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read records."""
        collector = Collector()
        for path in paths:
            repeats = Repeats()
            for line in records(path):
                _require_version(line)
                collector.rows.append(_row(line, repeats, options))
        return collector.log("Every Eval Ever")


def _require_version(line: Record) -> None:
    version = line.text("schema_version") or ""
    if not version.startswith(KNOWN):
        raise InputError(
            f"{line.where}: found version {version[:20]!r} of Every Eval Ever, expected 0.1 to 0.3"
        )


def _row(line: Record, repeats: Repeats, options: LogOptions) -> LogRow:
    model, suite, case = line.name("model_id"), line.name("evaluation_name"), line.name("sample_id")
    tier = line.record("metadata").text("tier") or options.tier
    verdict, usage = line.record("evaluation"), line.record("token_usage")
    passed = verdict.flag("is_correct")
    if passed is None:
        verdict.refuse("is_correct", "true or false")
    error = line.text("error") if not passed else None
    kind = line.record("metadata").text("classification")
    score = verdict.number("score")
    milliseconds = line.record("performance").amount("latency_ms")
    answers = [text for text in line.record("output").items("raw") if isinstance(text, str)]
    references = [text for text in line.record("input").items("reference") if isinstance(text, str)]
    return LogRow(
        model=model,
        tier=tier,
        suite=suite,
        case=case,
        attempt=repeats.number(model, tier, suite, case),
        passed=None if error is not None else passed,
        classification=Classification(kind) if error is None and kind in list(Classification) else None,
        score=score if error is None and score is not None and 0 <= score <= 1 else None,
        error=error,
        latency_s=None if milliseconds is None else milliseconds / 1000,
        tokens_in=usage.count("input_tokens"),
        tokens_out=usage.count("output_tokens"),
        prompt=line.record("input").text("raw") or None,
        target=clean(references[0]) if references else None,
        answer=clean(answers[0]) if answers else None,
        output=error or "",
    )
