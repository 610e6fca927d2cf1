"""Import outcome tables and logs of other tools as runs.

A log is detected by its content. Parts that a run cannot store are counted and listed with the run.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes

from steelyard.app.log_files import FoundLog, file_digests, found_logs, read_logs, refuse_copies
from steelyard.errors import UserError
from steelyard.metrics.exact import exact
from steelyard.model.log import LeftOut, Log, LogOptions, LogRow, LogSource
from steelyard.model.options import ColumnMapping, Duplicates, RuleChoice, Scoring
from steelyard.model.outcome import Classification
from steelyard.model.run import Manifest
from steelyard.model.version import GENERATOR
from steelyard.store.run import importing
from steelyard.store.run.importing import Imported
from steelyard.store.run.log_import import import_rows
from steelyard.store.run.origin import host_facts, run_id, tool_versions

DEFAULT_RULE = RuleChoice()
DEFAULT_NAMING = ColumnMapping()

__all__ = ["Imported", "import_files"]


def import_files(  # noqa: PLR0913  # input, target, names and scoring
    outcomes: str | Path | Iterable[str | Path],
    run: str | Path,
    *,
    rule: RuleChoice = DEFAULT_RULE,
    naming: ColumnMapping = DEFAULT_NAMING,
    duplicates: Duplicates = Duplicates.ERROR,
    scorer: str | None = None,
    threads: int | None = None,
) -> Imported:
    """Import outcome files or other tools' logs as a run.

    Args:
        outcomes: CSV, JSONL or Parquet files, globs, or logs and job folders of other tools.
        run: The address of the new run.
        rule: The scoring rule of outcome files.
        naming: Column names, or the model, tier and suite of all rows.
        duplicates: Handling of contradictory rows of one attempt.
        scorer: The score to import, for logs with several scores per answer.
        threads: Threads for counting. Default: all cores.

    Raises:
        InputError: A file is invalid, or no known log.
        UserError: An option does not apply to these files.
    """
    patterns = [outcomes] if isinstance(outcomes, str | Path) else list(outcomes)
    logs = found_logs(patterns)
    if logs:
        return _import_logs(logs, run, _log_options(rule, naming, scorer))
    if scorer is not None:
        raise UserError("`scorer` applies to logs of other tools; these are outcome files")
    return importing.import_files(
        patterns, run, rule=rule, naming=naming, duplicates=duplicates, threads=threads
    )


def _log_options(rule: RuleChoice, naming: ColumnMapping, scorer: str | None) -> LogOptions:
    if rule.name is not None or rule.weights or rule.penalties or naming.columns:
        raise UserError(
            "a log of another tool has its own scores and names: remove `scoring`, `weight`, `penalty` and "
            "`map`. `report --scoring` applies another rule to the run."
        )
    score = exact(1 if rule.pass_score is None else rule.pass_score)
    if not 0 < score <= 1:
        raise UserError(f"`pass_score`: expected a number above 0 and at most 1, got {float(score):g}")
    suite = None if naming.suite == DEFAULT_NAMING.suite else naming.suite
    return LogOptions(model=naming.model, tier=naming.tier, suite=suite, scorer=scorer, pass_score=score)


def _import_logs(logs: Sequence[FoundLog], run: str | Path, options: LogOptions) -> Imported:
    refuse_copies(logs)
    read = read_logs(logs, options)
    rows = tuple(row for log in read for row in log.rows)
    source = _describe_source(logs, read, rows)
    moment = datetime.now(UTC)
    manifest = Manifest(
        id=run_id(moment, token_bytes(4)),
        created_at=moment.isoformat(timespec="seconds"),
        generator=GENERATOR,
        scoring=Scoring(name="given", version=1),
        subjects=(),
        cases=(),
        tools=tool_versions(),
        host=host_facts(),
        imported=source,
        # Most tools do not distinguish refusals from failures.
        names_refusals=any(row.classification is Classification.REFUSAL for row in rows),
    )
    tiers = {tier: name for log in read for tier, name in log.tiers.items()}
    filled = import_rows(rows, run, manifest, tiers)
    made_by = source.tool if source.version is None else f"{source.tool} {source.version}"
    return Imported(manifest=filled, outcomes=len(rows), tool=made_by, left_out=source.left_out)


def _describe_source(logs: Sequence[FoundLog], read: Sequence[Log], rows: Sequence[LogRow]) -> LogSource:
    prompts: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if row.prompt is not None:
            prompts.setdefault((row.suite, row.case), set()).add(row.prompt)
    further_prompts = sum(len(texts) - 1 for texts in prompts.values())
    left_out = [omission for log in read for omission in log.left_out]
    if further_prompts:
        why = "further prompts of the same case; the first is stored"
        left_out.append(LeftOut(what="prompts", why=why, count=further_prompts))
    versions = {log.version for log in read}
    return LogSource(
        tool=" and ".join(dict.fromkeys(log.tool for log in read)),
        version=versions.pop() if len(versions) == 1 else None,
        files=file_digests(logs),
        left_out=tuple(left_out),
        attempts_known=all(log.attempts_known for log in read),
    )
