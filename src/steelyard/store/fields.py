"""List what an outcome row may hold, under which column names, and how each column becomes an integer.

Only names and SQL expressions; nothing is read here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from steelyard.model.outcome import Classification, Integrity
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD


class FieldKind(StrEnum):
    """The type of a field, worded as the expectation in messages."""

    NAME = "a name"
    ATTEMPT = "an attempt number"
    CLASSIFICATION = f"one of {', '.join(Classification)}"
    INTEGRITY = f"one of {', '.join(Integrity)}"
    FLAG = "true or false"
    COUNT = "a whole number from 0"
    SHARE = "a number from 0 to 1"
    AMOUNT = "a number from 0 to 999999999"
    TIME = "a date and time, or seconds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a row, stored in `column` in integer steps of one `unit`-th."""

    name: str
    column: str
    kind: FieldKind
    unit: int = 1
    aliases: tuple[str, ...] = ()
    fallbacks: tuple[str, ...] = ()  # names that mean it only where no other name does, the likeliest first
    inner: str = ""  # the key of the field when the column holds a JSON object


SAMPLES_N, PASSED_N = "samples_n", "passed_n"
STARTED, ENDED = "started_us", "ended_us"

FIELDS = (
    Field(
        name="model",
        column="model",
        kind=FieldKind.NAME,
        aliases=("model_id", "model_name", "llm_name", "llm", "agent_model"),
        fallbacks=("model_name_or_path", "agent", "agent_name", "system"),
    ),
    Field(name="tier", column="tier", kind=FieldKind.NAME, aliases=("tier_id",)),
    Field(
        name="suite", column="suite", kind=FieldKind.NAME, aliases=("suite_id", "benchmark_id", "benchmark")
    ),
    Field(
        name="case",
        column="case_id",
        kind=FieldKind.NAME,
        aliases=("case_id", "oid", "task_id", "problem_id", "example_id", "instance_id", "question_id"),
        fallbacks=(
            "task",
            "id",
            "task_name",
            "case_name",
            "test_name",
            "problem_name",
            "test_id",
            "item_id",
            "sample_id",
            "prompt_id",
            "doc_id",
            "problem_idx",
            "qid",
            "uid",
            "problem",
        ),
    ),
    Field(
        name="attempt",
        column="attempt",
        kind=FieldKind.ATTEMPT,
        aliases=("iteration_id", "attempt_id", "epoch", "repeat", "run_number", "trial"),
        fallbacks=(
            "sample",
            "attempt_number",
            "attempt_idx",
            "attempt_index",
            "sample_idx",
            "sample_index",
            "completion_id",
            "generation_id",
            "rollout_id",
            "trial_id",
        ),
    ),
    Field(name="answer_digest", column="answer_digest", kind=FieldKind.NAME, aliases=("answer_hash",)),
    Field(name="cluster", column="cluster", kind=FieldKind.NAME, aliases=("cluster_id",)),
    Field(name="digest", column="digest", kind=FieldKind.NAME, aliases=("case_digest",)),
    Field(
        name="classification",
        column="kind",
        kind=FieldKind.CLASSIFICATION,
        inner="primary",
    ),
    Field(
        name="passed",
        column="passed",
        kind=FieldKind.FLAG,
        aliases=("plausible_fix", "is_correct", "correct", "success", "resolved", "is_resolved"),
        fallbacks=("ok", "pass", "is_pass", "is_passed", "all_passed", "solved", "is_solved"),
    ),
    # A row about n samples, of which c passed.
    Field(
        name="n",
        column=SAMPLES_N,
        kind=FieldKind.COUNT,
        fallbacks=(
            *("n_samples", "num_samples", "total_samples", "n_attempts", "num_attempts", "n_trials"),
            *("total", "count", "samples", "attempts", "trials"),
        ),
    ),
    Field(
        name="c",
        column=PASSED_N,
        kind=FieldKind.COUNT,
        fallbacks=(
            *("n_correct", "num_correct", "n_passed", "num_passed", "n_pass", "n_success", "n_solved"),
            *("num_success", "correct_count", "pass_count", "passes", "successes"),
        ),
    ),
    Field(name="built", column="built", kind=FieldKind.FLAG, aliases=("builds", "compiled", "compiles")),
    Field(name="tests_passed", column="tests_passed", kind=FieldKind.COUNT),
    Field(name="tests_failed", column="tests_failed", kind=FieldKind.COUNT),
    Field(name="lint_warnings", column="lint_warnings", kind=FieldKind.COUNT, aliases=("clippy_warnings",)),
    Field(
        name="impl_rate",
        column="impl_micro",
        kind=FieldKind.SHARE,
        unit=MICRO_POINTS,
        aliases=("weighted_score",),
    ),
    Field(name="impl_micro", column="impl_micro", kind=FieldKind.COUNT),
    Field(name="score", column="score_micro", kind=FieldKind.SHARE, unit=MICRO_POINTS),
    Field(name="score_micro", column="score_micro", kind=FieldKind.COUNT),
    Field(
        name="cost_usd",
        column="cost_nano",
        kind=FieldKind.AMOUNT,
        unit=NANO_USD,
        aliases=("cost", "estimated_cost_usd"),
        fallbacks=("total_cost_usd", "total_cost", "cost_in_usd"),
    ),
    Field(name="cost_nano_usd", column="cost_nano", kind=FieldKind.COUNT),
    Field(
        name="latency_s",
        column="latency_us",
        kind=FieldKind.AMOUNT,
        unit=MICROSECONDS,
        aliases=("duration_seconds", "duration_s", "duration", "latency"),
    ),
    Field(name="latency_ms", column="latency_us", kind=FieldKind.AMOUNT, unit=1000, aliases=("duration_ms",)),
    Field(name="latency_us", column="latency_us", kind=FieldKind.COUNT),
    Field(name="start_time", column=STARTED, kind=FieldKind.TIME, unit=MICROSECONDS, aliases=("started_at",)),
    Field(
        name="end_time",
        column=ENDED,
        kind=FieldKind.TIME,
        unit=MICROSECONDS,
        aliases=("ended_at", "finished_at"),
    ),
    Field(
        name="tokens_in",
        column="tokens_in",
        kind=FieldKind.COUNT,
        aliases=("input_tokens", "prompt_tokens", "tokens_input"),
    ),
    Field(
        name="tokens_out",
        column="tokens_out",
        kind=FieldKind.COUNT,
        aliases=("output_tokens", "completion_tokens", "tokens_output"),
    ),
    Field(name="integrity", column="integrity", kind=FieldKind.INTEGRITY),
    Field(name="sealed_assertions", column="sealed_assertions", kind=FieldKind.COUNT),
    Field(name="open_assertions", column="open_assertions", kind=FieldKind.COUNT),
)
FIELDS_BY_NAME: Mapping[str, Field] = {field.name: field for field in FIELDS}

INTEGER_TYPES = frozenset(
    f"{sign}{size}" for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
)
FLOAT_TYPES = frozenset({"DOUBLE", "FLOAT"})
TEXT_TYPES = frozenset({"VARCHAR"})

# Includes the words of other tools: PASS and FAIL, C and I, ok.
TRUE_WORDS = ("true", "t", "yes", "y", "1", "1.0", "pass", "passed", "ok", "c", "correct", "success")
FALSE_WORDS = ("false", "f", "no", "n", "0", "0.0", "fail", "failed", "i", "incorrect", "failure")
FLAGS = frozenset((*TRUE_WORDS, *FALSE_WORDS))


def convert(field: Field, value: str, sql_type: str) -> str | None:
    """Return SQL that turns `value`, of a column type, into what the field holds, or fails in doing so.

    None means that no value of this type can be what the field holds.
    """
    if sql_type in TEXT_TYPES and field.kind is FieldKind.NAME:
        # Unchanged: empty names are detected after the group-by, at no cost.
        return value
    if sql_type in TEXT_TYPES:
        return _FROM_TEXT[field.kind](f"nullif(trim({value}), '')", field)
    return _from_typed(field, value, sql_type)


def attempt_number(value: str, sql_type: str) -> str:
    """Return SQL for an attempt's number, NULL for a name; 1.5 is not attempt 2."""
    if sql_type in INTEGER_TYPES | FLOAT_TYPES or sql_type.startswith("DECIMAL"):
        return f"TRY_CAST({value} AS BIGINT)"
    text = f"CAST({value} AS VARCHAR)"
    return f"CASE WHEN regexp_full_match({text}, '[0-9]{{1,18}}') THEN CAST({text} AS BIGINT) END"


def _from_typed(field: Field, value: str, sql_type: str) -> str | None:
    if sql_type.startswith("TIMESTAMP") and field.kind is FieldKind.TIME:
        return f"epoch_us(CAST({value} AS TIMESTAMP))"
    if sql_type == "BOOLEAN":
        return value if field.kind is FieldKind.FLAG else None
    if sql_type in INTEGER_TYPES:
        return _from_integer(field, value, sql_type)
    if sql_type in FLOAT_TYPES or sql_type.startswith("DECIMAL"):
        return _from_fraction(field, value)
    if sql_type == "UUID" or sql_type.startswith("ENUM"):
        return convert(field, f"CAST({value} AS VARCHAR)", "VARCHAR")
    # A column that is empty in every row of the file has no type of its own.
    return "NULL" if sql_type in {'"NULL"', "NULL"} else None


def _from_integer(field: Field, value: str, sql_type: str) -> str | None:
    match field.kind:
        case FieldKind.NAME:
            return f"CAST({value} AS VARCHAR)"
        case FieldKind.CLASSIFICATION | FieldKind.INTEGRITY:
            return None
        case FieldKind.FLAG:
            return _flag_of_number(value)
        case FieldKind.ATTEMPT:
            return value
        case _ if field.unit == 1:
            # Unchecked: negative numbers are detected in the group-by, at lower cost.
            return f"CAST({value} AS BIGINT)" if "HUGE" in sql_type or sql_type == "UBIGINT" else value
        case _:
            return f"CAST(CAST({value} AS HUGEINT) * {field.unit} AS BIGINT)"


def _from_fraction(field: Field, value: str) -> str | None:
    match field.kind:
        case FieldKind.SHARE | FieldKind.AMOUNT | FieldKind.TIME:
            return f"CAST({value} * {field.unit} AS BIGINT)"
        case FieldKind.FLAG:
            return _flag_of_number(value)
        case FieldKind.COUNT | FieldKind.ATTEMPT:
            # pandas converts integer columns with missing values to floats.
            return (
                f"CASE WHEN {value} IS NULL OR {value} = trunc({value}) THEN CAST({value} AS BIGINT) "
                f"ELSE {_failure(value, 'BIGINT')} END"
            )
        case _:
            return None


def _flag_of_number(value: str) -> str:
    return (
        f"CASE WHEN {value} IS NULL THEN NULL WHEN {value} = 1 THEN true WHEN {value} = 0 THEN false "
        f"ELSE {_failure(value, 'BOOLEAN')} END"
    )


def _failure(value: str, sql_type: str) -> str:
    # error() would be clearer, but TRY, which locates the bad row later, does not support it.
    return f"CAST('?' || {value} AS {sql_type})"


def _text_name(text: str, _: Field) -> str:
    return text


def _text_member(text: str, field: Field) -> str:
    members: type[StrEnum] = Integrity if field.kind is FieldKind.INTEGRITY else Classification
    kinds = ", ".join(f"'{kind}'" for kind in members)
    is_known = f"{text} IS NULL OR lower({text}) IN ({kinds})"
    return f"CASE WHEN {is_known} THEN lower({text}) ELSE CAST({_failure(text, 'BOOLEAN')} AS VARCHAR) END"


def _text_flag(text: str, _: Field) -> str:
    return (
        f"CASE WHEN {text} IS NULL THEN NULL WHEN lower({text}) IN {TRUE_WORDS} THEN true "
        f"WHEN lower({text}) IN {FALSE_WORDS} THEN false ELSE {_failure(text, 'BOOLEAN')} END"
    )


def _text_time(text: str, field: Field) -> str:
    # What cannot be read is an unknown time: such a column may well mean something else.
    seconds = f"CAST(TRY_CAST({text} AS DECIMAL(38, 6)) * {field.unit} AS BIGINT)"
    return f"coalesce({seconds}, epoch_us(TRY_CAST({text} AS TIMESTAMP)))"


def _text_count(text: str, _: Field) -> str:
    return (
        f"CASE WHEN {text} IS NULL OR regexp_full_match({text}, '[0-9]{{1,18}}([.]0*)?') "
        f"THEN CAST({text} AS BIGINT) ELSE {_failure(text, 'BIGINT')} END"
    )


def _text_number(text: str, field: Field) -> str:
    # As a decimal, never as a float: '0.1' is one tenth, and NaN and infinity are no decimals.
    digits = len(str(field.unit)) - 1
    # The engine would read 1_000 as a thousand; no other tool does.
    plain = f"replace({text}, '_', '?')"
    if field.unit == NANO_USD:
        plain = f"regexp_replace({plain}, '^[$] ?', '')"
    narrow, wide = f"DECIMAL(18, {digits})", f"DECIMAL(38, {digits})"
    return f"CAST(CAST(CAST({plain} AS {narrow}) AS {wide}) * {field.unit} AS BIGINT)"


_FROM_TEXT: Mapping[FieldKind, Callable[[str, Field], str]] = {
    FieldKind.NAME: _text_name,
    FieldKind.ATTEMPT: _text_name,
    FieldKind.CLASSIFICATION: _text_member,
    FieldKind.INTEGRITY: _text_member,
    FieldKind.FLAG: _text_flag,
    FieldKind.COUNT: _text_count,
    FieldKind.SHARE: _text_number,
    FieldKind.AMOUNT: _text_number,
    FieldKind.TIME: _text_time,
}
