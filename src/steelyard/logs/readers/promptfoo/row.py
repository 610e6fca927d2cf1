"""Turn rows of promptfoo into rows of ours: test and variables are the case, the prompt is the tier."""

import json
from collections.abc import Sequence
from pathlib import Path

from steelyard.logs.collect import Collector, Repeats, excerpt, model_name
from steelyard.logs.record import Record, clean
from steelyard.model.log import LogOptions, LogRow
from steelyard.model.sample import text_digest

PROVIDER_ERROR = 2  # the reason of a failure: 0 none, 1 an assertion, 2 an error
LONGEST_NAME = 80


class RowReader:
    """Names cases and tiers alike in all rows of an import."""

    def __init__(self, collector: Collector, options: LogOptions) -> None:
        self._found = collector
        self._options = options
        self._names: dict[str, str] = {}  # the digest of a test → the name of its case
        self._prompts: dict[str, str] = {}  # the identity of a prompt → what to call it

    def tiers(self) -> dict[str, str]:
        """Return the prompts by their tiers."""
        if len(self._prompts) < 2:  # noqa: PLR2004  # one prompt is no way of asking among others
            return {}
        return {f"T{number}": label for number, label in enumerate(self._prompts.values())}

    def take(self, rows: Sequence[Record], path: Path) -> None:
        """Keep the rows of a file; its repeats are numbered apart from those of other files."""
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
            self._keep(row, tier, path, repeats)

    def _keep(self, row: Record, tier: str, path: Path, repeats: Repeats) -> None:
        case, shown = self._case(row)
        model = _model(row) or model_name(self._options, path)
        response = row.record("response" if "response" in row else "providerResponse")
        grading = row.record("gradingResult")
        error = _provider_error(row, response, grading)
        usage = row.record("tokenUsage" if "tokenUsage" in row else "")
        self._found.rows.append(
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
        """Return a name that no other test has; a long one is named after its digest."""
        name = clean(name).strip()
        if not name or len(name) > LONGEST_NAME or name in self._names.values():
            return f"{name[:40]} {digest[:8]}".strip()
        return name

    def _score(self, row: Record) -> float | None:
        score = row.number("score")
        if score is not None and not 0 <= score <= 1:
            self._found.leave_out("scores", "not between 0 and 1; a pass counts 1, a failure 0")
            return None
        return score


def _model(row: Record) -> str | None:
    provider = row.get("provider")
    if isinstance(provider, str):
        return clean(provider) or None
    named = row.record("provider")
    return named.text("label") or named.text("id") or None


def _provider_error(row: Record, response: Record, grading: Record) -> str | None:
    """Return the error of a call; a failed assertion is reported in the same field, and is none."""
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
