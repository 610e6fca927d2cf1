"""A run in shards, put together, is the run that one machine makes."""

import json
from pathlib import Path
from shutil import rmtree

import pytest

import steelyard
from steelyard.errors import InputError, UserError
from steelyard.model.viewing import Mark
from steelyard.store.run.location import location_of
from steelyard.store.run.run_store import open_run as open_store
from steelyard.store.run.viewing.marks import add_mark, read_marks
from tests.commands import typed
from tests.e2e.lab import small_set

CASES = [f"case-{number}" for number in range(11)]
SHARDS = 4
SAMPLES = 3


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of eleven cases, and recorded answers of two models of which some are wrong."""
    monkeypatch.chdir(tmp_path)
    small_set(tmp_path, CASES, samples=SAMPLES)
    lines = [
        json.dumps({"model": model, "case": case, "text": "yes" if (number + attempt) % skip else "no"})
        for skip, model in ((3, "lab/a"), (2, "lab/b"))
        for number, case in enumerate(CASES)
        for attempt in range(SAMPLES)
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def run(address: str, shard: str | None = None, **more: object) -> steelyard.EndedRun:
    arguments = {"eval_set": "small.toml", "replay": "answers.jsonl", "shard": shard, **more}
    return steelyard.run(address=address, **arguments)  # type: ignore[arg-type]  # of different kinds


def shards(count: int = SHARDS) -> list[str]:
    return [run(f"shard-{index}", f"{index}/{count}").address for index in range(1, count + 1)]


@pytest.mark.timeout(900)
def test_merged_shards_give_the_bytes_of_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    run("one")

    shown = typed(capsys, "merge", *reversed(shards()), "--into", "merged")

    assert shown.code == 0, shown.err
    assert f"{SHARDS} shards, cases 11, subjects 2, samples of each case {SAMPLES}" in shown.out
    for form in ("json", "csv", "html", "junit"):
        texts = [typed(capsys, "report", place, "--format", form).out for place in ("one", "merged")]
        assert texts[0] == texts[1], form
        assert texts[0]


def test_the_report_of_a_shard_says_that_it_is_one() -> None:
    report = run("part", "2/4").report()

    assert report.warnings[-1] == "this run is shard 2/4 of a larger one; `merge` makes one run of all shards"


@pytest.mark.check_all
def test_every_case_is_in_one_shard() -> None:
    found = [case.case for place in shards() for case in steelyard.open_run(place).manifest.cases]

    assert sorted(found) == sorted(CASES)


@pytest.mark.check_all
def test_a_merged_run_is_a_run_like_any_other() -> None:
    parts = shards()
    mark = Mark(key=1, attempt=0, label="right", note="as meant", author="me", at="2026-11-16")
    add_mark(parts[1], mark)

    merged = steelyard.merge(parts, "merged")

    assert [case.case for case in merged.manifest.cases] == CASES
    assert merged.manifest.shard is None
    assert merged.manifest.id != steelyard.open_run(parts[0]).manifest.id
    assert list(read_marks("merged")) == [mark]
    assert len(merged.sql("SELECT attempt FROM samples").to_pandas()) == 2 * 11 * SAMPLES
    assert steelyard.run(resume="merged", replay="answers.jsonl").result.is_complete


def test_a_shard_that_goes_on_stays_a_shard() -> None:
    run("shard-1", "1/4")

    steelyard.run(resume="shard-1", replay="answers.jsonl")

    shard = steelyard.open_run("shard-1").manifest.shard
    assert shard is not None
    assert shard.name == "1/4"


@pytest.mark.parametrize("shard", ["0/4", "5/4", "1", "1/0", "a/b", "-1/4", "1/4/4", ""])
def test_a_part_that_is_none_is_refused(shard: str) -> None:
    with pytest.raises(UserError, match="expected a part such as 3/16"):
        run("shard", shard)


def test_more_shards_than_cases_are_refused() -> None:
    with pytest.raises(UserError, match=r"11.*cases"):
        run("shard", "1/12")


def test_a_run_that_goes_on_cannot_become_a_shard() -> None:
    run("one")

    with pytest.raises(UserError, match=r"run.*cases"):
        steelyard.run(resume="one", replay="answers.jsonl", shard="1/2")


@pytest.mark.parametrize(("begun", "named"), [(None, "1/2"), ("1/2", None), ("1/2", "1/2")])
def test_a_run_that_goes_on_stays_the_part_that_it_is(begun: str | None, named: str | None) -> None:
    run("one", begun)

    with pytest.raises(UserError, match="shard"):
        steelyard.run("small.toml", resume="one", replay="answers.jsonl", shard=named)


def test_missing_shards_are_named() -> None:
    places = shards()

    with pytest.raises(InputError, match=r"2.*4.*shards"):
        steelyard.merge([places[0], places[2]], "merged")


@pytest.mark.check_all
def test_a_shard_that_is_given_twice_is_refused() -> None:
    places = shards()

    with pytest.raises(InputError, match=r"shard 1/4 is named 2 times"):
        steelyard.merge([*places, places[0]], "merged")


def test_a_run_that_is_no_shard_is_refused() -> None:
    run("one")

    with pytest.raises(InputError, match=r"run.*shard"):
        steelyard.merge(["one"], "merged")


def test_no_shards_are_refused() -> None:
    with pytest.raises(InputError, match="name the shards"):
        steelyard.merge([], "merged")


def test_shards_of_other_numbers_are_refused() -> None:
    first, other = run("a", "1/2").address, run("b", "2/3").address

    with pytest.raises(InputError, match="shards"):
        steelyard.merge([first, other], "merged")


def test_shards_with_other_settings_are_refused() -> None:
    first, other = run("a", "1/2").address, run("b", "2/2", samples=1).address

    with pytest.raises(InputError, match="numbers"):
        steelyard.merge([first, other], "merged")


@pytest.mark.parametrize("table", ["samples", "outcomes"])
def test_a_shard_that_is_not_complete_is_refused(table: str) -> None:
    places = shards(2)
    getattr(open_store(places[1]).hold(), table).forget("attempt = 0")

    with pytest.raises(InputError, match=r"shard 2/2 is not complete; resume it first"):
        steelyard.merge(places, "merged")


@pytest.mark.check_all
def test_a_shard_whose_cases_changed_since_is_refused(folder: Path) -> None:
    places = shards(2)
    small_set(folder, CASES, exact="no", samples=SAMPLES)
    steelyard.regrade(places[1], eval_set="small.toml")

    with pytest.raises(InputError, match=r"eval.*set"):
        steelyard.merge(places, "merged")


@pytest.mark.check_all
def test_nothing_is_written_over() -> None:
    run("one")

    with pytest.raises(InputError, match="there is a run here already"):
        steelyard.merge(shards(), "one")


@pytest.mark.check_all
def test_a_merge_may_be_repeated_and_says_that_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["merge", *shards(2), "--into", "merged"]

    first, again = typed(capsys, *words), typed(capsys, *words)

    assert (first.code, again.code) == (0, 0)
    assert again.out == first.out
    assert (first.err, again.err) == ("", "merged: these shards are merged here already\n")


@pytest.mark.check_all
def test_a_merge_of_shards_that_were_generated_again_since_is_refused(folder: Path) -> None:
    places = shards(2)
    steelyard.merge(places, "merged")
    rmtree(places[1])
    text = (folder / "answers.jsonl").read_text(encoding="utf-8")
    (folder / "answers.jsonl").write_text(text.replace('"no"', '"never"'), encoding="utf-8")
    run(places[1], "2/2")

    with pytest.raises(InputError, match="there is a run here already"):
        steelyard.merge(places, "merged")


@pytest.mark.check_all
def test_a_suite_without_cases_does_not_keep_shards_apart(folder: Path) -> None:
    text = (folder / "small.toml").read_text(encoding="utf-8")
    suites = '[[suites]]\nid = "default"\n[[suites]]\nid = "later"\n'
    (folder / "small.toml").write_text(text.replace("[sampling]", f"{suites}[sampling]"), encoding="utf-8")

    assert len(steelyard.merge(shards(2), "merged").manifest.cases) == len(CASES)


def test_shards_of_different_buckets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    places = shards(2)
    stores = [open_store(place) for place in places]
    stores[1].location = location_of("s3://other/shard")
    monkeypatch.setattr("steelyard.store.run.merging.open_run", dict(zip(places, stores, strict=True)).get)

    with pytest.raises(InputError, match="buckets"):
        steelyard.merge(places, "merged")


def stop_at_first_pass(folder: Path) -> None:
    """Let the set stop a case by a rule, at as many samples as before at most."""
    text = (folder / "small.toml").read_text(encoding="utf-8")
    rule = f'stop_rule = "maximum={SAMPLES},passes=1"'
    (folder / "small.toml").write_text(text.replace(f"samples = {SAMPLES}", rule), encoding="utf-8")


def without_answers(folder: Path, case: str, *, after: int = 0) -> None:
    """Take a case's answers of the first model out of the record; a number of them stays."""
    lines = (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    own = [line for line in lines if f'"{case}"' in line and '"lab/a"' in line]
    kept = [line for line in lines if line not in own] + own[:after]
    (folder / "answers.jsonl").write_text("\n".join(kept), encoding="utf-8")


@pytest.mark.check_all
@pytest.mark.parametrize("after", [0, 1])
def test_a_shard_whose_errors_last_is_merged_with_a_stop_rule_too(folder: Path, after: int) -> None:
    stop_at_first_pass(folder)
    without_answers(folder, "case-3", after=after)
    places = shards(2)

    merged = steelyard.merge(places, "merged")

    failed = merged.sql("SELECT attempt FROM samples WHERE error IS NOT NULL").to_pandas()
    assert len(failed) == SAMPLES - after


@pytest.mark.check_all
def test_a_case_with_errors_and_samples_left_to_generate_keeps_its_shard_open(folder: Path) -> None:
    stop_at_first_pass(folder)
    without_answers(folder, "case-3")
    places = shards(2)
    open_store(places[1]).hold().samples.forget("case_id = 'case-3' AND error IS NOT NULL AND attempt = 2")

    with pytest.raises(InputError, match=r"shard 2/2 is not complete"):
        steelyard.merge(places, "merged")


@pytest.mark.check_all
def test_a_shard_that_a_stop_rule_has_not_ended_is_refused(folder: Path) -> None:
    stop_at_first_pass(folder)
    places = shards(2)
    for table in ("samples", "outcomes"):
        getattr(open_store(places[1]).hold(), table).forget("case_id = 'case-3'")

    with pytest.raises(InputError, match=r"shard 2/2 is not complete"):
        steelyard.merge(places, "merged")


def test_a_shard_with_an_interrupted_regrade_is_not_merged() -> None:
    places = shards(2)
    pending = open_store(places[0]).location.child("regrade")
    pending.write("work.json", b'{"name": "r", "is_checked": true, "forms": []}')

    with pytest.raises(InputError, match="interrupted"):
        steelyard.merge(places, into="merged")
