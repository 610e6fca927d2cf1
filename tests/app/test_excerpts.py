"""Samples beside a report know what their cases ask and are checked by."""

import re
from pathlib import Path

import pytest

import steelyard
from steelyard.model.sample import CaseTexts
from tests.store.run.small_run import small_run
from tests.web.runs import make_run, plain_texts
from tests.web.site import site

SET = """
[eval_set]
id = "colours"
default_language = "text"

[[tiers]]
id = "T0"
system_prompt = "Be brief."

[[cases]]
id = "orange"
prompt = "Which colour is #ff8000?"
reference = "orange"

[cases.expectations.settings]
exact = "orange"
"""
ANSWER = '{"model": "m/x", "tier": "T0", "suite": "colours", "case": "orange", "attempt": 0, "text": "red"}\n'


def test_a_sample_knows_the_prompt_the_tests_and_the_reference_of_its_case(tmp_path: Path) -> None:
    run, said = make_run(tmp_path / "run"), plain_texts()

    found = steelyard.sample_excerpts(run.location.address)

    about = {one.about for one in found}
    assert all(one is not None and said["prompt"] in one.prompt for one in about)
    assert {(one.tests, one.reference, one.expected) for one in about if one} == {
        (said["tests"], said["reference"], "")
    }


@pytest.fixture(scope="module")
def text_run(tmp_path_factory: pytest.TempPathFactory) -> steelyard.EndedRun:
    folder = tmp_path_factory.mktemp("texts")
    (folder / "set.toml").write_text(SET, encoding="utf-8")
    (folder / "answers.jsonl").write_text(ANSWER, encoding="utf-8")
    recorded = folder / "answers.jsonl"
    return steelyard.run(
        folder / "set.toml", models=["m/x"], samples=1, replay=recorded, address=folder / "run"
    )


def test_a_text_is_shown_beside_what_it_was_compared_with(text_run: steelyard.EndedRun) -> None:
    [sample] = text_run.samples()

    assert sample.about == CaseTexts(
        prompt="system:\nBe brief.\n\nuser:\nWhich colour is #ff8000?",
        expected="exact: orange",
        reference="orange",
    )


def test_the_viewer_shows_what_a_text_was_compared_with(text_run: steelyard.EndedRun) -> None:
    with site(Path(text_run.address)) as running:
        link = re.search(r"/r/\w+/c/\d+", running.page(f"/r/{running.run_id('run')}"))
        assert link
        page = running.page(f"{link[0]}/0")

    assert "<h2>Expected</h2>" in page
    assert "exact: orange" in page


def test_a_run_without_an_eval_set_has_samples_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_run(tmp_path / "run")
    monkeypatch.chdir(tmp_path)

    assert {one.about for one in steelyard.sample_excerpts("run")} == {None}
