"""Reports are sent to other systems; what fails there is said, without secrets, and loses nothing here."""

import re
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import steelyard
from steelyard import plugins
from steelyard.errors import SinkError, UnknownName, UserError
from steelyard.model.sent_run import SentRun
from tests.store.run.small_run import MANIFEST, small_run

SECRET = "sk-0123456789abcdef"


class Remembering:
    """A sink that keeps what it was sent."""

    def __init__(self) -> None:
        self.runs: list[SentRun] = []

    def send(self, run: SentRun) -> str:
        self.runs.append(run)
        return "here\nand there"


class Refusing:
    """A sink whose system repeats every secret that it was given."""

    def send(self, run: SentRun) -> str:
        raise RuntimeError(f"403 for https://me:pass@tracker.example/api\nwith {SECRET}")


class NotSetUp:
    """A sink without its settings."""

    def __init__(self) -> None:
        raise ValueError(f"no server for key {SECRET}")

    def send(self, run: SentRun) -> str:
        raise NotImplementedError


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Make a small run."""
    small_run(tmp_path / "run").finish()
    return tmp_path / "run"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that packages have brought sinks."""
    kinds = {"remembering": "Remembering", "unset": "NotSetUp"}
    points = [EntryPoint(name, f"{__name__}:{kind}", "steelyard.sinks") for name, kind in kinds.items()]
    monkeypatch.setattr(plugins, "entry_points", lambda *, group: [p for p in points if p.group == group])


def sent(run: Path) -> SentRun:
    """Return what a sink gets of a run."""
    sink = Remembering()
    steelyard.send_report(steelyard.report_run(run), run, sinks={"mine": sink})
    (found,) = sink.runs
    return found


def test_a_sink_gets_every_subject_with_numbers_and_parameters(run: Path) -> None:
    found = sent(run)

    first = found.subjects[0]
    estimate = found.report.subjects[0].pass_at_k[0].estimate
    bounds = estimate.intervals[0]
    assert [one.model for one in found.subjects] == ["acme/one", "acme/two"]
    assert first.parameters == {"model": "acme/one", "tier": "T0"}
    assert [first.metrics[f"pass_at_1{end}"] for end in ("", "_low", "_high")] == [
        estimate.value,
        bounds.low,
        bounds.high,
    ]


def test_a_sink_gets_the_name_of_the_run_and_how_the_report_was_made(run: Path) -> None:
    found = sent(run)

    assert found.name == "run"
    assert found.parameters == {"run": MANIFEST.id, "created_at": MANIFEST.created_at}
    assert found.tags["scoring"] == "build-test-lint"
    assert found.tags["level"] == "0.95"


def test_the_report_goes_along_as_json_and_as_a_page(run: Path, tmp_path: Path) -> None:
    found = sent(run)

    steelyard.write_result(found.report, tmp_path / "report.json")
    assert found.files["report.json"] == (tmp_path / "report.json").read_text(encoding="utf-8")
    assert found.files["report.html"].startswith("<!doctype html>")


def test_no_answer_and_no_path_is_sent(run: Path) -> None:
    found = repr(sent(run))

    assert "answer 0 of" in repr(steelyard.sample_excerpts(run))
    assert "answer 0 of" not in found
    assert str(run.parent) not in found


@pytest.mark.check_all
def test_keys_stay_the_same_and_differ_between_subjects(run: Path) -> None:
    first, again = sent(run), sent(run)

    keys = [first.key, *(one.key for one in first.subjects)]
    assert keys == [again.key, *(one.key for one in again.subjects)]
    assert len(set(keys)) == 3
    assert all(re.fullmatch("[0-9a-f]{32}", key) for key in keys)


@pytest.mark.usefixtures("installed")
def test_a_sink_of_a_package_is_found_by_its_name(run: Path) -> None:
    places = steelyard.send_report(steelyard.report_run(run), run, sinks="remembering")

    assert places == {"remembering": "here and there"}


@pytest.mark.usefixtures("installed")
def test_a_misspelt_sink_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"'rememberin'.*'remembering'"):
        steelyard.find_sinks("rememberin")


def test_without_sinks_nothing_is_read() -> None:
    found = steelyard.send_report(steelyard.score_files("examples/rust-basics/baseline.csv"), "/no", sinks=())

    assert found == {}


def test_a_sink_that_fails_keeps_no_other_from_getting_the_report(run: Path) -> None:
    sink = Remembering()
    sinks = {"bad": Refusing(), "good": sink}

    with pytest.raises(SinkError, match="RuntimeError") as failure:
        steelyard.send_report(steelyard.report_run(run), run, sinks=sinks)

    assert len(sink.runs) == 1
    assert re.search("^good .*: here and there$", str(failure.value), re.MULTILINE)
    assert f"steelyard report {run} --sink bad" in str(failure.value)


def test_no_message_and_no_cause_of_it_shows_a_secret(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACKER_API_KEY", SECRET)

    with pytest.raises(SinkError) as failure:
        steelyard.send_report(steelyard.report_run(run), run, sinks={"bad": Refusing()})

    assert "https://[credentials]@tracker.example/api with [TRACKER_API_KEY]" in str(failure.value)
    assert failure.value.__cause__ is None
    assert failure.value.__context__ is None


@pytest.mark.usefixtures("installed")
def test_a_sink_that_cannot_be_made_is_the_users_to_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACKER_TOKEN", SECRET)

    with pytest.raises(UserError, match=r"'unset'.*ValueError") as failure:
        steelyard.find_sinks(["unset"])

    assert SECRET not in str(failure.value)
    assert failure.value.__context__ is None


def test_a_run_that_is_not_finished_is_not_sent(run: Path) -> None:
    unfinished = replace(steelyard.report_run(run), planned_samples=900)

    with pytest.raises(UserError, match=r"900.*complete"):
        steelyard.send_report(unfinished, run, sinks={"mine": Remembering()})
