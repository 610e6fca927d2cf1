"""The rounds of a sequence, kept apart."""

from dataclasses import replace

from steelyard.analysis.rounds import open_part, samples_digest
from steelyard.model.verdict import Ground
from tests.analysis.comparisons import pair
from tests.analysis.gates import judged
from tests.analysis.runs import report_of, run

COUNTS = [(1, 1), (1, 0), (1, 1)]


def test_the_digest_is_that_of_the_samples_and_not_of_the_report() -> None:
    report = run(COUNTS)
    told_otherwise = replace(report, generator="another", warnings=("new",), cases=report.cases[::-1])

    assert samples_digest(told_otherwise) == samples_digest(report)


def test_other_results_other_times_and_other_models_have_other_digests() -> None:
    others = [
        run([(1, 0), (1, 1), (1, 1)]),
        run(COUNTS, night=1),
        run(COUNTS, night=2),
        run(COUNTS, model="n"),
    ]

    assert len({samples_digest(report) for report in [run(COUNTS), *others]}) == 5


def test_subjects_that_have_ended_are_left_out_of_both_reports() -> None:
    report = report_of({("a", "T0"): COUNTS, ("b", "T0"): COUNTS})
    ended = judged(Ground.OVERALL_DROP, of=pair("a", "a"))

    for side in open_part(report, report, [ended]):
        assert [subject.model for subject in side.subjects] == ["b"]
        assert {case.model for case in side.cases} == {"b"}
