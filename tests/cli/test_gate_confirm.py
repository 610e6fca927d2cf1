"""`steelyard gate --confirm` resamples suspicious cases in both runs, and these samples alone decide."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.store.run.run_store import open_run
from tests.commands import Shown, strict_json, typed

CASES = 30
SET = '[eval_set]\nid = "small"\ndefault_language = "text"\n[sampling]\nsamples = 1\nseed = 7\n'
CASE = '[[cases]]\nid = "c{0:02d}"\nprompt = "Say yes."\n[cases.expectations.settings]\nexact = "yes"\n'
CONFIG = 'models = ["lab/m"]\n[providers.lab]\nkind = "replay"\n[providers.lab.options]\npath = "{0}.jsonl"\n'

Type = Callable[..., Shown]


def recorded(name: str, wrong: Callable[[int, int], bool] = lambda case, attempt: False) -> None:
    """Record ten answers to each case, which differ in spaces: equal answers count once."""
    lines = [
        json.dumps(
            {
                "case": f"c{case:02d}",
                "attempt": attempt,
                "text": f"{'no' if wrong(case, attempt) else 'yes'}{' ' * attempt}",
            }
        )
        for case in range(CASES)
        for attempt in range(10)
    ]
    Path(f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    Path(f"{name}.toml").write_text(CONFIG.format(name), encoding="utf-8")


@pytest.fixture
def steelyard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """A folder with a run `old` that is all right, and a way to type commands in it."""
    monkeypatch.chdir(tmp_path)
    Path("set.toml").write_text(
        SET + "".join(CASE.format(number) for number in range(CASES)), encoding="utf-8"
    )
    recorded("old")

    def command(*words: str) -> Shown:
        return typed(capsys, *words)

    assert command("run", "--eval-set", "set.toml", "--config", "old.toml", "--run", "old", "-q").code == 0
    return command


def generated(steelyard: Type, name: str) -> None:
    assert (
        steelyard("run", "--eval-set", "set.toml", "--config", f"{name}.toml", "--run", name, "-q").code == 0
    )


def confirmed(steelyard: Type, *words: str, baseline: str = "old") -> Shown:
    sides = (
        "--baseline",
        baseline,
        "--current",
        "new",
        "--config",
        "new.toml",
        "--baseline-config",
        "old.toml",
    )
    return steelyard("gate", *sides, "--confirm", "--quiet", "--margin", "0.2", *words)


def test_a_case_that_is_broken_is_confirmed_by_fresh_answers(steelyard: Type) -> None:
    recorded("new", lambda case, _: case == 3)
    generated(steelyard, "new")

    shown = confirmed(steelyard, "--format", "json")

    verdict = strict_json(shown.out)
    assert shown.code == 1
    assert (verdict["verdict"], verdict["form"]) == ("fail", "confirm, second stage")
    assert [case["case"] for case in verdict["subjects"][0]["broken_cases"]] == ["c03"]
    fresh = sorted(path.name.rpartition("-")[2] for path in Path("runs").iterdir())
    assert fresh == ["baseline", "current"]
    [current] = [open_run(path) for path in Path("runs").iterdir() if path.name.endswith("current")]
    assert [case.case for case in current.manifest.cases] == ["c03"]
    assert current.manifest.planned_samples == 10
    # The answers are fresh: no seed is used a second time.
    assert current.manifest.subjects[0].parameters["seed"] == "8"


@pytest.mark.check_all
def test_a_case_that_was_only_unlucky_is_not_and_a_kept_baseline_knows_whom_to_ask_again(
    steelyard: Type,
) -> None:
    recorded("new", lambda case, attempt: case == 3 and attempt == 0)
    generated(steelyard, "new")
    steelyard("baseline", "set", "main", "old")

    shown = confirmed(steelyard, baseline="main")

    assert shown.code == 0
    assert shown.out.startswith("PASS")
    assert len(list(Path("runs").iterdir())) == 2


@pytest.mark.check_all
def test_a_run_that_has_changed_since_its_report_was_kept_is_not_asked_again(steelyard: Type) -> None:
    recorded("new", lambda case, _: case == 3)
    generated(steelyard, "new")
    steelyard("baseline", "set", "main", "old")
    manifest = strict_json(Path("old/run.json").read_text(encoding="utf-8"))
    [suspect] = [case for case in manifest["cases"] if case["case"] == "c03"]
    suspect["digest"] = "another"
    Path("old/run.json").write_text(json.dumps(manifest), encoding="utf-8")

    shown = confirmed(steelyard, baseline="main")

    assert (shown.code, shown.out) == (2, "")
    assert "c03" in shown.err
    assert not Path("runs").exists()


@pytest.mark.check_all
def test_without_a_suspicion_nothing_is_generated(steelyard: Type) -> None:
    recorded("new")
    generated(steelyard, "new")

    shown = confirmed(steelyard)

    assert shown.code == 0
    assert not Path("runs").exists()


@pytest.mark.check_all
def test_what_is_asked_in_the_same_way_twice_is_refused(steelyard: Type) -> None:
    recorded("new", lambda case, _: case == 3)
    generated(steelyard, "new")

    shown = confirmed(steelyard, "--baseline-config", "new.toml")

    assert shown.code == 2
    assert "lab/m" in shown.err
    assert "--baseline-config" in shown.err
    assert not Path("runs").exists()


@pytest.mark.check_all
def test_an_outage_leaves_what_is_generated_and_the_same_command_goes_on(steelyard: Type) -> None:
    recorded("new", lambda case, _: case == 3)
    generated(steelyard, "new")
    whole = Path("new.jsonl").read_text(encoding="utf-8")
    Path("new.jsonl").write_text("\n".join(whole.splitlines()[:5]), encoding="utf-8")

    shown = confirmed(steelyard)

    assert shown.code == 3
    assert shown.out == ""
    assert "repeat this gate command" in shown.err
    Path("new.jsonl").write_text(whole, encoding="utf-8")
    assert confirmed(steelyard).code == 1
    assert len(list(Path("runs").iterdir())) == 2


@pytest.mark.check_all
def test_a_run_that_came_without_its_set_is_only_told_what_to_generate(steelyard: Type) -> None:
    recorded("new", lambda case, _: case == 3)
    generated(steelyard, "new")
    Path("old/eval-set.json").unlink()

    shown = confirmed(steelyard)

    assert shown.code == 4
    assert "Next: generate 10 fresh samples of this case in both runs" in shown.out
