"""Shorten the way to counted evidence for the tests of this folder."""

from collections.abc import Mapping
from pathlib import Path

import duckdb

from steelyard.metrics.rules import rule_for
from steelyard.model.options import ColumnMapping, Duplicates, RuleChoice, StatisticsLimit
from steelyard.model.state import CaseState, Evidence, ExpectedCase
from steelyard.store.outcomes import Counting, count_outcomes

HEADER = "model,case,attempt,passed\n"


def counted(  # noqa: PLR0913  # every option of the counting, all with defaults
    *paths: Path | str,
    rule: RuleChoice | None = None,
    naming: ColumnMapping | None = None,
    duplicates: Duplicates = Duplicates.ERROR,
    spread: StatisticsLimit = StatisticsLimit.AUTO,
    expected: frozenset[ExpectedCase] | None = None,
    threads: int | None = None,
) -> Evidence:
    """Count files with the defaults of the command line."""
    choice = RuleChoice() if rule is None else rule
    return count_outcomes(
        paths,
        Counting(
            rule_for=lambda columns: rule_for(columns, choice),
            naming=ColumnMapping() if naming is None else naming,
            duplicates=duplicates,
            spread=spread,
            expected=expected,
            threads=threads,
        ),
    )


def by_case(evidence: Evidence) -> Mapping[str, CaseState]:
    """Return the states of a single-subject input by case."""
    return {state.case: state for state in evidence.states}


def written(folder: Path, text: str, name: str = "m_fixes.csv") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def parquet(path: Path, sql: str) -> Path:
    """Write what a query gives as a Parquet file."""
    with duckdb.connect() as connection:
        connection.sql(sql).write_parquet(str(path))
    return path
