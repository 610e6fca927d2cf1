"""The page that a run ends with is the one that `report` makes of it, answers included."""

import steelyard
from steelyard.app.formats import renderer
from steelyard.model.report import Report
from tests.e2e.lab import RUN, Lab, small_set


def test_the_page_of_a_run_shows_the_answers(lab: Lab) -> None:
    small_set(lab.folder, ["left", "right"], samples=2)

    shown = lab.run("--eval-set", "small.toml", "-o", "page.html")
    lab.typed("report", RUN, "-o", "again.html")

    assert shown.code == 0, shown.err
    page = (lab.folder / "page.html").read_text(encoding="utf-8")
    assert page == (lab.folder / "again.html").read_text(encoding="utf-8")
    run = steelyard.open_run(RUN)
    assert page != renderer("html", Report).render(run.report())
    assert page == renderer("html", Report).render(run.report(), samples=run.samples())
