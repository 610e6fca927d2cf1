from perf.sandboxes import MARKED, PAGE, SANDBOXES, table, with_figures
from steelyard.plugins import SANDBOXES as SHIPPED

NOT_FOR_ALL = {"process", "warm-python"}  # isolates nothing; runs Python only


def test_the_page_shows_what_was_measured_last() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert MARKED.search(text)
    assert with_figures(text) == text, "python -m perf.sandboxes --keep writes the page again"


def test_every_sandbox_that_answers_can_run_in_is_measured() -> None:
    assert set(SANDBOXES) == set(SHIPPED) - NOT_FOR_ALL


def test_costs_are_told_as_ratios_to_the_first_sandbox() -> None:
    rows = table({"a start": {"bubblewrap": 10.0, "oci": 40.0, "gvisor": 505.0}}).splitlines()

    assert rows[0] == "|  | bubblewrap, ms | oci, times as much | gvisor, times as much |"
    assert rows[2] == "| a start | 10 | 4.0 | 50.5 |"
