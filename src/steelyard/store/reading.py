"""Build one SQL view over input files of all formats, with our column names and integer units."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path

import duckdb

from steelyard.errors import InputError
from steelyard.model.options import ColumnMapping
from steelyard.store.database import identifier, sql_text
from steelyard.store.fields import ENDED, PASSED_N, SAMPLES_N, STARTED, attempt_number, convert
from steelyard.store.files import COMPRESSED, FileFormat, InputFile, models_of_files
from steelyard.store.headers import MOST_COLUMNS, NO_HEADER, Header, header
from steelyard.store.mapping import COUNTS, FoundField, found_fields, wide_field, without_ignored
from steelyard.unpacking import LONGEST_ROW, MIB, open_gzip, require_short_rows

FILE_COLUMN = "__steelyard_file"
SAMPLE_COLUMN = "__steelyard_sample"  # the number of a sample among those that a row counts
WIDE_KEYS = frozenset({"tier", "suite", "case_id", "digest", "attempt", "cluster"})
TIMES = frozenset({STARTED, ENDED})
LONGEST_LINE = 16_777_216  # bytes; DuckDB reserves twice as much for JSON and 16 times for CSV
LARGEST_LIST = 16 * MIB  # of a packed JSON list, which DuckDB unpacks as a whole
LONGEST_TYPE = 40  # characters of a column's type that a message shows
TEXT_FORMATS = (FileFormat.CSV, FileFormat.TSV)
JSON_FORMATS = (FileFormat.JSONL, FileFormat.JSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Files of one format, which are read as one table."""

    files: tuple[InputFile, ...]
    scan: str
    fields: tuple[FoundField, ...]
    types: Mapping[str, str]
    model: str | None = None  # whose outcomes these are, where a column of the file holds one model's

    @property
    def where(self) -> str:
        """Name the table in a message."""
        more = len(self.files) - 1
        return f"{self.files[0].path}" + (f" and {more} more" if more else "")

    @property
    def columns(self) -> frozenset[str]:
        """The columns of ours that these files fill."""
        columns = frozenset(field.field.column for field in self.fields)
        if self.holds_counts:
            columns = columns - COUNTS | {"passed"}
        if columns >= TIMES:
            columns |= {"latency_us"}
        columns -= TIMES
        return columns if self.model is None else columns | {"model"}

    @property
    def holds_counts(self) -> bool:
        """Whether a row is about several samples."""
        return {field.field.column for field in self.fields} >= COUNTS

    def raw(self, match: FoundField) -> str:
        """Return SQL for the value as the file has it."""
        column = identifier(match.column)
        sql_type = self.types[match.column]
        if match.path:
            nested = column if sql_type == "JSON" else f"to_json({column})"
            return f"{nested}->>{sql_text(_json_path(match.path))}"
        if sql_type != "JSON":
            return column
        if match.field.inner:
            return f"coalesce({column}->>{sql_text('$.' + match.field.inner)}, {column}->>'$')"
        return f"{column}->>'$'"

    def value(self, match: FoundField) -> str:
        """Return SQL for the value in our units; fails on invalid values."""
        sql_type = self.types[match.column]
        is_text = sql_type == "JSON" or bool(match.path)
        sql = convert(match.field, self.raw(match), "VARCHAR" if is_text else sql_type)
        if sql is None:
            # The type of a struct lists all its members.
            shown = (
                sql_type.lower() if len(sql_type) <= LONGEST_TYPE else f"{sql_type[:LONGEST_TYPE].lower()}…"
            )
            raise InputError(
                f"{self.where}: column {match.column!r} holds {shown} values; expected {match.field.kind}"
            )
        return sql


def _json_path(path: str) -> str:
    """Return the path of DuckDB for names with dots between them; a whole number is a place in a list.

    >>> _json_path("verify.0.acc,none")
    '$."verify"[0]."acc,none"'
    """
    steps = (
        f"[{step}]" if step.isdigit() else '."' + step.replace('"', '\\"') + '"' for step in path.split(".")
    )
    return "$" + "".join(steps)


def tables(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[InputFile],
    naming: ColumnMapping,
    *,
    only: frozenset[str] = frozenset(),
) -> tuple[Table, ...]:
    """Detect the fields of the files' columns.

    With `only`, detect no other fields; columns that the user chose may be absent.
    """
    for file in files:
        _require_bounded(file)
    groups: dict[tuple[FileFormat, Header], list[InputFile]] = {}
    for file in files:
        groups.setdefault((file.format, _text_columns(file, naming)), []).append(file)
    result = (_table(connection, group, head, naming, only=only) for (_, head), group in groups.items())
    return tuple(part for table in result for part in ([table] if only else _by_model(table, naming)))


def _require_bounded(file: InputFile) -> None:
    """Refuse a packed file whose few KB would unpack into buffers of hundreds of MB."""
    if not _is_packed(file):
        return
    is_list = file.format is FileFormat.JSON
    largest = LARGEST_LIST if is_list else sys.maxsize
    with file.path.open("rb") as packed, open_gzip(packed, file.path, largest=largest) as table:
        if is_list:
            while table.read(MIB):
                pass
        else:
            require_short_rows(table, file.path, quoted=file.format in TEXT_FORMATS)


def is_packed_json(file: InputFile) -> bool:
    """Whether a file holds JSON packed with gzip."""
    return _is_packed(file) and file.format in JSON_FORMATS


def _is_packed(file: InputFile) -> bool:
    return file.path.suffix.lower() == COMPRESSED


def _by_model(table: Table, naming: ColumnMapping) -> list[Table]:
    """Split a wide table into one table per model column."""
    if not naming.wide:
        return [table]
    if twice := [name for name in naming.wide if naming.wide.count(name) > 1]:
        raise InputError(f"`wide`: {twice[0]!r} is named twice")
    shared = tuple(field for field in table.fields if field.field.column in WIDE_KEYS)
    return [
        replace(table, fields=(*shared, wide_field(name, table.types, where=table.where)), model=name)
        for name in naming.wide
    ]


def _text_columns(file: InputFile, naming: ColumnMapping) -> Header:
    """Return the header of a delimited file; other formats carry column names."""
    return header(file.path, delimiter=naming.delimiter) if file.format in TEXT_FORMATS else NO_HEADER


def _table(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[InputFile],
    head: Header,
    naming: ColumnMapping,
    *,
    only: frozenset[str],
) -> Table:
    scan = scan_of(files, head)
    if files[0].format in JSON_FORMATS:
        _require_few_keys(connection, files)
    described = connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()
    all_types = {name: sql_type for name, sql_type, *_ in described if name != FILE_COLUMN}
    types = all_types if only else without_ignored(all_types, naming.ignore, where=str(files[0].path))
    if files[0].format is FileFormat.JSONL and list(types) == ["json"]:
        raise InputError(f"{files[0].path}: holds no JSON objects; expected one object on each line")
    if files[0].format is FileFormat.JSON and list(types) == ["json"]:
        raise InputError(f"{files[0].path}: holds no JSON objects; expected a list of them")
    chosen, where = naming.columns, str(files[0].path)
    if only:
        chosen = {name: column for name, column in chosen.items() if name in only and column in types}
    fields = found_fields(types, chosen, where=where, only=only)
    return Table(files=tuple(files), scan=scan, types=types, fields=fields)


def _require_few_keys(connection: duckdb.DuckDBPyConnection, files: Sequence[InputFile]) -> None:
    """Refuse rows with too many different keys: each becomes a column."""
    ((count,),) = connection.execute(
        "SELECT approx_count_distinct(key) FROM (SELECT unnest(json_keys(json)) AS key "
        f"FROM read_json_objects({_json_options(files)}))"
    ).fetchall()
    if count > MOST_COLUMNS:
        raise InputError(
            f"{files[0].path}: the rows have about {count:,} different keys, and at most "
            f"{MOST_COLUMNS:,} are read; put the varying keys into a nested object"
        )


def _json_options(files: Sequence[InputFile]) -> str:
    form = "newline_delimited" if files[0].format is FileFormat.JSONL else "array"
    return f"{_common_options(files)}, format='{form}', maximum_object_size={_longest_row(files)}"


def _longest_row(files: Sequence[InputFile]) -> int:
    return LONGEST_ROW if all(map(_is_packed, files)) else LONGEST_LINE


def _common_options(files: Sequence[InputFile]) -> str:
    # Escaped: DuckDB would expand brackets and stars in file names.
    names = ", ".join(sql_text(escape(str(file.path))) for file in files)
    # DuckDB before 1.5 does not recognise a suffix in capitals.
    packed = files[0].format is not FileFormat.PARQUET and all(map(_is_packed, files))
    return f"[{names}]" + (", compression='gzip'" if packed else "")


def scan_of(files: Sequence[InputFile], head: Header) -> str:
    """Return SQL that reads files of one format and adds the file name."""
    common = f"{_common_options(files)}, filename={sql_text(FILE_COLUMN)}"
    match files[0].format:
        case FileFormat.PARQUET:
            return f"read_parquet({common}, union_by_name=true)"
        case FileFormat.JSONL | FileFormat.JSON:
            # Search the whole file for keys: a key may first occur late.
            return (
                f"read_json({_json_options(files)}, filename={sql_text(FILE_COLUMN)}, union_by_name=true, "
                # Otherwise rows with more than 200 different keys become one map.
                "maximum_depth=1, sample_size=-1, map_inference_threshold=-1)"
            )
        case _:
            types = ", ".join(f"{sql_text(name)}: 'VARCHAR'" for name in head.columns)
            return (
                f"read_csv({common}, auto_detect=false, header=true, columns={{{types}}}, "
                f"delim={sql_text(head.delimiter)}, quote='\"', escape='\"', "
                f"max_line_size={_longest_row(files)})"
            )


def rows_view(result: Sequence[Table], naming: ColumnMapping) -> str:
    """Return the SQL of all rows in our columns and units."""
    unnamed = [file.path for table in result if "model" not in table.columns for file in table.files]
    models = models_of_files(unnamed) if unnamed and naming.model is None else {}
    return " UNION ALL BY NAME ".join(_select(table, naming, models) for table in result)


def _select(table: Table, naming: ColumnMapping, models: Mapping[Path, str]) -> str:
    values = {field.field.column: table.value(field) for field in table.fields}
    types = {field.field.column: table.types[field.column] for field in table.fields}
    if table.model is not None:
        values["model"] = sql_text(table.model)
    elif "model" not in values:
        values["model"] = _model(table, models) if naming.model is None else sql_text(naming.model)
    values.setdefault("tier", sql_text(naming.tier))
    values.setdefault("suite", sql_text(naming.suite))
    if "attempt" in values:
        values["attempt_number"] = attempt_number(values["attempt"], types["attempt"])
    times = [values.pop(column, None) for column in (STARTED, ENDED)]
    if None not in times:
        values.setdefault("latency_us", f"{times[1]} - {times[0]}")
    rows = table.scan
    if table.holds_counts:
        rows = f"(SELECT *, unnest(range({values.pop(SAMPLES_N)})) AS {SAMPLE_COLUMN} FROM {table.scan})"
        values["passed"] = f"{SAMPLE_COLUMN} < {values.pop(PASSED_N)}"
    listed = ", ".join(f"{sql} AS {name}" for name, sql in values.items())
    return f"SELECT {listed}, {FILE_COLUMN} FROM {rows}{_where(table)}"


def _where(table: Table) -> str:
    """Return SQL that skips empty cells of a model column: they are not samples."""
    if table.model is None:
        return ""
    return f" WHERE nullif(trim(CAST({table.raw(table.fields[-1])} AS VARCHAR)), '') IS NOT NULL"


def _model(table: Table, models: Mapping[Path, str]) -> str:
    named = {str(file.path): models[file.path] for file in table.files}
    whens = " ".join(f"WHEN {sql_text(path)} THEN {sql_text(model)}" for path, model in named.items())
    return f"CASE {FILE_COLUMN} {whens} END"
