"""Map input columns to fields, by name or by the user's options.

Pure choice over column names; no file is opened here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from textwrap import fill

from steelyard.errors import InputError, UnknownName
from steelyard.model.nearest_name import did_you_mean
from steelyard.store.fields import FIELDS, FIELDS_BY_NAME, PASSED_N, SAMPLES_N, Field

COUNTS = frozenset({SAMPLES_N, PASSED_N})
KEYS = frozenset({"model", "tier", "suite", "case_id", "digest", "cluster"})
VERDICTS = frozenset({"passed", "kind"})
# Columns of per-sample rows only: their other numbers may count tests.
OF_ONE_SAMPLE = VERDICTS | {"attempt", "score_micro", "built", "tests_passed", "tests_failed"}
NESTED = ("JSON", "STRUCT", "MAP")  # the types into which a path may lead
LINE = 120  # characters for the names of columns in a message
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundField:
    """A field and the column it is read from; `path` leads into a JSON object inside the column."""

    field: Field
    column: str
    path: str = ""


def found_fields(
    columns: Mapping[str, str],
    chosen: Mapping[str, str],
    *,
    where: str,
    only: frozenset[str] = frozenset(),
) -> tuple[FoundField, ...]:
    """Match columns (name → type) with fields: the user's choice, our names, aliases, then fallbacks.

    With `only`, no other fields are looked for.
    """
    for name in chosen:
        _known_field(name)
    result: dict[str, FoundField] = {}
    for name, column in chosen.items():
        result[FIELDS_BY_NAME[name].column] = _chosen_field(name, column, columns, where)
    for field in (field for field in FIELDS if not only or field.name in only):
        rival = result.get(field.column)
        if rival is not None and rival.field.name in chosen:
            continue
        match = _match(field, columns, where)
        if match is not None and rival is not None:
            raise _ambiguous(field, [rival.column, match.column], where)
        if match is not None:
            result[field.column] = match
    return _with_settled_counts(result, chosen, where)


def _with_settled_counts(
    result: Mapping[str, FoundField], chosen: Mapping[str, str], where: str
) -> tuple[FoundField, ...]:
    """Whether rows are counts: they have both columns and, unless the user chose `c`, no per-sample one."""
    has_counts = result.keys() >= COUNTS
    if not has_counts and {"n", "c"} & chosen.keys():
        raise InputError(
            f"{where}: `map=n=COLUMN` (samples) and `map=c=COLUMN` (those that passed) belong together"
        )
    # Columns called n and c are counts; others with such a name are, unless a row is about one sample.
    is_plain = has_counts and {result[name].column.lower() for name in COUNTS} == {"n", "c"}
    against = VERDICTS if is_plain else OF_ONE_SAMPLE
    if has_counts and ("c" in chosen or not against & result.keys()):
        return tuple(item for column, item in result.items() if column in COUNTS | KEYS)
    return tuple(item for column, item in result.items() if column not in COUNTS)


def find_column(name: str, columns: Mapping[str, str]) -> FoundField | None:
    """Find the column of a field by the field's own names."""
    field = FIELDS_BY_NAME[name]
    names = (field.name, *field.aliases, *field.fallbacks)
    return next((match for spelling in names if (match := _find_field(field, spelling, columns))), None)


def without_ignored(columns: Mapping[str, str], ignored: Iterable[str], *, where: str) -> dict[str, str]:
    """Drop the ignored columns; raise InputError for an unknown one."""
    by_lower_name = {column.lower(): column for column in columns}
    for name in ignored:
        if name.lower() not in by_lower_name:
            raise InputError(
                f"{where}: no column {name!r} for `ignore={name}`; the columns are {list_names(columns)}"
            )
    left_out = {name.lower() for name in ignored}
    return {name: sql_type for name, sql_type in columns.items() if name.lower() not in left_out}


def wide_field(name: str, columns: Mapping[str, str], *, where: str) -> FoundField:
    """Return the column that holds the outcomes of one model."""
    match = _find_field(FIELDS_BY_NAME["passed"], name, columns)
    if match is None:
        raise InputError(
            f"{where}: no column {name!r} for `wide={name}`; the columns are {list_names(columns)}"
        )
    return match


def _known_field(name: str) -> None:
    if name not in FIELDS_BY_NAME:
        hint = did_you_mean(name, sorted(FIELDS_BY_NAME), otherwise="the fields are")
        message = f"`map={name}=…`: there is no field {name!r}; {hint}"
        raise UnknownName(fill(message, width=100, subsequent_indent="  ", break_long_words=False))


def _chosen_field(name: str, column: str, columns: Mapping[str, str], where: str) -> FoundField:
    match = _find_field(FIELDS_BY_NAME[name], column, columns)
    if match is None:
        raise InputError(
            f"{where}: no column {column!r} for `map={name}={column}`; the columns are {list_names(columns)}"
        )
    return match


def _match(field: Field, columns: Mapping[str, str], where: str) -> FoundField | None:
    own = _find_field(field, field.name, columns)
    if own is not None:
        return own
    matches = [match for alias in field.aliases if (match := _find_field(field, alias, columns)) is not None]
    if len(matches) > 1:
        raise _ambiguous(field, [match.column for match in matches], where)
    if not matches:
        last = (_find_field(field, name, columns) for name in field.fallbacks)
        return next((match for match in last if match is not None), None)
    return matches[0]


def _ambiguous(field: Field, columns: list[str], where: str) -> InputError:
    names = " and ".join(repr(column) for column in columns)
    return InputError(
        f"{where}: columns {names} both look like the {field.name}; "
        f"name the right one: `map={field.name}={columns[-1]}`"
    )


def _find_field(field: Field, name: str, columns: Mapping[str, str]) -> FoundField | None:
    by_lower_name = {column.lower(): column for column in columns}
    if name.lower() in by_lower_name:
        return FoundField(field=field, column=by_lower_name[name.lower()])
    head, dot, path = name.partition(".")
    if dot and columns.get(by_lower_name.get(head.lower(), ""), "").startswith(NESTED):
        return FoundField(field=field, column=by_lower_name[head.lower()], path=path)
    return None


def list_names(columns: Iterable[str]) -> str:
    """List columns for a message: those that fit a line, and the number of others."""
    names = [repr(name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…") for name in columns]
    ends = accumulate(len(name) + len(", ") for name in names)
    fitting = max(1, sum(end <= LINE for end in ends))
    more = f" and {len(names) - fitting} more" if len(names) > fitting else ""
    return (", ".join(names[:fitting]) or "none") + more
