"""A service that goes down stops the run, loses nothing, and the run is finished when it is up again."""

import pytest

from steelyard.runner.generate.generator import MOST_IN_A_ROW
from tests.e2e.lab import RUN, Lab, numbered, small_set
from tests.fake_providers.asked import Asked
from tests.fake_providers.faults import Fault

CASES, SAMPLES, BEFORE = 20, 5, 40
TOTAL = CASES * SAMPLES
RESET = Fault(name="reset")


@pytest.fixture
def failing(lab: Lab) -> Lab:
    """A lab whose service answers for a while and then drops every connection."""
    small_set(lab.folder, numbered(CASES), samples=SAMPLES)

    def down(asked: Asked) -> Fault | None:
        return RESET if asked.arrival >= BEFORE else None

    lab.server.behaviour.faults = down
    return lab


def test_an_outage_stops_the_run_and_the_resumed_run_generates_only_what_is_missing(failing: Lab) -> None:
    shown = failing.run("--eval-set", "small.toml", "--retries", "0", "--seed", "0")

    assert shown.code == 3
    assert f"stopped calling openai: the last {MOST_IN_A_ROW} answers all failed; last error: " in shown.err
    assert shown.err.endswith(f"next: steelyard run --resume {RUN}\n")
    assert len(failing.rows("samples", "case_id", where="error IS NULL")) == BEFORE
    assert len(failing.rows("samples", "case_id", where="error IS NOT NULL")) == MOST_IN_A_ROW - 1
    assert failing.rows("outcomes", "DISTINCT classification") == [("error",), ("pass",)]

    before, failing.server.behaviour.faults = failing.server.requests, lambda asked: None
    shown = failing.resume()

    assert shown.code == 0, shown.err
    answered = {(one.prompt, one.seed) for one in failing.server.seen.asked[:BEFORE]}
    again = [(one.prompt, one.seed) for one in failing.server.seen.asked[before:]]
    assert len(again) == len(set(again)) == TOTAL - BEFORE
    assert not answered & set(again)
    assert failing.rows("outcomes", "classification") == TOTAL * [("pass",)]


@pytest.mark.check_all
def test_one_service_that_is_down_does_not_stop_another(failing: Lab) -> None:
    failing.configure("openai/m", "google/m")
    failing.server.behaviour.faults = lambda asked: RESET if asked.vendor == "openai" else None

    shown = failing.run("--eval-set", "small.toml", "--retries", "0")

    assert shown.code == 3
    assert "stopped calling openai" in shown.err
    assert "stopped calling google" not in shown.err
    assert len(failing.rows("samples", "case_id", where="model = 'google/m' AND error IS NULL")) == TOTAL


def test_a_service_that_nobody_reaches_is_our_error(lab: Lab) -> None:
    small_set(lab.folder, ["one"])
    lab.configure("gone/m", more='[providers.gone]\nkind = "openai"\nbase_url = "http://127.0.0.1:9/v1"')

    shown = lab.run("--eval-set", "small.toml", "--retries", "1")

    assert shown.code == 3
    assert "1 sample excluded (infrastructure errors): unreachable 1\n" in shown.err
    assert "  unreachable: gone/m at http://127.0.0.1:9/v1: " in shown.err
