"""What each column may hold, and what becomes of it."""

from decimal import Decimal

import duckdb
import pytest

from steelyard.store.fields import FIELDS, FIELDS_BY_NAME, INTEGER_TYPES, FieldKind, convert

TEXT = "VARCHAR"


def read(name: str, value: object, sql_type: str = TEXT) -> object:
    """Return what a value of a column becomes."""
    sql = convert(FIELDS_BY_NAME[name], f"CAST($1 AS {sql_type})", sql_type)
    assert sql is not None
    row = duckdb.execute(f"SELECT {sql}", [value]).fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize("text", ["true", "T", " Yes ", "y", "1", "1.0", "TRUE"])
def test_a_flag_is_true_in_many_spellings(text: str) -> None:
    assert read("passed", text) is True


@pytest.mark.parametrize("text", ["false", "F", "no", "N", "0", "0.0"])
def test_a_flag_is_false_in_many_spellings(text: str) -> None:
    assert read("passed", text) is False


@pytest.mark.parametrize("name", [field.name for field in FIELDS if field.kind is not FieldKind.NAME])
@pytest.mark.parametrize("text", ["", "  ", None])
def test_an_empty_cell_is_unknown_whatever_the_field(name: str, text: str | None) -> None:
    assert read(name, text) is None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("score", "0.1", 100_000),
        ("score", "1", 1_000_000),
        ("score", "0.0000004", 0),
        ("impl_rate", "0.3333335", 333_334),
        ("cost_usd", "0.000000001", 1),
        ("cost_usd", "999999999.999999999", 999_999_999_999_999_999),
        ("cost_usd", "1e-3", 1_000_000),
        ("latency_s", "1.5", 1_500_000),
        ("latency_ms", "1.5", 1500),
        ("latency_us", "7", 7),
        ("tokens_in", "12", 12),
        ("tokens_in", "12.0", 12),
        ("tokens_in", "999999999999999999", 999_999_999_999_999_999),
        ("classification", " Wrong_Format ", "wrong_format"),
        ("attempt", " first ", "first"),
    ],
)
def test_text_becomes_exact_integers_of_our_units(name: str, text: str, expected: object) -> None:
    assert read(name, text) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(
            (name, text)
            for name in ("score", "cost_usd", "latency_s")
            for text in ("x", "NaN", "inf", "1_0", "0x1")
        ),
        *(("tokens_in", text) for text in ("-1", "+1", "1.5", "1e3", "1_000", "0x10", "１", "9" * 19)),  # noqa: RUF001  # a full-width digit
        *(("passed", text) for text in ("2", "-1", "maybe", "1.00")),
        *(("classification", text) for text in ("passed", "1", "pass fail")),
        ("cost_usd", "1e10"),
    ],
)
def test_what_is_none_fails_instead_of_becoming_something(name: str, text: str) -> None:
    with pytest.raises((duckdb.ConversionException, duckdb.InvalidInputException)):
        read(name, text)


@pytest.mark.parametrize(
    ("name", "sql_type", "value", "expected"),
    [
        ("passed", "BOOLEAN", True, True),
        ("passed", "INTEGER", 0, False),
        ("passed", "DOUBLE", 1.0, True),
        ("case", "BIGINT", 7, "7"),
        ("case", "UUID", "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000001"),
        ("case", "ENUM('a', 'b')", "a", "a"),
        ("classification", "ENUM('Pass')", "Pass", "pass"),
        ("attempt", "SMALLINT", 3, 3),
        ("attempt", "DOUBLE", 3.0, 3),
        ("tokens_in", "UBIGINT", 5, 5),
        ("tokens_in", "HUGEINT", 5, 5),
        ("tokens_in", "DOUBLE", 5.0, 5),
        ("score", "INTEGER", 1, 1_000_000),
        ("score", "DOUBLE", 0.1, 100_000),
        ("score", "DECIMAL(4, 3)", Decimal("0.125"), 125_000),
        ("cost_usd", "FLOAT", 0.5, 500_000_000),
        ("tokens_in", "DOUBLE", None, None),
        ("passed", "INTEGER", None, None),
    ],
)
def test_typed_columns_are_read_by_their_type(
    name: str, sql_type: str, value: object, expected: object
) -> None:
    assert read(name, value, sql_type) == expected


@pytest.mark.parametrize(
    ("name", "sql_type", "value"),
    [
        ("tokens_in", "DOUBLE", 1.5),
        ("passed", "INTEGER", 2),
        ("score", "DOUBLE", "nan"),
        ("attempt", "DOUBLE", 0.5),
    ],
)
def test_a_typed_value_out_of_range_fails(name: str, sql_type: str, value: object) -> None:
    with pytest.raises((duckdb.ConversionException, duckdb.InvalidInputException)):
        read(name, value, sql_type)


@pytest.mark.parametrize(
    ("name", "sql_type"),
    [
        ("tokens_in", "BOOLEAN"),
        ("case", "BOOLEAN"),
        ("case", "DOUBLE"),
        ("classification", "INTEGER"),
        ("classification", "DECIMAL(4, 1)"),
        ("score", "TIMESTAMP"),
        ("score", "DATE"),
        ("score", "INTEGER[]"),
        ("passed", "STRUCT(a INTEGER)"),
        ("case", "BLOB"),
    ],
)
def test_a_type_that_cannot_be_the_field_is_none(name: str, sql_type: str) -> None:
    assert convert(FIELDS_BY_NAME[name], "value", sql_type) is None


@pytest.mark.parametrize("sql_type", ["NULL", '"NULL"'])
def test_a_column_that_is_empty_everywhere_is_unknown(sql_type: str) -> None:
    assert convert(FIELDS_BY_NAME["score"], "value", sql_type) == "NULL"


def test_all_whole_number_types_are_known() -> None:
    assert len(INTEGER_TYPES) == 10
