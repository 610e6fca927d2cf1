"""The command of seed 000 works as it is written there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import steelyard
from steelyard.store.run.run_store import open_run
from tests.e2e.answers import answering
from tests.e2e.lab import Lab, small_set

CASES = 3
SEED = "run --eval-set eval-sets/rust-basics.toml --pass-k 1,5 --temperature 0.8"


def shorten(eval_set: Path) -> None:
    """Leave the first few cases of an eval set."""
    head, *cases = eval_set.read_text(encoding="utf-8").split("[[cases]]")
    eval_set.write_text("[[cases]]".join([head, *cases[:CASES]]), encoding="utf-8")


def test_the_seeds_command_generates_five_samples_of_every_case_and_reports_both_k(lab: Lab) -> None:
    lab.server.behaviour.answer = answering(steelyard.read_eval_set("rust-basics"))
    lab.configure("openai/strong")
    assert lab.typed("init", "--set", "rust-basics").code == 0
    # Sixteen cases take a while; three of them tell as much.
    shorten(Path("eval-sets/rust-basics.toml"))

    done = subprocess.run(
        [sys.executable, "-m", "steelyard", *SEED.split()], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    [run] = Path("runs").iterdir()
    details = lab.typed("report", run, "--details").out
    assert "pass@1" in details
    assert "pass@5" in details
    manifest = open_run(run).manifest
    assert (manifest.planned_samples, len(manifest.cases)) == (5, CASES)
    assert {json.dumps(asked.body["temperature"]) for asked in lab.server.seen.asked} == {"0.8"}
    assert lab.server.requests == 5 * CASES


def test_the_environment_may_name_the_models(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.configure()
    monkeypatch.setenv("STEELYARD_RUN_MODELS", "openai/one,openai/two")
    small_set(lab.folder, ["one"])

    assert lab.run("--eval-set", "small.toml").code == 0
    assert sorted(asked.model for asked in lab.server.seen.asked) == ["one", "two"]


def test_more_than_one_sample_at_temperature_0_is_warned_of(lab: Lab) -> None:
    small_set(lab.folder, ["one"])

    shown = lab.run("--eval-set", "small.toml", "--pass-k", "1,3", "--temperature", "0")

    assert shown.code == 0
    assert shown.err.startswith("warning: pass@3 of openai/m at temperature 0: answers will hardly differ")
    assert lab.server.requests == 3


def test_without_a_larger_k_there_is_one_sample_and_no_warning(lab: Lab) -> None:
    small_set(lab.folder, ["one"])

    shown = lab.run("--eval-set", "small.toml", "--temperature", "0")

    assert (shown.code, "warning" in shown.err) == (0, False)
    assert lab.server.requests == 1


def test_a_set_that_names_fewer_samples_than_the_largest_k_gets_as_many_as_that_k(lab: Lab) -> None:
    small_set(lab.folder, ["one"], samples=2)

    assert lab.run("--eval-set", "small.toml", "--pass-k", "1,4").code == 0
    assert lab.server.requests == 4


def test_nobody_to_ask_is_said_before_anything_is_written(lab: Lab) -> None:
    lab.configure()
    small_set(lab.folder, ["one"])

    shown = lab.run("--eval-set", "small.toml")

    assert shown.code == 2
    assert "no models" in shown.err
    assert not Path("runs").exists()
