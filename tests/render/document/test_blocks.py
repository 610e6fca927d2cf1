from steelyard.render.document.blocks import (
    Document,
    Figure,
    FigureKind,
    Section,
    TableColumn,
    line,
    listed,
    pictured,
)


def test_a_section_gives_its_columns_row_by_row() -> None:
    section = Section(
        columns=(TableColumn(title="a", cells=("1", "2")), TableColumn(title="b", cells=("3", "4")))
    )

    assert section.rows == [("1", "3"), ("2", "4")]


def test_a_document_shows_no_section_that_says_nothing() -> None:
    sections = {"empty": Section(title="nothing below"), "full": Section(lines=(line("something"),))}

    assert Document(sections=sections).shown_in("text") == (sections["full"],)


def test_a_section_may_be_for_some_formats_only() -> None:
    sections = {"letters": Section(lines=(line("something"),), only_in=frozenset({"markdown"}))}

    assert Document(sections=sections).shown_in("markdown") == (sections["letters"],)
    assert Document(sections=sections).shown_in("text") == ()


def test_sections_are_picked_by_name_whatever_they_hold() -> None:
    picture = pictured(Section(), FigureKind.LATENCY, "the data")
    document = Document(sections={"a": Section(), "b": picture})

    assert document.pick("b", "a") == (picture, Section())
    assert picture.figure == Figure(kind=FigureKind.LATENCY, data="the data")


def test_an_enumeration_ends_in_and() -> None:
    assert "".join(map(str, listed([["a"], ["b"], ["c"]], limit=3))) == "a, b and c"


def test_a_long_enumeration_ends_in_a_count() -> None:
    assert "".join(map(str, listed([["a"]] * 2_000, limit=1))) == "a and 1,999 more"


def test_an_enumeration_of_one_or_none_has_no_and() -> None:
    assert listed([["a"]], limit=3) == ("a",)
    assert listed([], limit=3) == ()
