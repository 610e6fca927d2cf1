"""Apply a scoring rule to every row without calling Python for every row.

The few different combinations of facts are fetched, appraised in Python, and joined back in SQL, so
that each formula has one home and 10^8 rows cost one join.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil

import duckdb

from steelyard.errors import InputError
from steelyard.metrics.appraisal import Appraisal, ScoringRule, appraise
from steelyard.metrics.rules import SCORE_GIVEN
from steelyard.model.outcome import Classification, Facts
from steelyard.model.units import MICRO_POINTS
from steelyard.store.diagnosis import NO_SHARE, RowFault
from steelyard.store.fields import FieldKind

FACT_COLUMNS = ("kind", "passed", "built", "tests_passed", "tests_failed", "lint_warnings", "impl_micro")
_TYPES = {
    "kind": "VARCHAR",
    "passed": "BOOLEAN",
    "built": "BOOLEAN",
    "tests_passed": "BIGINT",
    "tests_failed": "BIGINT",
    "lint_warnings": "BIGINT",
    "impl_micro": "BIGINT",
}
APPRAISED = {
    "passed": "BOOLEAN",
    "kind": "VARCHAR",
    "score_micro": "INTEGER",
    "tests_micro": "INTEGER",
    "untested": "BOOLEAN",
    "unlinted": "BOOLEAN",
}


def outcomes_view(
    connection: duckdb.DuckDBPyConnection, rows: str, columns: frozenset[str], rule: ScoringRule
) -> tuple[str, frozenset[str]]:
    """Return SQL that adds the rule's columns to `rows`, and their names."""
    pass_score = getattr(rule, "pass_score", None)
    if pass_score is not None and not columns & {"passed", "kind"}:
        rows = f"SELECT *, score_micro >= {ceil(pass_score * MICRO_POINTS)} AS passed FROM ({rows})"
        columns |= {"passed"}
    if columns & {"kind", "built", "tests_passed"} or rule.name not in {SCORE_GIVEN, "plausible"}:
        return _join(connection, rows, columns, rule)
    if "impl_micro" in columns:
        _require_possible_ratings(connection, rows)
    if rule.name == SCORE_GIVEN:
        score = "CASE WHEN passed IS NOT NULL THEN score_micro END AS score_micro"
        return f"SELECT * REPLACE ({score}) FROM ({rows})", columns
    score = f"CASE WHEN passed THEN {MICRO_POINTS} WHEN NOT passed THEN 0 END AS score_micro"
    kept = "* EXCLUDE (score_micro)" if "score_micro" in columns else "*"
    return f"SELECT {kept}, {score} FROM ({rows})", columns | {"score_micro"}


def _join(
    connection: duckdb.DuckDBPyConnection, rows: str, columns: frozenset[str], rule: ScoringRule
) -> tuple[str, frozenset[str]]:
    facts = [name for name in FACT_COLUMNS if name in columns]
    distinct = connection.execute(f"SELECT DISTINCT {', '.join(facts)} FROM ({rows})").fetchall()
    appraisals = [(row, _appraise(dict(zip(facts, row, strict=True)), rule)) for row in distinct]
    _create_table(connection, facts, appraisals)
    same = " AND ".join(f"r.{name} IS NOT DISTINCT FROM a.fact_{name}" for name in facts)
    fresh = {name: f"a.{name}" for name in APPRAISED}
    if "tests_passed" not in columns:
        del fresh["tests_micro"]  # without tests, an answer that does not build fails none of them
    if rule.name == SCORE_GIVEN:
        fresh["score_micro"] = "CASE WHEN a.passed IS NOT NULL THEN r.score_micro END"
    kept = {name: f"r.{name}" for name in sorted(columns)}
    listed = ", ".join(f"{sql} AS {name}" for name, sql in (kept | fresh).items())
    return f"SELECT {listed} FROM ({rows}) r JOIN appraisals a ON {same}", columns | fresh.keys()


def _appraise(values: Mapping[str, object], rule: ScoringRule) -> Appraisal:
    for name, value in values.items():
        if name == "impl_micro" and value is not None and not 0 <= int(str(value)) <= MICRO_POINTS:
            raise RowFault(name, NO_SHARE, f"expected {FieldKind.SHARE}")
        if isinstance(value, int) and value < 0:
            raise RowFault(name, "value < 0", f"expected {FieldKind.COUNT}")
    try:
        return appraise(_facts(values), rule)
    except InputError:
        stated = f"value = '{values['kind']}' AND passed = {values['passed']}"
        passed = str(values["passed"]).lower()
        raise RowFault("kind", stated, f"but passed is {passed} in the same row; fix one of them") from None


def _require_possible_ratings(connection: duckdb.DuckDBPyConnection, rows: str) -> None:
    bad = f"impl_micro NOT BETWEEN 0 AND {MICRO_POINTS}"
    if connection.execute(f"SELECT 1 FROM ({rows}) WHERE {bad} LIMIT 1").fetchone():
        raise RowFault("impl_micro", NO_SHARE, f"expected {FieldKind.SHARE}")


def _facts(values: Mapping[str, object]) -> Facts:
    kind, impl_micro = values.get("kind"), values.get("impl_micro")
    plain = {name: value for name, value in values.items() if name not in {"kind", "impl_micro"}}
    return Facts(
        classification=None if kind is None else Classification(str(kind)),
        impl_rate=None if impl_micro is None else Fraction(int(str(impl_micro)), MICRO_POINTS),
        **plain,  # type: ignore[arg-type]  # the types are those of the columns, which we cast ourselves
    )


def _create_table(
    connection: duckdb.DuckDBPyConnection,
    facts: Sequence[str],
    appraisals: Sequence[tuple[tuple[object, ...], Appraisal]],
) -> None:
    columns = {f"fact_{name}": _TYPES[name] for name in facts} | APPRAISED
    rows = [(*row, *(getattr(appraisal, name) for name in APPRAISED)) for row, appraisal in appraisals]
    # Passes whole columns: row by row, a thousand combinations would take a second.
    listed = ", ".join(f"unnest(CAST(? AS {sql_type}[])) AS {name}" for name, sql_type in columns.items())
    values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
    connection.execute(f"CREATE OR REPLACE TEMP TABLE appraisals AS SELECT {listed}", values)
