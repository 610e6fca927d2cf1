"""Deciding which column holds which field."""

import pytest

from steelyard.errors import InputError, UnknownName
from steelyard.store.fields import FIELDS, FIELDS_BY_NAME
from steelyard.store.mapping import found_fields, list_names


def found(columns: dict[str, str], chosen: dict[str, str] | None = None) -> dict[str, str]:
    """Return which column was found for which field."""
    fields = found_fields(columns, chosen or {}, where="x.csv")
    return {field.field.name: field.column + (f"→{field.path}" if field.path else "") for field in fields}


def test_our_names_are_found_in_any_case() -> None:
    assert found({"Model": "VARCHAR", "CASE": "VARCHAR"}) == {"model": "Model", "case": "CASE"}


def test_every_alias_is_found() -> None:
    for field in FIELDS:
        for alias in field.aliases:
            assert found({alias: "VARCHAR"}) == {field.name: alias}


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (("id", "ok"), {"case": "id", "passed": "ok"}),
        (("id", "task", "sample"), {"case": "task", "attempt": "sample"}),
        (("id", "task_id", "ok", "passed"), {"case": "task_id", "passed": "passed"}),
    ],
)
def test_names_that_often_mean_something_else_count_only_where_no_other_does(
    columns: tuple[str, ...], expected: dict[str, str]
) -> None:
    assert found(dict.fromkeys(columns, "VARCHAR")) == expected


def test_no_name_belongs_to_two_fields() -> None:
    names = [name for field in FIELDS for name in (field.name, *field.aliases, *field.fallbacks)]

    assert len(names) == len(set(names))


def test_our_own_name_wins_over_an_alias() -> None:
    assert found({"oid": "VARCHAR", "case": "VARCHAR"}) == {"case": "case"}


def test_what_the_user_says_wins_over_everything() -> None:
    assert found({"case": "VARCHAR", "mine": "VARCHAR"}, {"case": "mine"}) == {"case": "mine"}


def test_a_chosen_column_settles_a_rivalry_of_units() -> None:
    columns = {"score": "VARCHAR", "score_micro": "VARCHAR"}

    assert found(columns, {"score": "score"}) == {"score": "score"}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (("oid", "task_id"), r"'oid'.*'task_id'.*`map=case=task_id`"),
        (("latency_s", "duration_ms"), r"'latency_s'.*'duration_ms'"),
        (("cost", "cost_nano_usd"), "cost_nano_usd"),
    ],
)
def test_two_columns_for_one_thing_are_refused(columns: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        found(dict.fromkeys(columns, "VARCHAR"))


def test_with_only_some_fields_wanted_no_others_are_looked_for() -> None:
    columns = {"oid": "VARCHAR", "cost": "VARCHAR", "estimated_cost_usd": "VARCHAR"}

    (field,) = found_fields(columns, {}, where="x.csv", only=frozenset({"case", "suite"}))

    assert (field.field.name, field.column) == ("case", "oid")


def test_a_path_leads_into_a_json_object() -> None:
    columns = {"Task": "JSON", "plain": "VARCHAR"}

    assert found(columns, {"case": "task.id.name"}) == {"case": "Task→id.name"}


@pytest.mark.parametrize("column", ["gone", "plain.id", "gone.id"])
def test_a_column_that_is_not_there_is_refused_with_those_that_are(column: str) -> None:
    with pytest.raises(InputError, match=r"x\.csv.*column.*'plain'"):
        found({"plain": "VARCHAR"}, {"case": column})


def test_a_misspelt_field_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"'sute'.*'suite'"):
        found({}, {"sute": "x"})


def test_a_field_like_no_other_is_answered_with_all_of_them() -> None:
    with pytest.raises(UnknownName, match="the fields are") as refusal:
        found({}, {"zzz": "x"})

    assert all(field in str(refusal.value) for field in FIELDS_BY_NAME)


def test_columns_are_listed_as_far_as_a_line_goes() -> None:
    assert list_names([]) == "none"
    assert list_names(["a", "b"]) == "'a', 'b'"
    assert list_names(["x" * 1000]) == f"'{'x' * 40}…'"
    assert list_names([f"column {place}" for place in range(500)]).endswith(" and 490 more")
