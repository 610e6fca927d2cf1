"""Read records of OpenAI Evals: JSON lines with a specification, events and a final report."""

from collections.abc import Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, Repeats, excerpt, model_name
from steelyard.logs.files import first_record, records
from steelyard.logs.record import Record, clean
from steelyard.model.log import Log, LogOptions, LogRow


class OpenAiEvalsReader:
    """Reads records of OpenAI Evals."""

    def recognise(self, path: Path) -> bool:
        """Whether the first line is the specification of an eval."""
        spec = first_record(path).get("spec")
        return isinstance(spec, dict) and not spec.keys().isdisjoint(
            {"eval_name", "completion_fns", "base_eval"}
        )

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read records."""
        collector = Collector()
        for path in paths:
            _read(path, collector, options)
        return collector.log("OpenAI Evals")


def _read(path: Path, collector: Collector, options: LogOptions) -> None:
    repeats, inputs = Repeats(), dict[str, Record]()
    model = suite = ""
    for line in records(path):
        if "spec" in line:
            spec = line.record("spec")
            names = [name for name in spec.items("completion_fns") if isinstance(name, str)]
            model = ", ".join(map(clean, names)) or model_name(options, path)
            suite = spec.text("base_eval") or spec.text("eval_name") or options.suite or "default"
            continue
        kind = line.text("type")
        if kind is None:
            continue
        if kind == "sampling":
            inputs[line.name("sample_id")] = line.record("data")
        elif kind == "match":
            collector.rows.append(_row(line, (model, suite), inputs, repeats, options))
        else:
            collector.leave_out(f"events {kind[:40]}", "only match events have verdicts")
    if not collector.rows:
        raise InputError(f"{path}: no events of type match, which have the verdicts")


def _row(
    line: Record, subject: tuple[str, str], inputs: dict[str, Record], repeats: Repeats, options: LogOptions
) -> LogRow:
    data, case = line.record("data"), line.name("sample_id")
    correct = data.flag("correct")
    if correct is None:
        data.refuse("correct", "true or false")
    reply = inputs.get(case, Record({}, line.where))
    return LogRow(
        model=subject[0],
        tier=options.tier,
        suite=subject[1],
        case=case,
        attempt=repeats.number(*subject, case),
        passed=correct,
        prompt=_prompt(reply.get("prompt")),
        target=_text(data.get("expected")),
        answer=_text(data.get("sampled")) or _first(reply.get("sampled")),
        output=excerpt([f"picked: {picked}" if (picked := _text(data.get("picked"))) else None]),
    )


def _prompt(value: object) -> str | None:
    if isinstance(value, list):
        parts = [part for part in value if isinstance(part, dict)]
        return "\n\n".join(clean(f"{part.get('role')}: {part.get('content')}") for part in parts)
    return _text(value)


def _first(value: object) -> str | None:
    return _text(value[0] if isinstance(value, list) and value else value)


def _text(value: object) -> str | None:
    return clean(value) if isinstance(value, str) else None
