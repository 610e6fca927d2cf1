"""Read `samples_*.jsonl` of lm-evaluation-harness; `results_*.json` beside them names model and task.

A line is a document. With repeats it has n answers and the share that passed, but not which ones, so answers
are imported only if all or none passed.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, is_pass, model_name
from steelyard.logs.files import document, first_record, records, top
from steelyard.logs.record import Record, clean
from steelyard.model.log import Log, LogOptions, LogRow

SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[0-9.-]+)\.jsonl")
NAMES = ("task_id", "question_id", "id")
PASS_AT_MORE = re.compile(r"pass@(?!1$)\d+")
NEARLY = 1e-6


class LmEvalReader:
    """Reads samples of lm-evaluation-harness."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has documents with responses, or results of tasks."""
        if {"doc_id", "resps", "filter"} <= first_record(path).keys():
            return True
        keys = top(path)
        return {"results", "configs"} <= keys.keys() and not keys.keys().isdisjoint({"n-samples", "versions"})

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read samples; results alone have means only."""
        collector, version, known = Collector(), None, True
        results = {path: Record(document(path), str(path)) for path in paths if _is_results(path)}
        samples = [path for path in paths if path not in results]
        for path in results:
            samples += [sample for sample in _samples_beside(path) if sample not in samples]
        if not samples:
            raise InputError(
                f"{next(iter(results))}: contains means only; run lm-eval with --log_samples and import "
                f"the samples_*.jsonl"
            )
        for path in samples:
            if not path.stat().st_size:
                collector.leave_out("files", "empty")
                continue
            task_results = _results_of(path, results)
            version = task_results.text("lm_eval_version") or version
            known = _Samples(path, task_results, collector, options).read() and known
        return collector.log("lm-evaluation-harness", version, attempts_known=known)


class _Samples:
    """The documents of one task."""

    def __init__(self, path: Path, results: Record, collector: Collector, options: LogOptions) -> None:
        self._documents = list(records(path))
        self._collector = collector
        self._options = options
        self._model = results.text("model_name") or model_name(options, path)
        match = SAMPLES.fullmatch(path.name.removesuffix(".gz"))
        self._suite = match["task"] if match else options.suite or "default"
        first = self._documents[0]
        self._filter = first.text("filter")
        self._metric = self._choose_metric(first)

    def _choose_metric(self, first: Record) -> str:
        names = first.names("metrics")
        requested, _, by_filter = (self._options.scorer or "").partition(",")
        self._filter = by_filter or self._filter
        name = requested or (names[0] if names else "")
        if name not in names:
            raise InputError(f"{first.where}: no metric {name!r}; the log has: {', '.join(names) or 'none'}")
        if PASS_AT_MORE.fullmatch(name):
            raise InputError(
                f"{first.where}: {name} does not determine how many answers passed; choose --scorer pass@1"
            )
        return name

    def read(self) -> bool:
        """Add all documents; return whether the log identifies the passed repeats."""
        known = True
        for document_ in self._documents:
            if document_.text("filter") != self._filter:
                self._collector.leave_out(
                    "documents", "from another filter; choose it with --scorer METRIC,FILTER"
                )
                continue
            known = self._add_document(document_) and known
        others = [name for name in self._documents[0].names("metrics") if name != self._metric]
        for name in others:
            self._collector.leave_out(
                f"metric {name[:60]}", "only one metric is imported; choose it with --scorer"
            )
        return known

    def _add_document(self, record: Record) -> bool:
        if isinstance(record.get(self._metric), bool):
            share: float | None = float(record.flag(self._metric) or 0)
        elif isinstance(record.get(self._metric), int | float):
            share = record.number(self._metric)
        else:
            share = None
        answers, n = _answers(record), _repeats(record)
        if share is None or not 0 <= share <= 1:
            self._add_errors(record, n, "not a number from 0 to 1")
            return True
        if n == 1:
            self._add_row(record, 0, is_pass(share, self._options), share, answers[0] if answers else None)
            return True
        passed = round(share * n)
        if abs(share * n - passed) > NEARLY:
            self._add_errors(record, n, f"not a share of its {n} answers")
            return True
        is_clear = passed in {0, n}
        if not is_clear:
            self._collector.leave_out("answers", "the log does not identify the passed repeats", n)
        for attempt in range(n):
            answer = answers[attempt] if is_clear and attempt < len(answers) else None
            self._add_row(record, attempt, attempt < passed, None, answer)
        return is_clear

    def _add_errors(self, record: Record, n: int, what: str) -> None:
        """Add all answers to a document as errors, since its metric is unusable."""
        for attempt in range(n):
            why = self._collector.no_verdict("documents", f"{self._metric[:60]} is {what}")
            self._add_row(record, attempt, None, None, None, error=why)

    def _add_row(  # noqa: PLR0913  # fields of a row
        self,
        record: Record,
        attempt: int,
        passed: bool | None,  # noqa: FBT001  # the verdict
        score: float | None,
        answer: str | None,
        *,
        error: str | None = None,
    ) -> None:
        self._collector.rows.append(
            LogRow(
                model=self._model,
                tier=self._options.tier,
                suite=self._suite,
                case=_case(record),
                attempt=attempt,
                passed=passed,
                score=score,
                prompt=_prompt(record),
                target=clean(target) if isinstance(target := record.get("target"), str) else None,
                answer=answer,
                error=error,
            )
        )


def _is_results(path: Path) -> bool:
    return "doc_id" not in first_record(path)


def _samples_beside(path: Path) -> list[Path]:
    """Return the samples of the same date as the results."""
    date = path.name.removeprefix("results_").removesuffix(".json")
    samples = sorted(path.parent.glob("samples_*.jsonl"))
    return [path for path in samples if (match := SAMPLES.fullmatch(path.name)) and match["date"] == date]


def _results_of(path: Path, given: dict[Path, Record]) -> Record:
    """Return the results of a samples file: given ones, or those beside the file."""
    match = SAMPLES.fullmatch(path.name.removesuffix(".gz"))
    date = match["date"] if match else ""
    name = f"results_{date}.json"
    for results_path, results in given.items():
        if results_path.name == name or len(given) == 1:
            return results
    beside = path.with_name(name)
    return Record(document(beside), str(beside)) if match and beside.is_file() else Record({}, str(path))


def _case(record: Record) -> str:
    doc = record.get("doc")
    if isinstance(doc, dict):
        for name in NAMES:
            if isinstance(doc.get(name), str) and doc[name]:
                return clean(doc[name])
    return record.name("doc_id")


def _repeats(record: Record) -> int:
    """Return the number of answers to a document; log-likelihoods are pairs, not answers."""
    first = next(iter(record.items("filtered_resps")), None)
    is_repeated = isinstance(first, list) and first and all(isinstance(text, str) for text in first)
    return len(first) if isinstance(first, list) and is_repeated and _answers(record) else 1


def _answers(record: Record) -> list[str]:
    first = next(iter(record.items("resps")), None)
    return [clean(text) for text in first if isinstance(text, str)] if isinstance(first, list) else []


def _prompt(record: Record) -> str | None:
    arguments = record.get("arguments")
    if not isinstance(arguments, dict):
        return None
    first = record.record("arguments").record("gen_args_0").get("arg_0")
    if isinstance(first, list):
        first = first[0] if first else None
    return clean(first) if isinstance(first, str) else None
