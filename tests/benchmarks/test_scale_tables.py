from perf.scale_tables import PAGE, TABLES, with_figures


def test_the_page_on_scale_shows_what_was_measured() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert all(f"<!-- figures of {name} -->" in text for name in TABLES)
    assert with_figures(text) == text, "python -m perf.scale_tables writes the page again"
