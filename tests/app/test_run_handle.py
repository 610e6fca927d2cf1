"""A run as a notebook opens it: the same answers as the functions give, under short names."""

from pathlib import Path

import pytest

import steelyard
from steelyard.errors import InputError
from steelyard.model.verdict import GateRule
from tests.store.run.small_run import small_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> steelyard.Run:
    folder = tmp_path_factory.mktemp("opened") / "run"
    small_run(folder)
    return steelyard.open_run(folder)


def test_opening_says_at_once_that_there_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no run here"):
        steelyard.open_run(tmp_path)


def test_the_report_is_that_of_the_run(run: steelyard.Run) -> None:
    assert run.report() == steelyard.report_run(run.address)
    assert run.report(options=steelyard.ReportOptions(pass_k=(1, 2))).settings.pass_k == (1, 2)
    assert run.manifest.planned_samples == 3


@pytest.mark.check_all
def test_a_run_is_compared_with_whatever_has_a_report(run: steelyard.Run, tmp_path: Path) -> None:
    steelyard.set_baseline("main", run.address, baselines=tmp_path)
    wanted = steelyard.compare_reports(run.report(), run.report())

    assert run.compare(run) == run.compare(run.report()) == run.compare(run.address) == wanted
    assert run.compare("main", baselines=str(tmp_path)) == wanted


@pytest.mark.check_all
def test_a_run_is_judged_against_another(run: steelyard.Run) -> None:
    rule = GateRule(margin=0.5)

    assert run.gate(run, rule=rule) == steelyard.gate_reports(run.report(), run.report(), rule=rule)


def test_rows_come_as_data_frames(run: steelyard.Run) -> None:
    assert len(run.to_pandas()) == len(run.to_polars("samples")) == 24
    assert next(iter(run.sql("SELECT count(*) AS n FROM outcomes"))) == {"n": 24}
    assert run.samples() == steelyard.sample_excerpts(run.address)


@pytest.mark.check_all
def test_a_notebook_shows_the_answer_of_the_report(run: steelyard.Run) -> None:
    assert run._repr_html_() == run.report()._repr_html_()
    assert "acme/one" in (run._repr_html_() or "")
