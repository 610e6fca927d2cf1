from steelyard.render.document.report import report_document
from tests.analysis.reports import report, tiered_report


def test_a_full_report_has_every_section_in_reading_order() -> None:
    titles = [section.title for section in report_document(tiered_report()).shown_in("text")]

    assert titles == [
        "",  # the answer
        "",  # the subjects
        "Builds, costs and times",
        "",  # coverage
        "",  # flakiness
        "",  # warnings
        "How samples failed",
        "Tiers",
        "Variance across tiers",
        "Suites",
        "Accuracy over all suites",
        "Every k with its intervals",
        "Spread over the samples",
        "Cases (8)",
        "",  # the settings
    ]


def test_an_empty_report_has_an_answer_and_its_settings() -> None:
    assert len(report_document(report()).shown_in("text")) == 2
