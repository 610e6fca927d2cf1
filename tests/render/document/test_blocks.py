from steelyard.render.document.blocks import Column, Section, line, listed, page_of


def test_a_section_gives_its_columns_row_by_row() -> None:
    section = Section(columns=(Column(title="a", cells=("1", "2")), Column(title="b", cells=("3", "4"))))

    assert section.rows == [("1", "3"), ("2", "4")]


def test_a_page_leaves_out_sections_that_say_nothing() -> None:
    page = page_of(Section(title="nothing below"), Section(lines=(line("something"),)))

    assert [section.title for section in page.sections] == [""]


def test_an_enumeration_ends_in_and() -> None:
    assert "".join(map(str, listed([["a"], ["b"], ["c"]], limit=3))) == "a, b and c"


def test_a_long_enumeration_ends_in_a_count() -> None:
    assert "".join(map(str, listed([["a"]] * 2_000, limit=1))) == "a and 1,999 more"


def test_an_enumeration_of_one_or_none_has_no_and() -> None:
    assert listed([["a"]], limit=3) == ("a",)
    assert listed([], limit=3) == ()
