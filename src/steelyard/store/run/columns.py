"""List the columns of a run's two tables: the schema that other tools read.

A later version may add columns, which older tables then lack and which read as null there.
"""

from dataclasses import dataclass
from enum import StrEnum

from arro3.core import DataType, Field, Schema

SAMPLES, OUTCOMES = "samples", "outcomes"


class ColumnType(StrEnum):
    """What a column holds, by the name that SQL has for it."""

    TEXT = "VARCHAR"
    FLAG = "BOOLEAN"
    INT = "INTEGER"
    LONG = "BIGINT"


_ARROW = {
    ColumnType.TEXT: DataType.string(),
    ColumnType.FLAG: DataType.bool(),
    ColumnType.INT: DataType.int32(),
    ColumnType.LONG: DataType.int64(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredColumn:
    """A column: its name, what it holds, whether every row has it, and what it means."""

    name: str
    type: ColumnType
    meaning: str
    is_required: bool = False
    is_counted: bool = True  # whether the log keeps its nulls, least and greatest values


def _column(
    name: str, kind: ColumnType, meaning: str, *, required: bool = False, counted: bool = True
) -> StoredColumn:
    return StoredColumn(name=name, type=kind, meaning=meaning, is_required=required, is_counted=counted)


_TEXT, _FLAG, _INT, _LONG = ColumnType.TEXT, ColumnType.FLAG, ColumnType.INT, ColumnType.LONG

KEY_COLUMNS = (
    _column("model", _TEXT, "the model, `provider/name`", required=True),
    _column("tier", _TEXT, "the way of asking", required=True),
    _column("suite", _TEXT, "the suite of the case", required=True),
    _column("case_id", _TEXT, "the case", required=True),
    _column("attempt", _INT, "which answer to the same case, from 0", required=True),
    _column("case_digest", _TEXT, "a name for the case's exact form", required=True),
    _column("case_key", _LONG, "a number for model, tier, suite, case and digest together", required=True),
)
BILL_COLUMNS = (
    _column("cost_nano_usd", _LONG, "what the answer cost, in billionths of a US dollar"),
    _column("latency_us", _LONG, "microseconds from the request to the last byte"),
    _column("tokens_in", _LONG, "tokens of the prompt"),
    _column("tokens_out", _LONG, "tokens of the answer"),
)
SAMPLE_COLUMNS = (
    *KEY_COLUMNS,
    *BILL_COLUMNS,
    _column("tokens_cached", _LONG, "tokens of the prompt that came from the provider's cache"),
    _column("tokens_reasoning", _LONG, "tokens of the answer that only the model saw"),
    _column("first_byte_us", _LONG, "microseconds from the request to the first byte"),
    _column("generated_at_us", _LONG, "when the answer was complete, in microseconds since 1970"),
    _column("error", _TEXT, "what broke on our side; null if nothing did"),
    _column("finish_reason", _TEXT, "why the model stopped"),
    _column("prompt_digest", _TEXT, "a name for the exact prompt"),
    _column("parameters_digest", _TEXT, "a name for the sampling parameters", counted=False),
    _column("request_id", _TEXT, "the provider's name for the request", counted=False),
    _column("answer_digest", _TEXT, "a name for the text of the answer", counted=False),
    _column("text", _TEXT, "the answer", required=True, counted=False),
    _column(
        "egress", _TEXT, "an agent's network requests, as JSON; null without network access", counted=False
    ),
)
OUTCOME_COLUMNS = (
    *KEY_COLUMNS,
    _column("classification", _TEXT, "how the check ended", required=True),
    _column("passed", _FLAG, "whether it counts as a pass; null after an infrastructure error"),
    _column("score_micro", _INT, "the score, in millionths, by the rule that `run.json` names"),
    _column("tests_micro", _INT, "the share of graded tests that passed, in millionths"),
    _column("untested", _FLAG, "it builds, but no graded test ran", required=True),
    _column("unlinted", _FLAG, "the rule counts lint, but no linter ran", required=True),
    _column("built", _FLAG, "whether it builds"),
    _column("tests_passed", _INT, "graded tests that passed"),
    _column("tests_failed", _INT, "graded tests that failed"),
    _column("tests_ignored", _INT, "graded tests that did not run because they are marked so"),
    _column("no_tests", _TEXT, "why no graded test ran: none_defined, build_failed or none_collected"),
    _column("lint_warnings", _INT, "what the linter found"),
    _column("diagnostic_errors", _INT, "errors a validator reported"),
    _column("diagnostic_warnings", _INT, "warnings a validator reported"),
    _column("impl_micro", _INT, "the judged implementation rate, in millionths"),
    *BILL_COLUMNS,
    _column("check_us", _LONG, "microseconds the check took"),
    _column("peak_memory_bytes", _LONG, "memory the answer used at most"),
    _column("is_shared", _FLAG, "an equal answer had been checked already", required=True),
    _column("check_digest", _TEXT, "a name for the exact check", counted=False),
    _column("answer_digest", _TEXT, "a name for the text of the answer", counted=False),
    _column("detail", _TEXT, "an excerpt of the tools' output", required=True, counted=False),
    _column("judgement", _TEXT, "the judges' readings and their result, as JSON", counted=False),
    _column("integrity", _TEXT, "sealed, partial or open: could an answer forge the result? null: unknown"),
    _column("sealed_assertions", _INT, "assertions that ran and whose expected value stayed outside"),
    _column("open_assertions", _INT, "assertions that ran and were compared within the answer's reach"),
)
# Null whenever `passed` is null, so their rows need no separate count.
EVIDENCE_COLUMNS = frozenset({"score_micro", "tests_micro", "built", "impl_micro"})
COLUMNS = {SAMPLES: SAMPLE_COLUMNS, OUTCOMES: OUTCOME_COLUMNS}


def arrow_schema(columns: tuple[StoredColumn, ...]) -> Schema:
    """Return the columns as types of the table library."""
    return Schema(
        [Field(column.name, _ARROW[column.type], nullable=not column.is_required) for column in columns]
    )


def arrow_type(column: StoredColumn) -> DataType:
    """Return the type of a column as the table library has it."""
    return _ARROW[column.type]
