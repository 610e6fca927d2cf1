"""Whom a run asks and how often: the user's wishes first, then the set's, then the defaults."""

from dataclasses import replace

import pytest

from steelyard.errors import UnknownName, UserError
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet, SamplingPlan, Suite, Tier
from steelyard.model.options import RuleChoice
from steelyard.model.request import Parameters
from steelyard.model.run import Manifest, Subject
from steelyard.model.sample import SampleKey
from steelyard.runner.plan import RunOptions, plan_run
from steelyard.runner.requests import Requests, parameters_of
from steelyard.runner.resumed_plan import extend_plan

ADD = Case(id="add", language="rust", prompt="Add.", files={"data.txt": "1 2"})
SUB = Case(id="sub", language="rust", prompt="Subtract.", max_tokens=50)
SET = EvalSet(
    id="sums",
    cases=(ADD, SUB),
    suites=(Suite(id="default"),),
    tiers=(Tier(id="T0"), Tier(id="T1", system_prompt="Think.", context={"rules.md": "Be brief."})),
)
ASKED = RunOptions(models=("lab/one",))


def key(case: Case, *, tier: str = "T0", attempt: int = 0) -> SampleKey:
    return SampleKey("lab/one", tier, case.suite, case.id, case.digest, attempt)


def manifest_of(eval_set: EvalSet, wishes: RunOptions) -> Manifest:
    plan = plan_run(eval_set, wishes)
    return Manifest(
        id="r",
        created_at="now",
        generator="test",
        scoring=plan.scoring,
        subjects=plan.subjects,
        cases=plan.cases,
        planned_samples=plan.samples,
    )


def test_samples_default_to_the_largest_k() -> None:
    assert plan_run(SET, replace(ASKED, pass_k=(1, 5))).samples == 5


def test_what_the_set_says_grows_to_the_largest_k_but_a_record_does_not() -> None:
    told, wished = replace(SET, sampling=SamplingPlan(samples=3)), replace(ASKED, pass_k=(1, 5))

    assert plan_run(told, wished).samples == 5
    with pytest.raises(UserError, match="pass@5"):
        plan_run(told, replace(wished, default_samples=9))


def test_what_the_user_says_goes_before_what_the_set_says() -> None:
    told = replace(SET, sampling=SamplingPlan(samples=3, temperature=0.2, top_p=0.9))
    wished = replace(ASKED, samples=7, parameters=Parameters(temperature=0.8))

    plan = plan_run(told, wished)

    assert (plan_run(told, ASKED).samples, plan.samples) == (3, 7)
    assert plan.subjects[0].parameters == {"temperature": "0.8", "top_p": "0.9"}


def test_fewer_samples_than_the_largest_k_are_refused() -> None:
    with pytest.raises(UserError, match="pass@5"):
        plan_run(SET, replace(ASKED, samples=2, pass_k=(1, 5)))


def test_every_model_is_asked_in_every_tier() -> None:
    plan = plan_run(SET, RunOptions(models=("lab/one", "lab/two", "lab/one")))

    asked = [(subject.model, subject.tier) for subject in plan.subjects]
    assert asked == [("lab/one", "T0"), ("lab/one", "T1"), ("lab/two", "T0"), ("lab/two", "T1")]
    assert plan.total == 4 * 2 * 1


def test_without_a_wish_the_subjects_of_the_set_are_asked_with_their_own_parameters() -> None:
    listed = replace(
        SET,
        subjects=(Subject(model="lab/x", tier="T1", parameters={"temperature": "1"}), Subject(model="lab/y")),
        sampling=SamplingPlan(temperature=0.5),
    )

    assert [one.parameters for one in plan_run(listed, RunOptions()).subjects] == [
        {"temperature": "1"},
        {"temperature": "0.5"},
    ]
    assert [one.model for one in plan_run(listed, RunOptions(tiers=("T1",))).subjects] == ["lab/x"]


def test_without_anybody_the_defaults_are_asked_and_then_nobody() -> None:
    assert plan_run(SET, RunOptions(default_models=("lab/z",))).subjects[0].model == "lab/z"
    with pytest.raises(UserError, match="`models=provider/name`"):
        plan_run(SET, RunOptions())


def test_an_unknown_tier_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match=r"`tiers=T7`.*eval"):
        plan_run(SET, replace(ASKED, tiers=("T7",)))


def test_one_model_twice_in_one_tier_is_refused() -> None:
    twice = (Subject(model="m/a"), Subject(model="m/a", parameters={"seed": "1"}))
    with pytest.raises(UserError, match="m/a is listed twice in tier T0"):
        plan_run(replace(SET, subjects=twice), RunOptions())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"temprature": "1"}, "'temperature'"),
        ({"seed": "many"}, "'many'"),
    ],
)
def test_a_wrong_parameter_is_refused(parameters: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        parameters_of(Subject(model="lab/x", parameters=parameters))


def test_a_request_holds_all_that_its_tier_and_case_say() -> None:
    plan = plan_run(SET, replace(ASKED, parameters=Parameters(max_tokens=100, seed=10)))
    requests = Requests(SET, plan.subjects)

    plain, told = requests.of(key(ADD, attempt=2)), requests.of(key(SUB, tier="T1"))

    assert (plain.prompt, plain.system_prompt, dict(plain.files)) == ("Add.", "", {"data.txt": "1 2"})
    assert (plain.parameters.max_tokens, plain.parameters.seed) == (100, 12)
    assert (told.system_prompt, dict(told.context)) == ("Think.", {"rules.md": "Be brief."})
    assert told.parameters.max_tokens == 50
    assert plain.prompt_digest != told.prompt_digest


def test_a_case_that_was_changed_is_not_asked_in_its_old_form() -> None:
    requests = Requests(SET, plan_run(SET, ASKED).subjects)
    old = key(replace(ADD, prompt="Add them up."))

    assert requests.case_of(old) is None
    with pytest.raises(UserError, match=r"planned form"):
        requests.of(old)


@pytest.mark.parametrize(
    ("languages", "rule"),
    [
        (("rust", "python"), "build-test-lint"),
        (("terraform",), "plausible"),
        (("text",), "accuracy"),
        (("rust", "text"), "accuracy"),
    ],
)
def test_a_set_that_names_no_rule_is_scored_by_the_one_that_fits(
    languages: tuple[str, ...], rule: str
) -> None:
    cases = tuple(Case(id=language, language=language) for language in languages)

    assert plan_run(replace(SET, cases=cases), ASKED).scoring.name == rule
    named = replace(SET, cases=cases, scoring=RuleChoice(name="composite"))
    assert plan_run(named, ASKED).scoring.name == "composite"


def test_cold_samples_of_pass_at_k_are_warned_of() -> None:
    cold = plan_run(SET, replace(ASKED, pass_k=(1, 5), parameters=Parameters(temperature=0)))

    assert any("pass@5 of lab/one at temperature 0" in warning for warning in cold.warnings((1, 5)))
    assert ["not independent" in warning for warning in cold.warnings((1,))] == [True]
    assert plan_run(SET, ASKED).warnings((1, 5)) == []


def test_a_language_that_no_one_named_is_said() -> None:
    plan = plan_run(replace(SET, assumed_language="rust"), ASKED)

    assert plan.warnings((1,)) == ['no language is set: rust is assumed; set default_language = "rust"']


def test_a_run_that_goes_on_keeps_what_it_has() -> None:
    before = manifest_of(SET, replace(ASKED, samples=5, tiers=("T0",)))

    plan = extend_plan(before, SET, RunOptions(pass_k=(1,)))

    assert (plan.subjects, plan.samples, plan.scoring) == (before.subjects, 5, before.scoring)


def test_a_run_that_goes_on_takes_no_samples_away() -> None:
    before = manifest_of(SET, replace(ASKED, samples=5))

    with pytest.raises(UserError, match=r"`samples=3`.*5.*case"):
        extend_plan(before, SET, RunOptions(samples=3, pass_k=(1,)))
    with pytest.raises(UserError, match=r"`samples=3`.*5.*case"):
        extend_plan(before, SET, RunOptions(samples=3, pass_k=(1,), models=("x/other",)))

    assert extend_plan(before, SET, RunOptions(samples=5, pass_k=(1,))).samples == 5


def test_a_run_that_goes_on_takes_more_of_everything() -> None:
    before = manifest_of(SET, replace(ASKED, tiers=("T0",), parameters=Parameters(temperature=0.3)))
    third = Case(id="mul", language="rust")

    plan = extend_plan(
        before,
        replace(SET, cases=(*SET.cases, third)),
        RunOptions(models=("lab/one", "lab/two"), tiers=("T0", "T1"), samples=4),
    )

    asked = [(subject.model, subject.tier) for subject in plan.subjects]
    assert asked == [("lab/one", "T0"), ("lab/one", "T1"), ("lab/two", "T0"), ("lab/two", "T1")]
    assert plan.subjects[0].parameters == {"temperature": "0.3"}
    assert ([plan.samples_of(one) for one in plan.subjects], len(plan.cases)) == ([4, 4, 4, 4], 3)
