"""A line for each call: in a file for scripts, on the screen for people, and without keys in either."""

import json
from typing import Any

import pytest

from tests.e2e.lab import KEY, Lab, numbered, small_set
from tests.fake_providers.faults import Fault, first_times

CASES = 3
MODEL = "openai/m"


@pytest.fixture
def busy(lab: Lab) -> Lab:
    """A set of a few cases, and a service that refuses the first call of each."""
    small_set(lab.folder, numbered(CASES))
    lab.configure(MODEL)
    lab.server.behaviour.faults = first_times(1, Fault(name="rate_limited", retry_after="0"))
    lab.server.behaviour.answer = lambda _: "yes"
    return lab


def logged(lab: Lab) -> list[dict[str, Any]]:
    """Return the calls of the log."""
    lines = (lab.folder / "logs" / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_log_has_a_line_for_each_call(busy: Lab) -> None:
    shown = busy.run("small.toml", "--log-file", "logs/calls.jsonl")

    assert shown.code == 0, shown.err
    calls = logged(busy)
    assert len(calls) == busy.server.requests == 2 * CASES
    assert sorted((one["case"], one["number"], one["ended"]) for one in calls) == sorted(
        (case, number, ended)
        for case in numbered(CASES)
        for number, ended in ((1, "rate_limited"), (2, "ok"))
    )
    assert {one["will_retry"] for one in calls if one["ended"] == "ok"} == {False}
    assert all(one["cost_usd"] > 0 and one["latency_s"] > 0 for one in calls if one["ended"] == "ok")


def test_a_line_is_shown_for_each_call(busy: Lab) -> None:
    shown = busy.run("small.toml", "--verbose")

    assert shown.err.count("rate_limited in call 1, tried again") == CASES
    assert shown.err.count("answered in call 2") == CASES


def test_neither_has_a_key_that_the_service_repeats(busy: Lab) -> None:
    busy.server.behaviour.faults = first_times(9, Fault(name="bad_key"))

    shown = busy.run("small.toml", "--verbose", "--log-file", "logs/calls.jsonl")

    assert shown.code == 3
    assert logged(busy)[0]["ended"] == "bad_key"
    assert KEY not in shown.err
    assert KEY not in (busy.folder / "logs" / "calls.jsonl").read_text(encoding="utf-8")


def test_a_log_that_cannot_be_written_is_said_before_anything_is_called(busy: Lab) -> None:
    shown = busy.run("small.toml", "--log-file", "small.toml/calls.jsonl")

    assert (shown.code, busy.server.requests) == (2, 0)
    assert "small.toml/calls.jsonl: cannot be written" in shown.err
