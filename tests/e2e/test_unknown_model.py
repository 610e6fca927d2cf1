"""A misspelt model is seen at once, named, and put right without paying twice."""

import pytest

from tests.e2e.lab import RUN, Lab, numbered, small_set
from tests.fake_providers.asked import Asked
from tests.fake_providers.faults import Fault

CASES = 30
TYPO, RIGHT = "openai/gpt-5-minni", "openai/gpt-5-mini"


def typo_is_unknown(asked: Asked) -> Fault | None:
    return Fault(name="unknown_model") if asked.model == "gpt-5-minni" else None


@pytest.fixture
def stopped(lab: Lab) -> Lab:
    """A run of two models of one vendor, of which the second is misspelt."""
    small_set(lab.folder, numbered(CASES))
    lab.server.behaviour.faults = typo_is_unknown
    lab.server.behaviour.delay_s = 0.05
    shown = lab.run("small.toml", "--models", f"{RIGHT},anthropic/m,{TYPO}")
    assert shown.code == 3
    lab.error = shown.err  # type: ignore[attr-defined]  # for the tests below
    return lab


def test_it_is_named_with_the_nearest_and_the_next_command(stopped: Lab) -> None:
    error: str = stopped.error  # type: ignore[attr-defined]  # see above

    assert f"openai does not know the model {TYPO}. Is it {RIGHT}?" in error
    assert f"--replace-model {TYPO}={RIGHT}" in error
    assert f"--drop-model {TYPO}" in error


def test_it_is_seen_before_much_is_generated_and_what_came_is_kept(stopped: Lab) -> None:
    generated = len(stopped.rows("samples", "case_id"))

    assert generated < CASES
    assert generated == sum(one.model != "gpt-5-minni" for one in stopped.server.seen.asked)


@pytest.mark.check_all
def test_it_can_be_dropped(stopped: Lab) -> None:
    shown = stopped.resume("--drop-model", TYPO)

    assert shown.code == 0, shown.err
    assert {row["model"] for row in stopped.report()["subjects"]} == {RIGHT, "anthropic/m"}
    assert len(stopped.rows("samples", "case_id")) == 2 * CASES


@pytest.mark.check_all
def test_it_can_be_replaced(stopped: Lab) -> None:
    shown = stopped.resume("--replace-model", f"{TYPO}=google/m")

    assert shown.code == 0, shown.err
    assert {row["model"] for row in stopped.report()["subjects"]} == {RIGHT, "anthropic/m", "google/m"}
    assert stopped.resume().code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--drop-model", "openai/gpt-6"), "the run has no such model"),
        (("--replace-model", f"{TYPO}={RIGHT}"), "is in the run already"),
        (("--drop-model", RIGHT), "has answers in this run, and they stay"),
    ],
)
def test_what_cannot_be_changed_says_why(stopped: Lab, words: tuple[str, ...], message: str) -> None:
    shown = stopped.resume(*words)

    assert shown.code == 2
    assert message in shown.err


def test_a_new_run_has_nothing_to_drop(lab: Lab) -> None:
    small_set(lab.folder, numbered(2))

    shown = lab.typed("run", "small.toml", "--drop-model", "openai/m", "--run", RUN)

    assert shown.code == 2
    assert "change a resumed run" in shown.err
