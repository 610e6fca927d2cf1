"""Edges of costs and times: what broke takes no time, and tokens can be priced."""

from pathlib import Path

import pytest

import steelyard
from steelyard.errors import InputError
from steelyard.model.options import Errors, ReportOptions
from steelyard.model.report import SubjectSummary
from steelyard.render.html.renderer import HtmlRenderer
from steelyard.render.text import TextRenderer
from tests.commands import scored, written

BROKEN = (
    "model,case,attempt,classification,cost_usd,latency_s\n"
    "m,a,0,pass,0.5,1\nm,b,0,error,0.7,100\nm,b,1,fail,0.1,3\n"
)
TOKENS = "model,case,attempt,passed,input_tokens,output_tokens\n"
LABEL = "cost of pass: all costs divided by all passes, over all cases together"


def times(subject: SubjectSummary) -> tuple[float | None, float | None, float | None]:
    p95 = subject.latency_p95_s
    return subject.mean_latency_s.value, None if p95 is None else p95.value, subject.spreads.latency_s.max


@pytest.mark.parametrize("errors", Errors)
def test_the_time_that_an_error_took_is_no_latency_and_its_cost_is_spent(
    tmp_path: Path, errors: Errors
) -> None:
    path = written(tmp_path, BROKEN)

    found = steelyard.score_files([path], options=ReportOptions(errors=errors))

    assert times(found.subjects[0]) == (2, 3, 3)
    assert {case.case: case.mean_latency_s for case in found.cases} == {"a": 1, "b": 3}
    assert found.subjects[0].total_cost_usd.value == pytest.approx(1.3)


def test_a_kept_run_has_the_same_times(tmp_path: Path) -> None:
    path = written(tmp_path, BROKEN)
    steelyard.import_files([path], tmp_path / "run")

    found = steelyard.report_run(tmp_path / "run")

    assert times(found.subjects[0]) == (2, 3, 3)


def test_tokens_are_priced_where_no_cost_is_given(tmp_path: Path) -> None:
    rows = "lab/m,a,0,true,1000,500\nlab/m,b,0,false,2000,700\nother,a,0,true,10,10\n"
    path = written(tmp_path, TOKENS + rows)

    priced, other = steelyard.score_files([path], prices={"lab/m": (3, 15)}).subjects

    assert priced.total_cost_usd.value == pytest.approx(0.0105 + 0.0165)
    assert priced.cost_of_pass is not None
    assert priced.cost_of_pass.value == pytest.approx(0.027)
    assert other.total_cost_usd.value is None


def test_a_cost_that_is_given_stays_and_a_provider_prices_all_its_models(tmp_path: Path) -> None:
    header = "model,case,attempt,passed,tokens_in,tokens_out,cost_usd\n"
    text = header + "lab/m,a,0,true,1,0,5\nlab/m,b,0,true,1,0,\n"

    report = steelyard.score_files([written(tmp_path, text)], prices={"lab/*": ("0.0375", 0)})

    assert {case.case: case.cost_usd for case in report.cases} == {"a": 5, "b": pytest.approx(38e-9)}


def test_score_takes_prices_as_run_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, TOKENS + "lab/m,a,0,true,1000,500\n")

    report = scored(capsys, path, "--price", "lab/m=3/15")

    assert report["subjects"][0]["total_cost_usd"]["value"] == pytest.approx(0.0105)


def test_prices_without_tokens_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,passed\nm,a,0,true\n")

    with pytest.raises(InputError, match="columns"):
        steelyard.score_files([path], prices={"m": (3, 15)})


def test_the_cost_of_pass_of_several_cases_says_what_it_is(tmp_path: Path) -> None:
    several = steelyard.score_files([written(tmp_path, BROKEN)])
    one_case = BROKEN.replace("m,b", "m,a").replace("m,a,0,error", "m,a,2,error")
    single = steelyard.score_files([written(tmp_path, one_case)])

    assert LABEL in TextRenderer().render(several)
    assert LABEL in HtmlRenderer(curves=lambda *_: {}).render(several)
    assert LABEL not in TextRenderer().render(single)
