"""Read results of NeMo Evaluator: `results.jsonl`, with `eval-*.json` beside it for model and benchmark.

Problem numbers depend on the shuffled data set, so cases are named by task id if there is one.
"""

from collections.abc import Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, attempt_of, excerpt, is_pass, model_name
from steelyard.logs.files import document, first_record, records, top
from steelyard.logs.record import Record
from steelyard.model.log import Log, LogOptions, LogRow

RESULTS = "results.jsonl"
INFRASTRUCTURE = {"infra_error", "system"}  # error categories
ROW = {"problem_idx", "repeat", "reward"}


class NemoReader:
    """Reads results of NeMo Evaluator."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has rows or the bundle of a benchmark, or a folder has such rows."""
        if path.is_dir():
            return bool(_result_files(path))
        return first_record(path).keys() >= ROW or _is_bundle(path)

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read results."""
        collector, version = Collector(), None
        for path in dict.fromkeys(file for given in paths for file in _result_files(given)):
            bundle = _bundle_of(path)
            version = bundle.text("sdk_version") or version
            config = bundle.record("config")
            model = config.text("model") or model_name(options, path)
            suite = bundle.record("benchmark").text("name") or options.suite or "default"
            rows = list(records(path))
            for row in rows:
                _add(row, collector, (model, suite), options)
            missing = (bundle.count("n_results") or 0) - len(rows)
            collector.leave_out("answers", f"in the bundle, but not in {RESULTS}", missing)
        if not collector.rows:
            raise InputError(f"{paths[0]}: contains totals only; {RESULTS} with the answers is missing")
        return collector.log("NeMo Evaluator", version)


def _add(row: Record, collector: Collector, subject: tuple[str, str], options: LogOptions) -> None:
    details = row.record("scoring_details")
    category = details.text("error_category")
    reward = row.number("reward")
    error = f"{category}: {details.text('error') or ''}".strip() if category in INFRASTRUCTURE else None
    if error is None and (reward is None or not 0 <= reward <= 1):
        error = collector.no_verdict("answers", "the reward is not between 0 and 1")
    steps = row.items("trajectory")
    usage = Record(steps[0] if steps else {}, row.where).record("final_metrics")
    collector.rows.append(
        LogRow(
            model=subject[0],
            tier=options.tier,
            suite=subject[1],
            case=row.record("metadata").text("task_id") or row.name("problem_idx"),
            attempt=attempt_of(row.count("repeat"), first=0, where=f"{row.where}: repeat"),
            passed=None if error is not None or reward is None else is_pass(reward, options),
            score=None if error is not None else reward,
            error=error,
            latency_s=None if (time := row.amount("latency_ms")) is None else time / 1000,
            tokens_in=usage.count("total_prompt_tokens"),
            tokens_out=usage.count("total_completion_tokens"),
            prompt=row.text("prompt"),
            target=None if not isinstance(row.get("expected_answer"), str) else row.text("expected_answer"),
            answer=row.text("model_response"),
            output=excerpt([error, category]),
        )
    )


def _result_files(path: Path) -> list[Path]:
    """Return the files with rows of a folder, a bundle or a single file."""
    if path.is_dir():
        files = [*path.glob(RESULTS), *path.glob(f"*/{RESULTS}")]
        return sorted(file for file in files if first_record(file).keys() >= ROW)
    if first_record(path).keys() >= ROW:
        return [path]
    beside = path.with_name(RESULTS)
    return [beside] if beside.is_file() else []


def _bundle_of(path: Path) -> Record:
    for bundle in sorted(path.parent.glob("eval-*.json")):
        if _is_bundle(bundle):
            return Record(document(bundle), str(bundle))
    return Record({}, str(path))


def _is_bundle(path: Path) -> bool:
    keys = top(path)
    return {"run_id", "config", "benchmark", "sdk_version"} <= keys.keys()
