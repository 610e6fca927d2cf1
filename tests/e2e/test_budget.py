"""A run that may cost so much costs no more than that, whatever fails meanwhile, and goes on with more."""

from fractions import Fraction

import pytest

from steelyard.model.units import NANO_USD
from tests.e2e.lab import RUN, Lab, numbered, small_set
from tests.fake_providers.asked import Answer, Asked
from tests.fake_providers.faults import Fault, Rule, by_rules
from tests.fake_providers.server import Logged

CASES, SAMPLES, AT_ONCE = 40, 10, 50
TOKENS_IN, TOKENS_OUT = 250, 3  # nearly what is set aside for a call, which is by bytes
CALL_NANO_USD = 1_000 * TOKENS_IN + 4_000 * TOKENS_OUT  # by the prices of the lab
TOTAL_NANO_USD = CASES * SAMPLES * CALL_NANO_USD
CAP_NANO_USD = TOTAL_NANO_USD // 2


def answer(asked: Asked) -> Answer:
    """Say yes, and bill the same for every call."""
    return Answer(text="yes", tokens_in=TOKENS_IN, tokens_out=TOKENS_OUT)


def billed(log: list[Logged]) -> int:
    """Return what a vendor would bill: every answer, whether or not it arrived whole."""
    return sum(CALL_NANO_USD for line in log if line.status == 200)


def usd(nano: int) -> str:
    return f"{float(Fraction(nano, NANO_USD)):.9f}"


@pytest.fixture
def dear(lab: Lab) -> Lab:
    """A lab whose service does the work each time, and fails to deliver it every tenth time."""
    small_set(lab.folder, numbered(CASES), samples=SAMPLES)
    lab.server.behaviour.answer = answer
    lab.server.behaviour.faults = by_rules(
        [Rule(fault=Fault(name="cut"), every=20), Rule(fault=Fault(name="malformed"), every=10)]
    )
    return lab


def test_the_cap_holds_in_mid_run_and_a_higher_one_goes_on(dear: Lab) -> None:
    words = ("--max-concurrency", str(AT_ONCE), "--max-tokens", str(TOKENS_OUT))
    dear.server.behaviour.delay_s = 0.3  # so that calls are in flight together

    shown = dear.run("--eval-set", "small.toml", "--max-usd", usd(CAP_NANO_USD), *words)

    assert shown.code == 4
    assert f"stopped: the budget of ${CAP_NANO_USD / NANO_USD:g} is used up: " in shown.err
    assert shown.err.endswith(f"next: steelyard run --resume {RUN} --max-usd MORE\n")
    generated = dear.rows("samples", "case_id, attempt, cost_nano_usd")
    assert {cost for *_, cost in generated} == {CALL_NANO_USD}
    assert 0.8 * CAP_NANO_USD < len(generated) * CALL_NANO_USD <= CAP_NANO_USD
    # Nothing was set aside that is less than its call cost, so not even calls in flight exceed the cap.
    assert billed(dear.server.seen.log) <= CAP_NANO_USD
    assert {line.fault for line in dear.server.seen.log} == {None, "cut", "malformed"}
    assert dear.server.seen.most_at_once > AT_ONCE // 4

    before, dear.server.behaviour.delay_s = dear.server.requests, 0.0
    shown = dear.resume("--max-usd", usd(3 * TOTAL_NANO_USD), *words)

    assert shown.code == 0, shown.err
    wanted = {(case, attempt) for case in numbered(CASES) for attempt in range(SAMPLES)}
    assert set(dear.rows("samples", "case_id, attempt")) == wanted
    answered = [line for line in dear.server.seen.log[before:] if line.fault is None]
    assert len(answered) == len(wanted) - len(generated), "an answer that was there has been generated again"
    assert dear.report()["subjects"][0]["total_cost_usd"]["value"] == pytest.approx(TOTAL_NANO_USD / NANO_USD)


@pytest.mark.check_all
def test_a_resumed_run_counts_what_its_answers_cost_against_the_cap(dear: Lab) -> None:
    words = ("--max-usd", usd(CAP_NANO_USD), "--max-tokens", str(TOKENS_OUT))
    dear.run("--eval-set", "small.toml", *words)

    for _ in range(3):
        assert dear.resume(*words).code == 4

    assert len(dear.rows("samples", "case_id")) * CALL_NANO_USD <= CAP_NANO_USD


def test_a_cap_that_pays_for_no_call_asks_nobody(dear: Lab) -> None:
    shown = dear.run("--eval-set", "small.toml", "--max-usd", usd(CALL_NANO_USD // 2))

    assert shown.code == 4
    assert dear.server.requests == 0


def test_a_model_without_a_price_is_not_asked_under_a_cap(lab: Lab) -> None:
    small_set(lab.folder, ["one"])
    where = f'kind = "openai"\nbase_url = "{lab.server.url("openai")}"'
    lab.configure("elsewhere/m", more=f"[providers.elsewhere]\n{where}")

    shown = lab.run("--eval-set", "small.toml", "--max-usd", "1")

    assert shown.code == 2
    assert "elsewhere/m" in shown.err
    assert lab.server.requests == 0
    assert lab.run("--eval-set", "small.toml", "--max-usd", "1", "--allow-unpriced").code == 0
