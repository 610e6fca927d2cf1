"""Convert rows of promptfoo: test and variables become the case, the prompt the tier."""

import json
from collections.abc import Sequence
from pathlib import Path

from steelyard.logs.collect import Collector, Repeats, excerpt, model_name
from steelyard.logs.record import Record, clean
from steelyard.model.log import LogOptions, LogRow
from steelyard.model.sample import text_digest

PROVIDER_ERROR = 2  # failureReason: 0 none, 1 assertion, 2 error
LONGEST_NAME = 80


class RowReader:
    """Converts rows, naming cases and tiers consistently across files."""

    def __init__(self, collector: Collector, options: LogOptions) -> None:
        self._collector = collector
        self._options = options
        self._names: dict[str, str] = {}  # digest of a test → name of its case
        self._prompts: dict[str, str] = {}  # id of a prompt → label

    def tiers(self) -> dict[str, str]:
        """Return the prompts by tier."""
        if len(self._prompts) < 2:  # noqa: PLR2004  # a single prompt needs no tiers
            return {}
        return {f"T{number}": label for number, label in enumerate(self._prompts.values())}

    def take(self, rows: Sequence[Record], path: Path) -> None:
        """Add the rows of a file; repeats are numbered by file."""
        repeats = Repeats()
        for row in rows:
            prompt = row.record("prompt")
            label = prompt.text("label") or prompt.text("display") or ""
            self._prompts.setdefault(row.text("promptId") or label, label[:LONGEST_NAME])
        tiers = list(self._prompts)
        for row in rows:
            prompt = row.record("prompt")
            identity = row.text("promptId") or prompt.text("label") or prompt.text("display") or ""
            tier = self._options.tier if len(tiers) == 1 else f"T{tiers.index(identity)}"
            self._add(row, tier, path, repeats)

    def _add(self, row: Record, tier: str, path: Path, repeats: Repeats) -> None:
        case, shown = self._case(row)
        model = _model(row) or model_name(self._options, path)
        response = row.record("response" if "response" in row else "providerResponse")
        grading = row.record("gradingResult")
        error = _provider_error(row, response, grading)
        usage = row.record("tokenUsage" if "tokenUsage" in row else "")
        self._collector.rows.append(
            LogRow(
                model=model,
                tier=tier,
                suite=self._options.suite or "promptfoo",
                case=case,
                attempt=repeats.number(model, tier, case),
                passed=None if error else row.flag("success") or False,
                score=None if error else self._score(row),
                error=error,
                cost_usd=row.amount("cost"),
                latency_s=_seconds(row.amount("latencyMs")),
                tokens_in=usage.count("prompt"),
                tokens_out=usage.count("completion"),
                finish_reason=response.text("finishReason"),
                prompt=shown,
                answer=_text(response.get("output")),
                output=excerpt([error or grading.text("reason") or _text(row.get("error"))]),
            )
        )

    def _case(self, row: Record) -> tuple[str, str]:
        """Return the name of a row's case, and its variables as text."""
        test = row.record("testCase")
        variables = row.record("vars" if "vars" in row else "")
        variables = variables if list(variables) else test.record("vars")
        plain = {name: variables.get(name) for name in variables}
        description = test.text("description") or ""
        digest = text_digest(json.dumps([description, plain, test.get("assert")], sort_keys=True))
        shown = "\n".join(f"{name}: {_text(value) or ''}" for name, value in plain.items())
        if digest not in self._names:
            self._names[digest] = self._new_name(description or shown.replace("\n", ", "), digest)
        return self._names[digest], clean(shown)

    def _new_name(self, name: str, digest: str) -> str:
        """Return a unique name; long names are shortened with the digest."""
        name = clean(name).strip()
        if not name or len(name) > LONGEST_NAME or name in self._names.values():
            return f"{name[:40]} {digest[:8]}".strip()
        return name

    def _score(self, row: Record) -> float | None:
        score = row.number("score")
        if score is not None and not 0 <= score <= 1:
            self._collector.leave_out("scores", "not between 0 and 1; a pass counts as 1, a failure as 0")
            return None
        return score


def _model(row: Record) -> str | None:
    provider = row.get("provider")
    if isinstance(provider, str):
        return clean(provider) or None
    named = row.record("provider")
    return named.text("label") or named.text("id") or None


def _provider_error(row: Record, response: Record, grading: Record) -> str | None:
    """Return the error of a call; promptfoo reports failed assertions in the same field."""
    reason = row.count("failureReason")
    failed_call = row.get("error") is not None and response.get("output") is None and not list(grading)
    if reason == PROVIDER_ERROR or (reason is None and failed_call):
        return _text(row.get("error")) or "error"
    return None


def _text(value: object) -> str | None:
    if value is None:
        return None
    return clean(value if isinstance(value, str) else json.dumps(value))


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000
