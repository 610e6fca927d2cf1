"""Convert samples of Inspect, or their summaries, into rows."""

import math
from collections.abc import Iterable, Sequence

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, attempt_of, excerpt, is_pass
from steelyard.logs.inspect_notes import is_ours, with_notes
from steelyard.logs.record import Record, clean
from steelyard.model.log import LogOptions, LogRow

LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
ATTACHMENT = "attachment://"
MOST_KEYS = 8  # of a score with several values, in a message
USAGE = ("input_tokens", "output_tokens", "input_tokens_cache_read", "input_tokens_cache_write")


class SampleReader:
    """Reads the samples of one log; `header` has task, model and scorers."""

    def __init__(
        self, header: Record, samples: Sequence[Record], collector: Collector, options: LogOptions
    ) -> None:
        self._collector = collector
        self._options = options
        self._header = header
        task = header.record("eval")
        self._model, self._suite = task.name("model"), task.name("task")
        self._is_ours = is_ours(task)
        self._scorer = _chosen_scorer(header, samples, options)
        self._seen = 0

    def take(self, sample: Record) -> None:
        """Add a sample as a row; without a usable score it is an error."""
        self._seen += 1
        error = _error(sample)
        if error is not None:
            self._add(sample, None, error)
            return
        scores = sample.record("scores")
        for name in scores:
            if self._scorer is None or name != self._scorer.partition(".")[0]:
                self._collector.leave_out(
                    f"scores by {name[:60]}", "only one scorer is imported; choose it with --scorer"
                )
        value, reason = self._value(scores)
        self._add(sample, value, self._collector.no_verdict("samples", reason) if value is None else None)

    def count_missing(self) -> None:
        """Count the planned samples that the log lacks."""
        task = self._header.record("eval")
        planned = len(task.record("dataset").items("sample_ids")) * (
            task.record("config").count("epochs") or 1
        )
        status = self._header.text("status") or "started"
        if status != "success":
            why = f"the run ended with status {status[:20]}"
            self._collector.leave_out("samples", why, planned - self._seen)

    def _value(self, scores: Record) -> tuple[float | None, str]:
        if self._scorer is None:
            return None, "the log has no scores"
        name, _, part = self._scorer.partition(".")
        score = scores.record(self._scorer if self._scorer in scores else name)
        value = score.get("value")
        if isinstance(value, dict):
            keys = [clean(key)[:40] for key in value][:MOST_KEYS]
            value = value.get(part)
            if value is None:
                choice = f"choose one with --scorer {name[:40]}.{keys[0] if keys else 'KEY'}"
                return None, f"the score has several values ({', '.join(keys)}); {choice}"
        number = score_value(value)
        if number is None:
            return None, "there is no score"
        if not 0 <= number <= 1:
            return None, "the score is not between 0 and 1"
        return number, ""

    def _add(self, sample: Record, score: float | None, error: str | None) -> None:
        usage = _usage(sample)
        output = sample.record("output")
        name = (self._scorer or "").partition(".")[0]
        score_record = sample.record("scores").record(name) if error is None else Record({}, sample.where)
        texts = Attachments(sample)
        row = LogRow(
            model=self._model,
            tier=self._options.tier,
            suite=self._suite,
            case=sample.name("id"),
            attempt=attempt_of(sample.count("epoch"), first=1, where=f"{sample.where}: epoch"),
            passed=None if score is None else is_pass(score, self._options),
            score=score,
            error=error,
            cost_usd=usage.amount("total_cost"),
            latency_s=sample.amount("working_time") or sample.amount("total_time"),
            tokens_in=_sum(usage.count(key) for key in (USAGE[0], *USAGE[2:])),
            tokens_out=usage.count("output_tokens"),
            tokens_cached=usage.count("input_tokens_cache_read"),
            tokens_reasoning=usage.count("reasoning_tokens"),
            finish_reason=_first(output.records("choices")).text("stop_reason"),
            prompt=texts.of(sample.get("input")),
            target=texts.of(sample.get("target")),
            answer=_answer(output, texts),
            output=excerpt([error, texts.of(score_record.get("explanation"))]),
        )
        if self._is_ours:
            row = with_notes(row, self._header.record("eval"), sample, self._scorer)
        self._collector.rows.append(row)


class Attachments:
    """Long texts that a sample stores separately by name."""

    def __init__(self, sample: Record) -> None:
        self._texts = sample.record("attachments")

    def of(self, content: object) -> str | None:
        """Return a text, or a list of messages or message parts, as one text."""
        if content is None:
            return None
        if isinstance(content, str):
            name = content.removeprefix(ATTACHMENT)
            return (self._texts.text(name) or content) if name != content else clean(content)
        if isinstance(content, list):
            return "\n\n".join(filter(None, map(self._part, content)))
        return None

    def _part(self, part: object) -> str | None:
        if isinstance(part, str):
            return self.of(part)
        if not isinstance(part, dict):
            return None
        role, text = part.get("role"), self.of(part.get("content", part.get("text")))
        return f"{clean(role)}: {text}" if isinstance(role, str) else text


def score_value(value: object) -> float | None:
    """Convert a score as Inspect does: C is 1, P is 0.5, I and N are 0; None if not numeric.

    >>> score_value("C"), score_value(True), score_value("0.5"), score_value([1])
    (1.0, 1.0, 0.5, None)
    """
    if isinstance(value, str):
        known = LETTERS.get(value, WORDS.get(value.lower()))
        if known is not None:
            return known
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, bool | int | float) or not math.isfinite(value):
        return None
    return float(value)


def _chosen_scorer(header: Record, samples: Sequence[Record], options: LogOptions) -> str | None:
    """Return the requested scorer, else the first one in the log."""
    stated = [record.name("name") for record in header.record("results").records("scores")]
    used = [name for sample in samples for name in sample.record("scores")]
    names = list(dict.fromkeys([*stated, *used]))
    if options.scorer is None:
        return names[0] if names else None
    if options.scorer not in names and options.scorer.partition(".")[0] not in names:
        listed = ", ".join(names)[:200] or "none"
        raise InputError(f"{header.where}: no scorer {options.scorer!r}; the log has: {listed}")
    return options.scorer


def _error(sample: Record) -> str | None:
    """Return the error of a sample; a summary has the message only."""
    value = sample.get("error")
    if value is None or value is False:
        return None
    if isinstance(value, dict):
        return sample.record("error").text("message") or "error"
    return clean(value) if isinstance(value, str) else "error"


def _usage(sample: Record) -> Record:
    """Return total tokens and cost over all models of a sample."""
    per_model = [sample.record("model_usage").record(name) for name in sample.record("model_usage")]
    keys = (*USAGE, "reasoning_tokens")
    sums: dict[str, object] = {key: _sum(usage.count(key) for usage in per_model) for key in keys}
    costs = [usage.amount("total_cost") for usage in per_model]
    known = [cost for cost in costs if cost is not None]
    sums["total_cost"] = sum(known) if known and len(known) == len(costs) else None
    return Record(sums, sample.where)


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _answer(output: Record, texts: Attachments) -> str | None:
    message = _first(output.records("choices")).record("message")
    return texts.of(message.get("content")) or texts.of(output.get("completion"))


def _first(records: list[Record]) -> Record:
    return records[0] if records else Record({}, "")
