"""Samples to show beside a report: fairly over the cases, failed ones first, never too much."""

from pathlib import Path

import pytest

from steelyard.model.run import RunCase
from steelyard.model.state import CaseKey
from steelyard.store.run import excerpts
from steelyard.store.run.excerpts import excerpts_of_run
from tests.store.run.small_run import MANIFEST, generated, seen, small_run


def test_every_case_has_its_first_sample_before_any_has_its_second(tmp_path: Path) -> None:
    small_run(tmp_path / "run")

    found = excerpts_of_run(tmp_path / "run")

    pairs = len(MANIFEST.subjects) * len(MANIFEST.cases)
    assert len(found) == 3 * pairs
    assert len({one.key for one in found[:pairs]}) == pairs


def test_failed_samples_come_before_those_that_passed(tmp_path: Path) -> None:
    small_run(tmp_path / "run")

    for key in {one.key for one in excerpts_of_run(tmp_path / "run")}:
        passes = [bool(one.passed) for one in excerpts_of_run(tmp_path / "run") if one.key == key]
        assert passes == sorted(passes)


def test_an_excerpt_tells_what_the_tables_hold(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    wanted = {key: generated(key) for key in store.manifest.wanted()}

    found = {(one.key, one.attempt): one for one in excerpts_of_run(tmp_path / "run")}

    for key, sample in wanted.items():
        one, outcome = found[CaseKey(*key[:4]), key.attempt], seen(sample)
        assert (one.text, one.text_length, one.detail) == (sample.text, len(sample.text), outcome.detail)
        assert one.detail_length == len(outcome.detail)
        assert not one.is_text_cut
        assert not one.is_detail_cut
        assert (one.tests_passed, one.tests_failed) == (
            outcome.facts.tests_passed,
            outcome.facts.tests_failed,
        )
        assert one.latency_s == 2.0


def test_long_answers_are_cut_and_there_are_never_more_characters_than_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_run(tmp_path / "run")
    monkeypatch.setattr(excerpts, "LONGEST", 5)
    monkeypatch.setattr(excerpts, "CHARACTERS", 4 * (excerpts.COST_OF_A_ROW + 22))

    found = excerpts_of_run(tmp_path / "run")

    assert 0 < len(found) < 24
    assert {len(one.text or "") for one in found} == {5}
    assert all(one.is_text_cut for one in found)
    assert any(one.is_detail_cut for one in found)


def test_of_a_very_large_run_nothing_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_run(tmp_path / "run")
    monkeypatch.setattr(excerpts, "MOST_ROWS", 10)

    assert excerpts_of_run(tmp_path / "run") == ()


def test_an_earlier_form_of_a_case_is_not_shown(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    store.extend(cases=[RunCase(suite="basics", case="case-0", digest="d2")])

    assert "case-0" not in {one.key.case for one in excerpts_of_run(tmp_path / "run")}
