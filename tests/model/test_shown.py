"""What a prompt shows of a record that has pages of fields."""

from tests.analysis.reports import case, report, subject


def test_the_repr_of_a_report_is_short() -> None:
    many = report(subject(), cases=[case(f"c{number}") for number in range(500)])

    assert len(repr(many).splitlines()) <= 10
    assert len(repr(many)) < 1000
