"""Make the report of a run, or read the report at an address.

Scoring rule, k of pass@k, expected cases, suite weights and stop rule default to the run's own.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from steelyard.analysis import trust
from steelyard.analysis.build import build_report
from steelyard.analysis.judges import judges_summary, judges_warnings
from steelyard.app.benchmarks.copies import reference_copies
from steelyard.app.files import collector_paused
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.score import DEFAULT_OPTIONS, require_usable, score_files
from steelyard.errors import InputError, OptionsNeeded
from steelyard.languages.lookup import LANGUAGES
from steelyard.model.benchmark import BenchmarkSummary
from steelyard.model.options import AlsoAtK, ReportOptions, RuleChoice
from steelyard.model.outcome import Integrity
from steelyard.model.progress import UNCHECKED_SHARE
from steelyard.model.report import Report, UncheckedSamples
from steelyard.model.run import Manifest
from steelyard.plugins import load
from steelyard.ports import Engine
from steelyard.render.run_progress import excluded_cases
from steelyard.runner.engines import ENGINES
from steelyard.sources.record_file import read_report
from steelyard.store.files import is_outcome_file, open_bytes
from steelyard.store.run.check_errors import check_errors
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.judgements import judging_of_run
from steelyard.store.run.run_store import RunStore, is_run, open_run, retry_on_conflict
from steelyard.store.run.states import Share, StateRow, count_share

LINTED = frozenset(language.name for language in LANGUAGES if language.has_linter)
LIST_OF_OBJECTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\{")
HEAD_BYTES = 1000  # read to detect the type of a file
MOST_COMPARED = 10_000  # answers used to measure the agreement of judges


def report_run(  # noqa: PLR0913  # options of scoring, report and counting
    address: RunAddress,
    *,
    rule: RuleChoice | None = None,
    options: ReportOptions = DEFAULT_OPTIONS,
    require_integrity: Integrity | None = None,
    engine: str = "local",
    threads: int | None = None,
) -> Report:
    """Return the report of a run.

    Args:
        address: The run.
        rule: Rescore by this rule. Default: the run's own.
        options: The k of pass@k, weights, grades and policies; unset ones default to the run's own.
        require_integrity: Reject samples of lower integrity.
        engine: Where outcomes are counted: `local`, or `ray` for a cluster.
        threads: Threads for counting. Default: all cores.

    Raises:
        InputError: There is no run at the address, or it is damaged.
        UserError: An option is invalid, or the integrity is too low.
    """
    require_usable(options)
    address = address_of(address)
    if is_outcome_file(address) and not is_run(address):
        raise InputError(f"{address}: this is a table of outcomes, not a run; use steelyard score")
    store = open_run(address)
    start = cast("Callable[..., Engine]", load(ENGINES, engine, group="engines"))
    with collector_paused(), closing(start(threads=threads)) as worker:
        counting = RunCounting(
            rule=rule,
            errors=options.errors,
            spread=options.spread,
            count_scores=AlsoAtK.MAX in options.also_at_k,
            by_pass=options.stop_rule is not None,
            parts=worker.parts,
            counter=_make_counter(worker),
            threads=threads,
        )
        manifest, evidence = retry_on_conflict(store, lambda now: (now.manifest, run_evidence(now, counting)))
        report = build_report(evidence, _with_own_options(options, manifest), manifest.expected())
    trust.require_integrity(report, require_integrity, where=str(address))
    report = replace(
        report,
        planned_samples=_count_planned(report, manifest),
        unchecked=_find_unchecked(report, store),
        warnings=(*report.warnings, *_excluded_warnings(manifest), *_shard_warnings(manifest)),
    )
    return _with_benchmark(_with_judges(report, store, manifest), address, manifest)


def _count_planned(report: Report, manifest: Manifest) -> int | None:
    """Return the number of planned samples of an unfinished run, without honeypots; None if complete."""
    if report.settings.stop_rule is not None or not manifest.has_fixed_plan:
        return None
    per_case = sum(manifest.samples_of(subject.model, subject.tier) for subject in manifest.subjects)
    planned = len(manifest.expected()) * per_case
    return planned if report.seen_samples < planned else None


def _find_unchecked(report: Report, store: RunStore) -> UncheckedSamples | None:
    """Return the unchecked answers if they are too many for a result."""
    if store.manifest.imported is not None or not any(
        subject.coverage.errored for subject in report.subjects
    ):
        return None
    return retry_on_conflict(store, lambda now: check_errors(now, share=UNCHECKED_SHARE))


def _excluded_warnings(manifest: Manifest) -> tuple[str, ...]:
    return (excluded_cases(manifest.excluded),) if manifest.excluded else ()


def _shard_warnings(manifest: Manifest) -> tuple[str, ...]:
    if manifest.shard is None:
        return ()
    return (f"this run is shard {manifest.shard.name} of a larger one; `merge` makes one run of all shards",)


def _with_benchmark(report: Report, address: str | Path, manifest: Manifest) -> Report:
    """Add the benchmark, its protocol, and the number of answers equal to the reference."""
    benchmark = manifest.benchmark
    if benchmark is None:
        return report
    summary = BenchmarkSummary(
        name=benchmark.name,
        version=benchmark.version,
        protocol=benchmark.protocol,
        kind=benchmark.kind,
        sampling=_describe_sampling(manifest),
        tasks=len(manifest.expected()),  # the run may cover only a part of the tasks
        of_tasks=benchmark.of_tasks,
        copies=reference_copies(address),
    )
    return replace(report, benchmark=summary)


def _describe_sampling(manifest: Manifest) -> str:
    """Describe how answers were generated: recorded, greedy, or by temperature."""
    if manifest.recorded:
        return "recorded answers"
    used = {subject.parameters.get("temperature") for subject in manifest.subjects}
    if used == {"0"}:
        return "greedy"
    return ", ".join(
        f"temperature {value}" if value else "the models' own temperature" for value in sorted(used, key=str)
    )


def _with_judges(report: Report, store: RunStore, manifest: Manifest) -> Report:
    """Add the summary of the judges, if there are any."""
    if manifest.judges is None:
        return report
    judging = retry_on_conflict(store, lambda now: judging_of_run(now, most=MOST_COMPARED))
    if not judging.answers:
        return report
    summary = judges_summary(judging, manifest.judges, level=report.settings.level)
    return replace(report, judges=summary, warnings=(*report.warnings, *judges_warnings(summary)))


def _with_own_options(options: ReportOptions, manifest: Manifest) -> ReportOptions:
    """Fill unset options with the run's own."""
    return replace(
        options,
        pass_k=manifest.pass_k or None if options.pass_k is None else options.pass_k,
        lints=options.lints and (not manifest.languages or not LINTED.isdisjoint(manifest.languages)),
        stop_rule=options.stop_rule or manifest.stop_rule,
        suite_weights=options.suite_weights or _select_weights(manifest),
        expected_kinds=options.expected_kinds or manifest.expected_kinds(),
    )


def _select_weights(manifest: Manifest) -> dict[str, Fraction]:
    """Return the weights of suites with expected cases; honeypots alone have none."""
    suites = {case.suite for case in manifest.expected()}
    weights = {suite: Fraction(weight) for suite, weight in manifest.suite_weights.items() if suite in suites}
    return weights if any(weights.values()) else {}


def report_at(address: RunAddress) -> Report:
    """Return the report of a run, a report file (JSON), an outcome file or another tool's log.

    Args:
        address: A run or a file.

    Raises:
        InputError: There is nothing at the address, or it is invalid.
    """
    address = address_of(address)
    if is_run(address):
        return report_run(address)
    if is_outcome_file(address) or _is_list(address):
        return _report_of_outcomes(str(address))
    return _report_of_log(str(address)) if _is_log(address) else read_report(address)


def source_kind(address: str | Path) -> str:
    """Name what is at an address: a run, outcomes, a report or a log."""
    if is_run(address):
        return "run"
    if is_outcome_file(address) or _is_list(address):
        return "outcomes"
    return "log of another tool" if _is_log(address) else "report"


def _is_list(address: str | Path) -> bool:
    """Whether a JSON file begins like a list of rows, not like a report."""
    path = Path(address)
    if not str(path).lower().removesuffix(".gz").endswith(".json") or not path.is_file():
        return False
    try:
        with open_bytes(path) as file:
            return LIST_OF_OBJECTS.match(file.read(HEAD_BYTES)) is not None
    except (OSError, EOFError):
        return False


def _is_log(address: str | Path) -> bool:
    """Whether a file is a log of another tool; Steelyard's records begin with their schema."""
    path = Path(address)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        if b'"steelyard.' in file.read(HEAD_BYTES):
            return False
    from steelyard.app.log_files import found_logs  # noqa: PLC0415  # few reports are made of logs

    return bool(found_logs([path]))


def _report_of_log(path: str) -> Report:
    """Import a log into a temporary run, and report it."""
    from steelyard.app.import_ import import_files  # noqa: PLC0415  # few reports are made of logs

    with TemporaryDirectory() as folder:
        run = str(Path(folder) / "run")
        import_files(path, run)
        return report_run(run)


def _report_of_outcomes(path: str) -> Report:
    """Score an outcome file; if it needs options, raise an error with the command."""
    try:
        return score_files([path])
    except OptionsNeeded as error:
        words = " ".join(f"--{name.replace('_', '-')} {shlex.quote(value)}" for name, value in error.options)
        raise InputError(
            f"{error}\nMake a report first, and use that here:\n"
            f"steelyard score {shlex.quote(path)} {words} -o report.json"
        ) from None


def _make_counter(worker: Engine) -> Callable[[Sequence[Share]], Iterable[Sequence[StateRow]]]:
    def counted(dealt: Sequence[Share]) -> Iterable[Sequence[StateRow]]:
        return worker.map(count_share, [replace(share, threads=worker.threads) for share in dealt])

    return counted
