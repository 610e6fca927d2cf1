"""Read reports of SWE-bench (of a run or of instances) and SWE-bench Pro, with predictions.

Predictions have patches, but no verdicts. Infrastructure failures are errors; empty patches are failures.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, excerpt, model_name
from steelyard.logs.files import document, first_record, records, top, whole
from steelyard.logs.record import Record, clean
from steelyard.model.log import Log, LogOptions, LogRow

SCHEMA = 2
MOST_REPORTS = 100_000
PREDICTION = {"instance_id", "model_patch"}
GRADED = {"resolved", "patch_exists"}
Key = tuple[str, str]  # model and instance


class SweBenchReader:
    """Reads reports and predictions of SWE-bench."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has a report or predictions, or a folder has reports of instances."""
        if path.is_dir():
            return any(True for _ in _reports(path))
        return _is_predictions(path) or _is_report(path) or _is_instance(path) or _is_pro(path)

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read reports and predictions; each model is a subject."""
        collector = Collector()
        graded: dict[Key, LogRow] = {}
        for path in paths:
            rows = _graded(path, collector)
            _reject_duplicates(path, rows, graded)
            graded |= rows
        details = _with_only_model(_details(paths), graded)
        # The report of the run decides; reports of instances add details, or decide without one.
        for key, detail in details.items():
            graded.setdefault(key, _row(key[1], passed=_verdict(detail), error=_infrastructure(detail)))
        if not graded:
            raise InputError(f"{paths[0]}: predictions only; import them with a report of the run")
        if options.model and len({model for model, _ in graded}) > 1:
            raise InputError(f"{paths[0]}: several models cannot share one model name")
        patches = {_key(prediction): prediction for path in paths for prediction in _predictions(path)}
        patches = _with_only_model(patches, graded)
        _take_ungraded(patches, collector, graded)
        for key, row in graded.items():
            collector.rows.append(_filled(row, patches.get(key), details.get(key), options, key[0]))
        return collector.log("SWE-bench")


def _details(paths: Iterable[Path]) -> dict[Key, Record]:
    """Return the reports of single instances; those of several runs are rejected."""
    details: dict[Key, Record] = {}
    for path in paths:
        for key, report in _instances(path):
            _reject_duplicates(path, [key], details)
            details[key] = report
    return details


def _graded(path: Path, collector: Collector) -> dict[Key, LogRow]:
    """Return the results of a run's report, by model and instance."""
    rows: dict[str, LogRow] = {}
    if _is_report(path):
        _take_report(Record(document(path), str(path)), collector, rows)
    elif _is_pro(path):
        rows = {(case := clean(name)): _row(case, passed=bool(value)) for name, value in top(path).items()}
    model = _report_name(path)
    return {(model, name): row for name, row in rows.items()}


def _reject_duplicates(path: Path, rows: Iterable[Key], graded: Container[Key]) -> None:
    for model, name in rows:
        if (model, name) in graded:
            raise InputError(
                f"{path}: another report of {model or 'this model'} also has {name}; import one run at a time"
            )


def _take_ungraded(patches: Mapping[Key, Record], collector: Collector, graded: dict[Key, LogRow]) -> None:
    """Add predictions without a report: empty patches are failures, others are left out."""
    for key, patch in patches.items():
        if key not in graded and not (patch.text("model_patch") or "").strip():
            graded[key] = _row(key[1], passed=False, output="the patch is empty")
        elif key not in graded:
            collector.leave_out("predictions", "no verdict in the reports")


def _key(prediction: Record) -> Key:
    return _model_of(prediction.text("model_name_or_path") or ""), prediction.name("instance_id")


def _model_of(model: str) -> str:
    return clean(model).replace("__", "/")


def _with_only_model(by_key: dict[Key, Record], graded: Iterable[Key]) -> dict[Key, Record]:
    """Assign records to the only graded model, whose files may spell its name differently."""
    models, owners = {model for model, _ in graded}, {model for model, _ in by_key}
    if len(models) == len(owners) == 1:
        (only,) = models
        return {(only, name): record for (_, name), record in by_key.items()}
    return by_key


def _take_report(report: Record, collector: Collector, graded: dict[str, LogRow]) -> None:
    version = report.get("schema_version")
    if version is not None and version not in range(1, SCHEMA + 1):
        raise InputError(
            f"{report.where}: found version {version!r:.20} of a SWE-bench report, expected up to {SCHEMA}"
        )
    reasons = report.record("failure_reasons")
    kinds = {clean(name): clean(str(reasons.get(name)))[:200] for name in reasons}
    for name in report.names("resolved_ids"):
        graded[name] = _row(name, passed=True)
    for name in report.names("infra_failure_ids"):
        graded.setdefault(name, _row(name, error=kinds.get(name, "infra_failure")))
    for key in ("unresolved_ids", "ambiguous_failure_ids"):
        for name in report.names(key):
            graded.setdefault(name, _row(name, passed=False, output=kinds.get(name, "")))
    for name in report.names("empty_patch_ids"):
        graded.setdefault(name, _row(name, passed=False, output="the patch is empty"))
    for name in report.names("error_ids"):
        # A patch that does not apply is the model's fault, another known reason is not. Older reports have no
        # reason: these count as unresolved, as in SWE-bench's own rate.
        reason = kinds.get(name, "")
        if reason and "patch" not in reason.lower():
            graded.setdefault(name, _row(name, error=reason))
        else:
            graded.setdefault(name, _row(name, passed=False, output=reason or "no report"))
    missing = [name for name in report.names("incomplete_ids") if name not in graded]
    collector.leave_out("instances", "not evaluated", len(missing))


def _row(name: str, *, passed: bool | None = None, error: str | None = None, output: str = "") -> LogRow:
    is_error = error is not None
    return LogRow(
        model="",
        case=name,
        attempt=0,
        passed=None if is_error else passed,
        error=error,
        output=error or output,
    )


def _filled(
    row: LogRow, patch: Record | None, detail: Record | None, options: LogOptions, report_name: str
) -> LogRow:
    """Add the model, the patch and the tests to a verdict."""
    tests = _tests(detail)
    model = None if patch is None else patch.text("model_name_or_path")
    return LogRow(
        model=model or options.model or report_name or "model",
        tier=options.tier,
        suite=options.suite or "swe-bench",
        case=row.case,
        attempt=0,
        passed=row.passed,
        error=row.error,
        tests_passed=None if tests is None else len(tests[0]),
        tests_failed=None if tests is None else len(tests[1]),
        answer=None if patch is None else patch.text("model_patch") or "",
        output=excerpt([row.output, "\n".join(f"failed: {name}" for name in tests[1]) if tests else None]),
    )


def _tests(detail: Record | None) -> tuple[list[str], list[str]] | None:
    """Return the required tests that passed, and those that failed."""
    if detail is None or "tests_status" not in detail:
        return None
    status = detail.record("tests_status")
    kinds = [status.record(kind) for kind in ("FAIL_TO_PASS", "PASS_TO_PASS")]
    passed = [name for kind in kinds for name in kind.names("success")]
    return passed, [name for kind in kinds for name in kind.names("failure")]


def _verdict(record: Record) -> bool:
    return record.flag("resolved") or False


def _infrastructure(record: Record) -> str | None:
    return "infra_failure" if record.flag("infra_failure") else None


def _instances(path: Path) -> Iterator[tuple[Key, Record]]:
    """Yield the reports of single instances in a file or a folder: `MODEL/INSTANCE/report.json`."""
    if path.is_dir():
        for file in _reports(path):
            yield from _instances(file)
    elif _is_instance(path):
        report = Record(document(path), str(path))
        model = _model_of(path.absolute().parent.parent.name)
        yield from (((model, clean(name)), report.record(name)) for name in report)


def _reports(folder: Path) -> Iterator[Path]:
    """Yield the reports below a folder; symbolic links are ignored."""
    for number, path in enumerate(sorted(folder.rglob("report.json"))):
        if number >= MOST_REPORTS:
            raise InputError(f"{folder}: too many reports for a log (more than {MOST_REPORTS})")
        if not path.is_symlink() and path.is_file() and _is_instance(path):
            yield path


def _predictions(path: Path) -> list[Record]:
    if not _is_predictions(path):
        return []
    if first_record(path).keys() >= PREDICTION:
        return list(records(path))
    contents = document(path)
    values = list(contents.values()) if isinstance(contents, dict) else contents
    return Record({"predictions": values}, str(path)).records("predictions")


def _is_predictions(path: Path) -> bool:
    if path.is_dir():
        return False
    if first_record(path).keys() >= PREDICTION:
        return True
    contents = whole(path)
    values = list(contents.values()) if isinstance(contents, dict) else contents
    first = values[0] if isinstance(values, list) and values else None
    return isinstance(first, dict) and first.keys() >= PREDICTION


def _is_report(path: Path) -> bool:
    return not path.is_dir() and {"resolved_ids", "total_instances"} <= top(path).keys()


def _is_instance(path: Path) -> bool:
    values = list(top(path).values())
    return bool(values) and all(isinstance(value, dict) and value.keys() >= GRADED for value in values)


def _is_pro(path: Path) -> bool:
    keys = {} if path.is_dir() else top(path)
    is_named = all(name.startswith("instance_") for name in keys)
    return bool(keys) and is_named and all(isinstance(value, bool) for value in keys.values())


def _report_name(path: Path) -> str:
    """Return the model in the name of a report, `MODEL.RUN.json`, with __ for a slash."""
    if _is_report(path):
        return path.name.removesuffix(".json").rpartition(".")[0].replace("__", "/")
    return model_name(LogOptions(), path) if _is_pro(path) else ""
