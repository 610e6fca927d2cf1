from dataclasses import replace

from steelyard.analysis.curves import pass_at_k_curves
from steelyard.model.estimate import Estimate
from steelyard.model.report import AtK, AtKAndTau, Report, SubjectAtK
from steelyard.render.csv import CsvRenderer
from steelyard.render.document.also_at_k import G_PASS_IN_WORDS, MAX_IN_WORDS, also_at_k_section
from steelyard.render.html.renderer import HtmlRenderer
from steelyard.render.json import JsonRenderer
from steelyard.render.numbers import UNDEFINED
from steelyard.render.text import TextRenderer
from tests.analysis.reports import TOO_FEW, interval, report, subject
from tests.render.document.reading import columns, said

HALF = Estimate.of(0.5, interval(0.1, 0.9))


def asked(*models: str) -> Report:
    found = (
        SubjectAtK(
            model=model,
            tier="T0",
            g_pass_at_k=(AtKAndTau(k=5, tau=0.5, estimate=HALF), AtKAndTau(k=5, tau=0.75, estimate=TOO_FEW)),
            mg_pass_at_k=(AtK(k=5, estimate=TOO_FEW),),
            max_at_k=(AtK(k=5, estimate=HALF),),
        )
        for model in models
    )
    return replace(report(*map(subject, models)), also_at_k=tuple(found))


def test_each_figure_has_its_value_and_interval_among_the_details() -> None:
    section = also_at_k_section(asked("a"))

    assert section.is_detail
    assert columns(section) == {
        "figure": ["G-Pass@5_0.5", "G-Pass@5_0.75", "mG-Pass@5", "max@5"],
        "value": ["0.5000", UNDEFINED, UNDEFINED, "0.5000"],
        "value, 95 % new cases": ["0.10–0.90", UNDEFINED, UNDEFINED, "0.10–0.90"],  # noqa: RUF001  # as shown
    }
    assert said(section) == [
        "G-Pass@5_0.75 and mG-Pass@5: not defined, 3 of 10 cases have fewer than 10 samples",
        G_PASS_IN_WORDS,
        MAX_IN_WORDS,
    ]


def test_several_subjects_are_told_apart() -> None:
    assert columns(also_at_k_section(asked("a", "b")))["model"] == ["a"] * 4 + ["b"] * 4


def test_nothing_was_asked_for_and_there_is_no_section() -> None:
    assert also_at_k_section(report(subject())).is_empty


def test_pages_and_detailed_text_show_the_figures_and_the_first_screen_does_not() -> None:
    whole = asked("a")

    assert "mG-Pass@5" in HtmlRenderer(curves=pass_at_k_curves).render(whole)
    assert "mG-Pass@5" in TextRenderer(details=True).render(whole)
    assert "mG-Pass@5" not in TextRenderer(details=False).render(whole)


def test_the_figures_are_the_last_columns_of_a_table() -> None:
    header, first, _ = CsvRenderer().render(asked("a", "b")).splitlines()

    assert header.endswith(",samples_unknown,G-Pass@5_0.5,G-Pass@5_0.75,mG-Pass@5,max@5")
    assert first.endswith(",0.5,,,0.5")


def test_json_names_them_only_if_asked_for() -> None:
    assert '"also_at_k"' in JsonRenderer().render(asked("a"))
    assert '"also_at_k"' not in JsonRenderer().render(report(subject()))
