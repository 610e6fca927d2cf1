"""Every output shows the same sentence about the same two runs."""

from dataclasses import replace

import pytest

from steelyard.analysis.compare import compare_reports
from steelyard.analysis.gate import gate_reports
from steelyard.model.report import Report
from steelyard.model.verdict import Verdict
from steelyard.render.junit import JunitRenderer
from steelyard.render.markdown.renderer import MarkdownRenderer, comment
from steelyard.render.text import TextRenderer
from tests.analysis.runs import run

STEADY = [(5, 5)] * 60 + [(5, 0)] * 10
PAIRS = {
    "no change": (run(STEADY), run(STEADY)),
    "all worse": (run(STEADY), run([(5, 2)] * 60 + [(5, 0)] * 10)),
    "one broken": (run(STEADY), run([(5, 0), *STEADY[1:]])),
    "better": (run([(5, 2)] * 60), run([(5, 5)] * 60)),
    "few samples": (run([(1, 1)] * 5), run([(1, 1)] * 5)),
    "flips both ways": (run(STEADY), run([(5, 0)] * 10 + [(5, 5)] * 60)),
    "errors": (run(STEADY), run(STEADY, errors=200)),
    "cases missing": (run(STEADY), run(STEADY[:50])),
}


@pytest.mark.parametrize("name", PAIRS)
def test_gate_compare_comment_and_junit_show_one_sentence(name: str) -> None:
    before, after = PAIRS[name]
    gate, comparison = gate_reports(before, after), compare_reports(before, after)

    sentence = TextRenderer(details=False).render(comparison).splitlines()[0]
    verdict = TextRenderer().render(gate).splitlines()[0]
    pull_request = comment(gate, comparison).replace("`", "")

    assert verdict == f"{gate.verdict.upper()}: {sentence}"
    assert pull_request.count(sentence) == 2
    assert sentence in MarkdownRenderer().render(comparison).replace("`", "")
    assert sentence.removesuffix(".") in JunitRenderer().render(gate) or gate.verdict is Verdict.PASS


@pytest.mark.parametrize("name", PAIRS)
def test_a_plain_verdict_has_at_most_twelve_lines(name: str) -> None:
    gate = gate_reports(*PAIRS[name])

    assert len(TextRenderer().render(gate).splitlines()) <= 12


def test_infrastructure_errors_never_read_as_better() -> None:
    """Every failure of the current run has become an error."""
    before = run([(5, 3)] * 60)
    after = _failures_as_errors(before)

    text = TextRenderer(details=False).render(compare_reports(before, after))

    assert "it became better" not in text
    assert "40 % of the samples are infrastructure errors" in text


def _failures_as_errors(report: Report) -> Report:
    return replace(
        report,
        cases=tuple(
            replace(
                case,
                n=case.c,
                errored=case.n - case.c,
                score_n=case.c,
                score_sum_micro=case.c * 1_000_000,
                score_sq_micro=case.c * 10**12,
            )
            for case in report.cases
        ),
    )
