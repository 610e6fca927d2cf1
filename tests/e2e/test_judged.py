"""A judged run as a user types it: judges named on the command line, refused where they would not fit."""

import json
from functools import partial

import pytest

from tests.checks.forms.judge.simulated_judges import LABEL, SEAL
from tests.e2e.lab import RUN, Lab, numbered, small_set
from tests.fake_providers.asked import Answer, Asked

CASES = 4


def company(asked: Asked, rating: float = 0.5) -> Answer:
    """Say yes, or rate it all alike if one is a judge."""
    if asked.model != "judge":
        return Answer(text="yes", tokens_in=100, tokens_out=1)
    ratings = {label: {"reason": "", "rating": rating} for label in LABEL.findall(asked.prompt)}
    form = {"seal": SEAL.findall(asked.prompt)[-1], "ratings": ratings, "confidence": 1, "total": rating}
    return Answer(text=json.dumps({**form, "tampering": False}), tokens_in=1_000, tokens_out=100)


RUBRIC = (
    '[consensus]\nreadings = 1\n[[requirements]]\nid = "r"\ndescription = "It agrees."\nscale = "scaled"\n'
)
JUDGE = '[judge]\nrubric = "rubric.toml"\n'


@pytest.fixture
def court(lab: Lab) -> Lab:
    """A lab whose set has a rubric, and leaves open who judges."""
    (lab.folder / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    small_set(lab.folder, numbered(CASES), more=JUDGE)
    lab.server.behaviour.answer = company
    return lab


def test_judges_named_on_the_command_line_judge_by_the_rubric_of_the_set(court: Lab) -> None:
    shown = court.run("--eval-set", "small.toml", "--judges", "openai/judge")

    assert shown.code == 0, shown.err
    report = court.report()
    assert report["judges"]["judges"] == ["openai/judge"]
    assert report["subjects"][0]["score"]["value"] == 0.75
    assert "on judges $" in shown.err


def test_a_set_that_names_nobody_needs_judges_on_the_command_line(court: Lab) -> None:
    shown = court.run("--eval-set", "small.toml")

    assert shown.code == 2
    assert "--judges" in shown.err
    assert court.server.requests == 0


def test_a_run_goes_on_with_its_own_judges_and_refuses_others(court: Lab) -> None:
    court.run("--eval-set", "small.toml", "--judges", "openai/judge")
    before = court.server.requests

    refused = court.resume("--judges", "openai/other", "--samples", "2")
    more = court.resume("--samples", "2")

    assert refused.code == 2
    assert "openai/judge" in refused.err
    assert more.code == 0, more.err
    # Each case was answered once more, and the same answer as before needs no judge.
    assert court.server.requests == before + CASES
    assert court.rows("outcomes", "count(*)", where="judgement IS NOT NULL") == [(2 * CASES,)]


@pytest.mark.check_all
@pytest.mark.parametrize("table", ["", JUDGE])
def test_a_regrade_by_a_set_that_names_no_judges_keeps_those_of_the_run(court: Lab, table: str) -> None:
    small_set(court.folder, numbered(CASES), more=table)
    # The default rubric has items that are met or not, so 0.5 cannot be used.
    court.server.behaviour.answer = partial(company, rating=1)
    court.run("--eval-set", "small.toml", "--judges", "openai/judge")
    before, asked = court.report(), court.server.requests

    again = court.typed("regrade", RUN, "--eval-set", "small.toml", "--all")
    resumed = court.resume("--judges", "openai/judge")

    assert (again.code, resumed.code) == (0, 0), again.err + resumed.err
    assert court.report()["judges"] == before["judges"]
    assert court.report()["subjects"] == before["subjects"]
    assert court.server.requests == asked  # every reply was kept


def test_a_judge_of_unknown_price_is_refused_where_money_is_counted(court: Lab) -> None:
    court.configure("openai/m", more='[providers.wise]\nkind = "openai"\napi_key_env = "LAB_KEY"\n')

    shown = court.run("--eval-set", "small.toml", "--judges", "wise/judge", "--max-usd", "1")

    assert shown.code == 2
    assert "wise/judge" in shown.err


@pytest.mark.check_all
def test_answers_and_judgements_can_be_replayed_elsewhere(court: Lab) -> None:
    court.run("--eval-set", "small.toml", "--judges", "openai/judge")
    court.typed("export", RUN, "--table", "samples", "-o", "answers.jsonl")
    (kept,) = (court.folder / RUN / "judges").iterdir()
    with (court.folder / "answers.jsonl").open("a", encoding="utf-8") as file:
        file.write(kept.read_text(encoding="utf-8"))
    scored, asked = court.report()["subjects"], court.server.requests

    words = ("--judges", "openai/judge", "--run", "runs/again", "--quiet", "-o", "report.json")
    shown = court.typed("run", "--eval-set", "small.toml", "--replay", "answers.jsonl", *words)

    assert shown.code == 0, shown.err
    assert court.server.requests == asked
    again = court.report()["subjects"]
    assert [one["score"] for one in again] == [one["score"] for one in scored]


def test_another_tier_may_be_the_baseline_of_the_report(lab: Lab) -> None:
    tiers = '[[tiers]]\nid = "plain"\n[[tiers]]\nid = "long"\nsystem_prompt = "Think."\n'
    small_set(lab.folder, numbered(2), more=tiers)

    assert lab.run("--eval-set", "small.toml", "--baseline-tier", "plain").code == 0

    uplifts = {one["tier"]: one["uplift"] for one in lab.report()["subjects"]}
    assert uplifts["plain"] is None
    assert uplifts["long"]["baseline_tier"] == "plain"


def test_a_regrade_by_other_judges_is_refused_where_a_case_would_keep_its_old_ones(court: Lab) -> None:
    small_set(court.folder, numbered(3), more=f'{JUDGE}models = ["openai/judge"]\n')
    court.run("--eval-set", "small.toml")
    asked = court.server.requests
    small_set(court.folder, numbered(2), more=f'{JUDGE}models = ["openai/judge2"]\n')

    refused = court.typed("regrade", RUN, "--eval-set", "small.toml")

    assert refused.code == 2, refused.out
    assert "case-02" in refused.err
    assert court.server.requests == asked


@pytest.mark.check_all
def test_ratings_that_a_regrade_would_lose_are_counted_and_kept(court: Lab) -> None:
    small_set(court.folder, numbered(2), more=f'{JUDGE}models = ["openai/judge"]\n')
    court.run("--eval-set", "small.toml")
    small_set(court.folder, numbered(2), more=f'{JUDGE}models = ["openai/judge"]\nmax_tokens = 9\n')
    court.server.behaviour.answer = partial(company, rating=7)  # out of form
    words = ("regrade", RUN, "--eval-set", "small.toml")

    lost = court.typed(*words)

    assert lost.code == 3, lost.out
    assert "2 outcomes lost their score or judged rating" in lost.out
    assert "another score" not in lost.out
    assert "nothing is replaced: 2 answers would lose their score or rating" in lost.out
    assert "  default / case-00: judge: no usable reading" in lost.out
    assert court.rows("outcomes", "impl_micro") == [(500_000,), (500_000,)]
    assert court.typed(*words, "--allow-errors").code == 0
    assert court.rows("outcomes", "impl_micro") == [(None,), (None,)]
