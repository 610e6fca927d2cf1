"""Make a report from outcome files: count, then build."""

import shlex
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from steelyard.analysis import trust
from steelyard.analysis.build import build_report
from steelyard.analysis.one_subject import rename_models
from steelyard.app.amounts import Prices, price_list
from steelyard.app.files import collector_paused
from steelyard.app.log_files import recognised
from steelyard.errors import InputError, UnknownName, UserError
from steelyard.metrics.grades import GRADE_SCALES
from steelyard.metrics.rules import rule_for
from steelyard.model.options import AlsoAtK, ColumnMapping, ReportOptions, RuleChoice
from steelyard.model.outcome import Integrity
from steelyard.model.report import Report
from steelyard.store.outcomes import Counting, count_outcomes
from steelyard.store.problems import expected_cases

LARGEST_LOG = 256 * 2**20  # bytes; larger files are not inspected for logs
TABLES = (".tsv", ".parquet", ".pq")  # never a tool's log
DEFAULT_OPTIONS = ReportOptions()
DEFAULT_RULE = RuleChoice()
DEFAULT_NAMING = ColumnMapping()


def score_files(  # noqa: PLR0913  # options of input, naming, scoring and report
    outcomes: str | Path | Iterable[str | Path],
    *,
    problems: str | Path | None = None,
    rule: RuleChoice = DEFAULT_RULE,
    naming: ColumnMapping = DEFAULT_NAMING,
    options: ReportOptions = DEFAULT_OPTIONS,
    require_integrity: Integrity | None = None,
    prices: Prices = (),
    threads: int | None = None,
) -> Report:
    """Return the report of outcome files.

    Args:
        outcomes: CSV, JSONL or Parquet files, or globs.
        problems: A file of all expected cases. Default: all cases that any subject answered.
        rule: The scoring rule. Default: by the columns.
        naming: Column names, or the model, tier and suite of all rows.
        options: The k of pass@k, weights, grades and policies.
        require_integrity: Reject samples of lower integrity, by the column `integrity`.
        prices: Prices of rows with tokens and no cost.
        threads: Threads for counting. Default: all cores.

    Raises:
        InputError: A file is missing or invalid.
        UserError: An option is invalid.
    """
    require_usable(options)
    patterns = [outcomes] if isinstance(outcomes, str | Path) else list(outcomes)
    if hasattr(outcomes, "columns"):  # iterating over a data frame yields its column names
        raise InputError(
            "`outcomes`: expected files, got a data frame; write it to a file, such as with "
            "frame.to_parquet('outcomes.parquet')"
        )
    if not naming.columns:  # mapped columns mean a table of outcomes
        _require_no_logs(patterns)
    expected = None if problems is None else expected_cases(problems, naming)
    counting = Counting(
        rule_for=partial(rule_for, choice=rule),
        naming=naming,
        duplicates=options.duplicates,
        errors=options.errors,
        spread=options.spread,
        count_scores=AlsoAtK.MAX in options.also_at_k,
        expected=expected,
        prices=price_list(prices),
        threads=threads,
    )
    with collector_paused():
        report = build_report(count_outcomes(patterns, counting), options, expected)
    trust.require_integrity(report, require_integrity, where="the outcomes")
    return rename_models(report, naming.models, where="the outcomes")


def _require_no_logs(patterns: Iterable[str | Path]) -> None:
    """Reject the log of a known tool: its rows would be misread as outcomes."""
    for path in map(Path, patterns):
        is_table = path.name.lower().removesuffix(".gz").endswith(TABLES)
        tool = recognised(path) if not is_table and _is_small_file(path) else None
        if tool is not None:
            raise InputError(
                f"{path}: is a log of {tool}. Import it, then report the run:\n"
                f"steelyard import {shlex.quote(str(path))} --run runs/{tool} && steelyard report runs/{tool}"
            )


def _is_small_file(path: Path) -> bool:
    """Whether a file is small enough to inspect; missing files fail later, with a better message."""
    try:
        return path.is_file() and path.stat().st_size <= LARGEST_LOG
    except OSError:  # such as a name that is too long
        return False


def require_usable(options: ReportOptions) -> None:
    """Validate report options, before anything is read."""
    if not options.ks or min(options.ks) < 1:
        raise UserError(f"k must be at least 1, got {', '.join(map(str, options.ks)) or 'nothing'}")
    bounds = options.latency
    if bounds is not None and not 0 <= bounds.good_s < bounds.bad_s:
        raise UserError(
            f"`latency_good` must be from 0 to less than `latency_bad`, "
            f"got {float(bounds.good_s):g} and {float(bounds.bad_s):g}"
        )
    if options.grade_scale not in GRADE_SCALES:
        raise UnknownName(
            f"`grade_scale={options.grade_scale}`: unknown scale; choose one of {', '.join(GRADE_SCALES)}"
        )
