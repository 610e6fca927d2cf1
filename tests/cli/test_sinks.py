"""`--sink`: the report is shown and written first, and then sent."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from steelyard import plugins
from steelyard.model.sent_run import SentRun
from tests.commands import strict_json, typed
from tests.store.run.small_run import small_run

LAID_OUT = ("eval-sets/first.toml", "answers/first.jsonl")


class Loud:
    """A sink that prints, as clients of other systems do."""

    def send(self, run: SentRun) -> str:
        print("View run at", run.name)  # noqa: T201  # what must not reach the result
        Path("loud.txt").write_text(run.key, encoding="utf-8")
        return f"loud.txt, {len(run.subjects)} subjects"


class Broken:
    """A sink whose system is down."""

    def send(self, run: SentRun) -> str:
        raise ConnectionError("connection refused")


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Pretend that a package has brought two sinks."""
    points = [
        EntryPoint(name, f"{__name__}:{name.title()}", "steelyard.sinks") for name in ("loud", "broken")
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda *, group: [p for p in points if p.group == group])
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Make a small run."""
    small_run(tmp_path / "run").finish()
    return tmp_path / "run"


@pytest.fixture
def begin(capsys: pytest.CaptureFixture[str]) -> tuple[str, ...]:
    """Lay out a set with recorded answers, and return the words that run it."""
    typed(capsys, "init", "project")
    eval_set, answers = (f"project/{name}" for name in LAID_OUT)
    return ("run", eval_set, "--replay", answers, "--tiers", "T0", "--run", "r", "-q", "--samples", "1")


def test_a_report_is_sent_and_the_result_stays_clean(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "report", run, "--format", "json", "--sink", "loud")

    assert shown.code == 0
    assert strict_json(shown.out)["subjects"]
    assert shown.err == "View run at run\nsent to loud: loud.txt, 2 subjects\n"


def test_a_sink_that_fails_ends_with_3_after_the_report_was_shown_and_written(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--sink", "broken", "--sink", "loud", "-o", "r.json")

    shown = typed(capsys, "report", run, *words)

    assert shown.code == 3
    assert "acme/one" in shown.out
    assert Path("r.json").exists()
    assert Path("loud.txt").exists()
    assert "error: broken rejected the report: ConnectionError: connection refused\n" in shown.err
    assert f"The run is complete. Send its report again: steelyard report {run} --sink broken" in (shown.err)


def test_an_unknown_sink_is_refused_before_anything_is_generated(
    begin: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, *begin, "--sink", "load")

    assert shown.code == 2
    assert "'loud'" in shown.err
    assert not Path("r").exists()


def test_a_run_is_sent_when_it_is_complete(
    begin: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, *begin, "--sink", "loud")

    assert shown.code == 0
    assert shown.err.endswith("View run at r\nsent to loud: loud.txt, 1 subjects\n")


def test_a_run_whose_sink_fails_is_kept_and_ends_with_3(
    begin: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, *begin, "--sink", "broken")

    assert shown.code == 3
    assert "broken" in shown.err
    assert typed(capsys, "report", "r", "--sink", "loud").code == 0


def test_a_run_that_is_not_complete_is_not_sent(
    begin: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    record = f'[providers.lab]\nkind = "replay"\n[providers.lab.options]\npath = "{begin[3]}"\n'
    Path("lab.toml").write_text(record, encoding="utf-8")  # a provider with a price, which counts
    asked = ("run", begin[1], "--config", "lab.toml", "--models", "lab/m", "--run", "r", "-q")
    shown = typed(capsys, *asked, "--price", "lab/m=3/15", "--max-usd", "0.000001", "--sink", "loud")

    assert shown.code == 4
    assert "not sent to loud: the run is not complete\n" in shown.err
    assert not Path("loud.txt").exists()
