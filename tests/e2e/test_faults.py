"""Whatever a service does wrong, a run records what happened, and blames a model only for its own answers.

All three protocols at once: a model of each vendor. Where several faults are tried in one run, each has a
case of its own, by which the server knows it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from tests.commands import Shown
from tests.e2e.lab import KEY, RUN, VENDORS, Lab, small_set
from tests.fake_providers.faults import Fault, Plan, Rule, always, by_rules, first_times, never

MODELS = tuple(f"{vendor}/m" for vendor in VENDORS)

# What a service does wrong, by the case in which it does, and by which word a run counts it.
FAULTS = {
    "busy": (Fault(name="rate_limited"), "rate_limited"),
    "busy-for-a-second": (Fault(name="rate_limited", retry_after="1"), "rate_limited"),
    "status-500": (Fault(name="overloaded", status=500), "overloaded"),
    "status-503": (Fault(name="overloaded", status=503), "overloaded"),
    "cut": (Fault(name="cut"), "cut"),
    "reset": (Fault(name="reset"), "unreachable"),
    "malformed": (Fault(name="malformed"), "malformed"),
    "page-of-html": (Fault(name="not_json"), "malformed"),
    "missing-fields": (Fault(name="no_fields"), "malformed"),
    "tokens-no-number": (Fault(name="wrong_usage"), "malformed"),
}
# What a model does by itself: what is recorded as its text, and how the check ends.
ANSWERS = {
    "empty": (Fault(name="empty"), "", "wrong_format"),
    "refusal": (Fault(name="refusal"), "I cannot help with that.", "refusal"),
    "blocked": (Fault(name="blocked"), "", "refusal"),
    "truncated": (Fault(name="truncated"), "ye", "fail"),
    "slow": (Fault(name="slow", delay_s=0.4), "yes", "pass"),
}


@pytest.fixture
def three(lab: Lab) -> Lab:
    """A lab with one model of each vendor."""
    lab.configure(*MODELS)
    return lab


def by_case(faults: Mapping[str, Fault], *, times: int | None = None) -> Plan:
    """Each case has its own fault: always, or for some times."""
    return by_rules(
        [Rule(fault=fault, contains=f"to {case}.", first=times) for case, fault in faults.items()]
    )


def found(lab: Lab, table: str, columns: str, cases: Iterable[str]) -> dict[str, Any]:
    """Return what all models have in common, by case; each case must be there once for each model."""
    rows = lab.rows(table, f"case_id, model, {columns}")
    assert [row[:2] for row in rows] == sorted((case, model) for case in cases for model in MODELS)
    common: dict[str, set[tuple[object, ...]]] = {}
    for case, _, *rest in rows:
        common.setdefault(case, set()).add(tuple(rest))
    assert all(len(values) == 1 for values in common.values()), common
    return {case: values.pop() for case, values in common.items()}


def broken(shown: Shown) -> dict[str, int]:
    """Return the count of infrastructure errors that a command told, by kind."""
    _, _, told = shown.err.partition(" excluded (infrastructure errors): ")
    pairs = (pair.rpartition(" ") for pair in told.partition("\n")[0].split(", ") if pair)
    return {kind: int(count) for kind, _, count in pairs}


def test_lasting_faults_are_our_errors_and_passing_ones_cost_a_second_call(three: Lab) -> None:
    small_set(three.folder, FAULTS)
    faults = {case: fault for case, (fault, _) in FAULTS.items()}
    kinds = {case: kind for case, (_, kind) in FAULTS.items()}
    total = len(FAULTS) * len(MODELS)
    three.server.behaviour.faults = by_case(faults)

    shown = three.run("--eval-set", "small.toml", "--retries", "0")

    assert shown.code == 3
    assert broken(shown) == {kind: 3 * count for kind, count in Counter(kinds.values()).items()}
    assert shown.err.endswith(f"next: steelyard run --resume {RUN}\n")
    assert three.server.requests == total
    assert found(three, "samples", "text, split_part(error, ':', 1)", FAULTS) == {
        case: ("", kind) for case, kind in kinds.items()
    }
    assert set(found(three, "outcomes", "classification, passed", FAULTS).values()) == {("error", None)}
    for subject in three.report()["subjects"]:
        assert (subject["samples"], subject["coverage"]["errored"]) == (0, len(FAULTS))
        assert subject["pass_rate"]["value"] is None

    three.server.behaviour.faults = by_case(faults, times=2)  # one of them is over
    shown = three.resume()

    assert (shown.code, broken(shown)) == (0, {}), shown.err
    assert three.server.requests == 3 * total
    recorded = found(three, "samples", "text, finish_reason, error", FAULTS)
    assert set(recorded.values()) == {("yes", "stop", None)}
    assert set(found(three, "outcomes", "classification, passed", FAULTS).values()) == {("pass", True)}
    assert [subject["passed"] for subject in three.report()["subjects"]] == 3 * [len(FAULTS)]


def test_nobody_is_asked_again_before_the_time_that_the_service_named(three: Lab) -> None:
    small_set(three.folder, ["one", "two"])
    three.server.behaviour.faults = first_times(1, Fault(name="rate_limited", retry_after="1"))

    assert three.run("--eval-set", "small.toml").code == 0
    for vendor in VENDORS:
        log = [line for line in three.server.seen.log if line.vendor == vendor]
        refused_s = max(line.answered_s for line in log if line.status == 429)
        asked_again_s = min(line.asked_s for line in log if line.status == 200)
        assert asked_again_s - refused_s > 0.9


@pytest.mark.check_all
def test_what_a_model_answers_is_its_own_and_not_asked_for_again(three: Lab) -> None:
    small_set(three.folder, ANSWERS)
    three.server.behaviour.faults = by_case({case: fault for case, (fault, *_) in ANSWERS.items()})
    three.server.behaviour.answer = lambda asked: next(
        text for case, (_, text, *_) in ANSWERS.items() if f"to {case}." in asked.prompt
    )

    shown = three.run("--eval-set", "small.toml")

    assert (shown.code, broken(shown)) == (0, {}), shown.err
    assert three.server.requests == len(ANSWERS) * len(MODELS)
    assert found(three, "samples", "text, error", ANSWERS) == {
        case: (text, None) for case, (_, text, *_) in ANSWERS.items()
    }
    assert found(three, "outcomes", "classification, passed", ANSWERS) == {
        case: (kind, kind == "pass") for case, (*_, kind) in ANSWERS.items()
    }
    reasons = three.rows(
        "samples", "DISTINCT case_id, finish_reason", where="case_id IN ('truncated', 'slow')"
    )
    assert reasons == [("slow", "stop"), ("truncated", "length")]
    for first_us, last_us in three.rows("samples", "first_byte_us, latency_us", where="case_id = 'slow'"):
        assert 400_000 <= first_us <= last_us < 20_000_000
    for subject in three.report()["subjects"]:
        assert subject["failures"] == {"fail": 1, "refusal": 2, "wrong_format": 1}
        assert subject["pass_rate"]["value"] == pytest.approx(1 / len(ANSWERS))


@pytest.mark.check_all
def test_faults_that_every_call_would_meet_stop_their_providers_and_cost_no_answer(three: Lab) -> None:
    small_set(three.folder, ["one", "two"])
    faults = {
        "openai": (Fault(name="bad_key"), "is the key right, not expired"),
        "anthropic": (Fault(name="no_credit"), "top up the account"),
        "google": (Fault(name="bad_key"), "is the key right, not expired"),
    }
    three.server.behaviour.faults = lambda asked: faults[asked.vendor][0]

    shown = three.run("--eval-set", "small.toml")

    assert shown.code == 3
    for vendor, (_, advice) in faults.items():
        [line] = [line for line in shown.err.splitlines() if line.startswith(f"stopped calling {vendor}: ")]
        assert advice in line
    assert shown.err.endswith(f"next: steelyard run --resume {RUN}\n")
    assert three.rows("samples", "model") == []
    assert not (three.folder / "report.json").exists()

    three.server.behaviour.faults = never
    assert three.resume().code == 0
    assert three.rows("outcomes", "classification") == 6 * [("pass",)]


def test_a_key_is_shown_nowhere_though_the_service_repeats_it(three: Lab) -> None:
    small_set(three.folder, ["one", "two"])
    three.server.behaviour.faults = always(Fault(name="bad_key"))

    shown = three.run("--eval-set", "small.toml")

    assert {asked.key for asked in three.server.seen.asked} == {KEY}
    assert shown.err.count("[key]") == len(VENDORS)
    assert KEY not in shown.out + shown.err
    kept = [path for path in (three.folder / RUN).rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if KEY.encode() in path.read_bytes()]


def test_a_request_that_is_not_taken_is_not_repeated_and_lowers_nobodys_pass_rate(three: Lab) -> None:
    small_set(three.folder, ["one", "two"])
    three.server.behaviour.faults = by_case({"one": Fault(name="too_long")})

    shown = three.run("--eval-set", "small.toml")

    assert (shown.code, broken(shown)) == (0, {"rejected": 3})
    assert shown.err.endswith(f"next: steelyard run --resume {RUN}\n")
    assert three.server.requests == 6
    assert found(three, "outcomes", "classification", ["one", "two"]) == {"one": ("error",), "two": ("pass",)}
    for subject in three.report()["subjects"]:
        assert (subject["samples"], subject["passed"], subject["coverage"]["errored"]) == (1, 1, 1)
        assert subject["pass_rate"]["value"] != 0.0


def test_too_slow_a_first_byte_is_our_time_that_ran_out(three: Lab) -> None:
    small_set(three.folder, ["one"])
    three.configure(*MODELS, timeout_s=0.3)
    three.server.behaviour.faults = always(Fault(name="slow", delay_s=5.0))

    shown = three.run("--eval-set", "small.toml", "--retries", "0")

    assert (shown.code, broken(shown)) == (3, {"timeout": 3})
    assert found(three, "samples", "text, split_part(error, ':', 1)", ["one"]) == {"one": ("", "timeout")}


def test_an_answer_without_a_count_of_tokens_is_kept_and_its_cost_unknown(three: Lab) -> None:
    small_set(three.folder, ["one", "two"])
    three.server.behaviour.faults = always(Fault(name="no_usage"))

    # The messages of Anthropic always have one; without it they are malformed.
    shown = three.run("--eval-set", "small.toml", "--models", "openai/m,google/m")

    assert (shown.code, broken(shown)) == (0, {})
    rows = three.rows("samples", "text, tokens_in, tokens_out, cost_nano_usd")
    assert rows == 4 * [("yes", None, None, None)]
    assert three.rows("outcomes", "classification") == 4 * [("pass",)]
    assert [subject["total_cost_usd"]["value"] for subject in three.report()["subjects"]] == [None, None]
