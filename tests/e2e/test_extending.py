"""A finished run can be given more samples, models, tiers and cases; only what is new is generated."""

import pytest

import steelyard
from steelyard.store.run.run_store import open_run, prepare_run
from steelyard.store.run.stored_set import read_stored_set, write_eval_set
from tests.commands import strict_json
from tests.e2e.lab import RUN, Lab, small_set

TIERS = """
[[tiers]]
id = "T0"

[[tiers]]
id = "T1"
system_prompt = "Be careful."
"""
SAMPLES = 2


@pytest.fixture
def done(lab: Lab) -> Lab:
    """A finished run of two cases in the baseline tier, and a set that knows another."""
    small_set(lab.folder, ["left", "right"], samples=SAMPLES, more=TIERS)
    shown = lab.run("--eval-set", "small.toml", "--tiers", "T0", "--seed", "0")
    assert shown.code == 0, shown.err
    assert lab.server.requests == 2 * SAMPLES
    return lab


def new(lab: Lab, *words: str) -> list[tuple[str, str, str, int | None]]:
    """Go on with the run, and return what was asked meanwhile: model, system prompt, prompt, seed."""
    before = lab.server.requests
    shown = lab.resume(*words)
    assert shown.code == 0, shown.err
    asked = lab.server.seen.asked[before:]
    return sorted((one.model, one.system, one.prompt, one.seed) for one in asked)


def prompts(*cases: str) -> list[str]:
    return [f"Say yes to {case}." for case in cases]


def counted(lab: Lab) -> dict[tuple[str, str, str], int]:
    """Return how many samples the report counts, by model, tier and case."""
    return {(case["model"], case["tier"], case["case"]): case["n"] for case in lab.report()["cases"]}


@pytest.mark.check_all
def test_a_finished_run_that_is_resumed_generates_nothing(done: Lab) -> None:
    assert new(done) == []
    assert set(counted(done).values()) == {SAMPLES}


def test_more_samples_are_further_attempts_of_every_case(done: Lab) -> None:
    found = new(done, "--samples", "4")

    assert found == sorted(("m", "", prompt, seed) for prompt in prompts("left", "right") for seed in (2, 3))
    assert set(counted(done).values()) == {4}


@pytest.mark.check_all
def test_a_larger_k_generates_what_it_needs(done: Lab) -> None:
    assert len(new(done, "--pass-k", "1,3")) == 2
    assert [at["k"] for at in done.report()["subjects"][0]["pass_at_k"]] == [1, 3]


def test_another_model_is_asked_what_the_first_was(done: Lab) -> None:
    found = new(done, "--models", "google/other", "--seed", "0")

    assert found == sorted(
        ("other", "", prompt, seed) for prompt in prompts("left", "right") for seed in range(SAMPLES)
    )
    assert {subject["model"] for subject in done.report()["subjects"]} == {"openai/m", "google/other"}


@pytest.mark.check_all
def test_another_tier_is_asked_in_its_own_way(done: Lab) -> None:
    found = new(done, "--tiers", "T1", "--seed", "0")

    assert found == sorted(
        ("m", "Be careful.", prompt, seed) for prompt in prompts("left", "right") for seed in range(SAMPLES)
    )
    assert [subject["tier"] for subject in done.report()["subjects"]] == ["T0", "T1"]


@pytest.mark.check_all
def test_another_case_is_asked_of_everybody(done: Lab) -> None:
    small_set(done.folder, ["left", "right", "middle"], samples=SAMPLES, more=TIERS)

    found = new(done, "--eval-set", "small.toml")

    assert found == [("m", "", *prompts("middle"), seed) for seed in range(SAMPLES)]
    assert {case for _, _, case in counted(done)} == {"left", "right", "middle"}


def test_a_changed_case_is_generated_anew_and_never_mixed_with_its_old_form(done: Lab) -> None:
    before = {case["case"]: case["digest"] for case in done.report()["cases"]}
    small_set(done.folder, ["left"], samples=SAMPLES, more=TIERS)
    text = (done.folder / "small.toml").read_text(encoding="utf-8")
    changed = text + text[text.index("[[cases]]") :].replace("left", "right").replace('= "yes"', '= "no"')
    (done.folder / "small.toml").write_text(changed, encoding="utf-8")

    found = new(done, "--eval-set", "small.toml")

    assert found == [("m", "", *prompts("right"), seed) for seed in range(SAMPLES)]
    now = {case["case"]: case for case in done.report()["cases"]}
    assert now["left"]["digest"] == before["left"]
    assert now["right"]["digest"] != before["right"]
    # Two old answers passed, two new ones do not: only the new count.
    assert {name: (case["n"], case["c"]) for name, case in now.items()} == {"left": (2, 2), "right": (2, 0)}
    # What was paid for is kept all the same.
    assert len(done.rows("samples", "case_id", where="case_id = 'right'")) == 2 * SAMPLES


@pytest.mark.check_all
def test_a_case_that_is_changed_back_counts_with_the_answers_it_had(done: Lab) -> None:
    small_set(done.folder, ["left", "right"], exact="no", samples=SAMPLES, more=TIERS)
    assert len(new(done, "--eval-set", "small.toml")) == 2 * SAMPLES
    small_set(done.folder, ["left", "right"], samples=SAMPLES, more=TIERS)

    assert new(done, "--eval-set", "small.toml") == []
    assert {case["c"] for case in done.report()["cases"]} == {SAMPLES}


# The eval set is kept before the manifest, so whoever is killed in between has one of them, or both.


def test_a_run_that_was_killed_while_it_grew_grows_when_it_is_resumed(done: Lab) -> None:
    bigger = small_set(done.folder, ["left", "right", "middle"], samples=SAMPLES, more=TIERS)
    write_eval_set(open_run(RUN).location, steelyard.read_eval_set(bigger))

    assert new(done) == [("m", "", *prompts("middle"), seed) for seed in range(SAMPLES)]


@pytest.mark.check_all
def test_a_run_that_was_killed_before_it_had_begun_is_begun_at_the_same_place(done: Lab) -> None:
    begun = open_run(RUN)
    unborn = prepare_run("runs/two", begun.manifest)
    write_eval_set(unborn.location, steelyard.read_eval_set("small.toml"))

    shown = done.typed("run", "--run", "runs/two", "--eval-set", "small.toml", "--quiet")

    assert shown.code == 0, shown.err


@pytest.mark.check_all
def test_more_samples_go_only_to_the_models_and_tiers_that_are_named(done: Lab) -> None:
    assert len(new(done, "--models", "openai/m,google/other", "--tiers", "T0,T1")) == 3 * 2 * SAMPLES

    found = new(done, "--samples", "4", "--models", "google/other", "--tiers", "T1")

    assert {(model, system) for model, system, *_ in found} == {("other", "Be careful.")}
    by_subject = {(model, tier): n for (model, tier, _), n in counted(done).items()}
    assert by_subject == {
        ("openai/m", "T0"): SAMPLES,
        ("openai/m", "T1"): SAMPLES,
        ("google/other", "T0"): SAMPLES,
        ("google/other", "T1"): 4,
    }


@pytest.mark.check_all
def test_what_one_subject_got_more_stays_when_all_get_more(done: Lab) -> None:
    new(done, "--models", "google/other", "--samples", "5")

    assert len(new(done, "--samples", "3")) == 2  # of the first model only
    assert new(done) == []
    assert {model: n for (model, *_), n in counted(done).items()} == {"openai/m": 3, "google/other": 5}


@pytest.mark.check_all
def test_a_known_model_that_is_named_gets_no_new_tier(done: Lab) -> None:
    new(done, "--tiers", "T1")
    assert len(new(done, "--models", "google/other", "--tiers", "T0")) == 2 * SAMPLES

    assert new(done, "--models", "google/other") == []


@pytest.mark.check_all
def test_an_extension_says_first_what_it_generates_and_costs(done: Lab) -> None:
    shown = done.resume("--samples", "4", "--models", "openai/m")
    again = done.resume()

    assert shown.err.startswith("to generate: 4 answers of openai/m T0, about $0.")
    assert "to generate" not in again.err


@pytest.mark.check_all
def test_pass_k_is_remembered_by_the_run(done: Lab) -> None:
    new(done, "--pass-k", "1,3")

    assert new(done) == []
    assert [at["k"] for at in done.report()["subjects"][0]["pass_at_k"]] == [1, 3]
    shown = done.typed("report", RUN, "--format", "json")
    assert [at["k"] for at in strict_json(shown.out)["subjects"][0]["pass_at_k"]] == [1, 3]
    assert steelyard.open_run(RUN).report(pass_k=2).settings.pass_k == (2,)


@pytest.mark.check_all
def test_a_part_that_is_added_leaves_the_cases_of_the_run_in_its_eval_set(done: Lab) -> None:
    names = ["left", "right", "middle"]
    small_set(done.folder, names, samples=SAMPLES, more=TIERS)

    found = new(done, "small.toml", "--cases", "middle")

    assert found == [("m", "", *prompts("middle"), seed) for seed in range(SAMPLES)]
    store = open_run(RUN)
    kept = read_stored_set(store.location)
    assert [case.id for case in kept.cases] == names
    assert store.manifest.eval_set_digest == kept.digest
    assert len(new(done, "--samples", str(SAMPLES + 1))) == len(names)
    checked = steelyard.regrade(RUN, every=True).result.checked
    assert checked == len(names) * (SAMPLES + 1)


@pytest.mark.check_all
def test_a_case_of_a_part_counts_in_its_new_form_and_the_others_in_theirs(done: Lab) -> None:
    before = {case.id: case.digest for case in read_stored_set(open_run(RUN).location).cases}
    small_set(done.folder, ["left", "right"], exact="no", samples=SAMPLES, more=TIERS)

    assert len(new(done, "small.toml", "--cases", "right")) == SAMPLES

    now = {case.id: case.digest for case in read_stored_set(open_run(RUN).location).cases}
    assert (now["left"] == before["left"], now["right"] == before["right"]) == (True, False)


@pytest.mark.check_all
def test_a_part_that_is_added_is_announced_though_it_is_smaller_than_the_run(done: Lab) -> None:
    small_set(done.folder, ["left", "right", "middle"], samples=SAMPLES, more=TIERS)

    shown = done.resume("small.toml", "--cases", "middle")

    assert shown.err.startswith(f"to generate: {SAMPLES} answers of openai/m T0, about $0.")


@pytest.mark.check_all
def test_a_run_whose_eval_set_lacks_cases_does_not_end_well(done: Lab) -> None:
    small_set(done.folder, ["right"], samples=SAMPLES, more=TIERS)
    write_eval_set(open_run(RUN).location, steelyard.read_eval_set("small.toml"))

    short = done.resume("--samples", "3")

    assert short.code == 4
    assert "missing: 1 not generated" in short.err
    assert "steelyard run EVAL-SET --resume" in short.err
    small_set(done.folder, ["left", "right"], samples=SAMPLES, more=TIERS)
    assert len(new(done, "small.toml")) == 1
