from dataclasses import replace

from steelyard.render.document.settings import WARNINGS_SHOWN, settings_section, warnings_section
from tests.analysis.reports import SETTINGS, report, subject
from tests.render.document.reading import said


def test_every_warning_has_a_line() -> None:
    assert said(warnings_section(report(warnings=["first", "second"]))) == [
        "warning: first",
        "warning: second",
    ]


def test_very_many_warnings_are_counted() -> None:
    lines = said(warnings_section(report(warnings=[str(n) for n in range(WARNINGS_SHOWN + 1)])))

    assert lines[-1] == "and 1 more warning; --format json has all of them"


def test_the_settings_name_every_choice() -> None:
    [line] = said(settings_section(report()))

    assert line == (
        "settings: scored by build-test-lint/1 (build = 2/5, tests = 1/2); graded on the scale letters-95; "
        "missing cases count as failures; errored samples are left out; "
        "contradicting duplicates stop the report; medians up to two million samples; intervals at 95 %; "
        "expected cases: a list of cases; made by steelyard 0.0.0"
    )


def test_the_baseline_and_the_weights_are_named_when_they_matter() -> None:
    settings = replace(SETTINGS, suite_weights={"parsing": 2.0, "basics": 0.5})

    [line] = said(settings_section(report(subject("a", "T0"), subject("a", "T1"), settings=settings)))

    assert "; baseline tier T0; suite weights basics = 0.5, parsing = 2; made by" in line


def test_a_rule_that_stopped_the_sampling_is_named() -> None:
    settings = replace(SETTINGS, stop_rule="first-pass")

    [line] = said(settings_section(report(subject(), settings=settings)))

    assert "; sampling of a case stopped by the rule first-pass; made by" in line
