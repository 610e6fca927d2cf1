"""Malformed, truncated and future logs: each gives one clear message and exit code 2, never a traceback."""

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard import unpacking
from steelyard.cli.main import main
from steelyard.errors import InputError
from steelyard.logs import archive, files
from tests.logs import small_logs as small

Write = Callable[[Path], Path]
FUTURE = "found version"


def cut(write: Write, share: float) -> Write:
    """Return a log that ends in the middle."""

    def written(folder: Path) -> Path:
        path = write(folder)
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * share)])
        return path

    written.__name__ = f"{write.__name__}-{share}"
    return written


def changed(write: Write, change: Callable[[Any], object], name: str) -> Write:
    """Return a log in which a value of the JSON is another one."""

    def written(folder: Path) -> Path:
        path = write(folder)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            rows = [json.loads(line) for line in text.splitlines()]
            change(rows)
            return small.write_lines(path, rows)
        whole = json.loads(text)
        change(whole)
        return small.write_json(path, whole)

    written.__name__ = f"{write.__name__}-{name}"
    return written


def text(content: bytes | str, name: str) -> Write:
    def written(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    written.__name__ = name
    return written


def put(*keys: str | int, value: object) -> Callable[[Any], object]:
    def change(whole: Any) -> None:  # noqa: ANN401  # JSON
        for key in keys[:-1]:
            whole = whole[key]
        whole[keys[-1]] = value

    return change


def eval_with(members: dict[str, object], name: str) -> Write:
    def written(folder: Path) -> Path:
        return small.inspect_eval(folder, members)

    written.__name__ = f"inspect_eval-{name}"
    return written


SAMPLE = "samples/add_epoch_1.json"
DEEP = "[" * 200_000
TRUNCATED = [
    cut(write, share)
    for write in (
        small.inspect_json,
        small.inspect_eval,
        small.promptfoo_json,
        small.promptfoo_jsonl,
        small.evalplus,
        small.bigcodebench,
        small.nemo,
        small.deepeval,
        small.livecodebench,
        small.forgetest,
        small.terminal_bench,
        small.cruxeval,
        small.swe_bench,
    )
    for share in (0.45, 0.97)
]
FUTURES = [
    changed(small.inspect_json, put("version", value=3), "version"),
    changed(small.inspect_json, put("version", value="2"), "version-text"),
    eval_with({"header.json": small.inspect_header(version=99)}, "version"),
    changed(small.promptfoo_json, put("results", "version", value=5), "version"),
    changed(small.swe_bench, put("schema_version", value=3), "version"),
    changed(small.every_eval_ever, put(0, "schema_version", value="0.4.0"), "version"),
]
WRONG = [
    text("", "empty.json"),
    text("", "empty.eval"),
    text("{}", "nothing.json"),
    text("[]", "list.json"),
    text("null", "null.json"),
    text("not a log", "prose.json"),
    text("PK\x03\x04 and nothing more", "cut.eval"),
    text(b"\x1f\x8b\x08 no gzip", "packed.json.gz"),
    text(gzip.compress(b'{"version": 2', mtime=0)[:-6], "cut.json.gz"),
    text('{"eval": ' + DEEP, "deep.json"),
    text(b'{"date": "\xff\xfe", "eval": {}}', "latin.json"),
    text('{"eval": {"a": [{"base_status": ' + "9" * 5000 + "}]}}", "number.json"),
    changed(small.inspect_json, put("eval", "model", value=None), "no-model"),
    changed(small.inspect_json, put("eval", "task", value=["x"]), "task"),
    changed(small.inspect_json, put("samples", value={"a": 1}), "samples"),
    changed(small.inspect_json, put("samples", value=[]), "no-samples"),
    changed(small.inspect_json, put("samples", 0, value="x"), "sample"),
    changed(small.inspect_json, put("samples", 0, "id", value=None), "no-id"),
    changed(small.inspect_json, put("samples", 0, "epoch", value=0), "epoch"),
    changed(small.inspect_json, put("samples", 0, "epoch", value=2**70), "huge-epoch"),
    changed(small.inspect_json, put("samples", 1, "epoch", value=1), "doubled"),
    changed(small.inspect_json, put("samples", 0, "scores", value=[1]), "scores"),
    changed(small.inspect_json, put("samples", 0, "model_usage", "m", value=7), "usage"),
    changed(small.inspect_json, put("samples", 0, "working_time", value=-1), "time"),
    eval_with({"header.json": b"{", "_journal/start.json": None}, "header"),
    eval_with({SAMPLE: b"[1, 2]"}, "sample"),
    eval_with({SAMPLE: b'{"id": "add"'}, "sample-cut"),
    eval_with({"summaries.json": {"a": 1}}, "summaries"),
    changed(small.promptfoo_json, put("results", "results", 0, "success", value="yes"), "success"),
    changed(small.promptfoo_json, put("results", "results", 0, "score", value="much"), "score"),
    changed(small.promptfoo_json, put("results", "results", 0, "cost", value=-1), "cost"),
    changed(small.promptfoo_json, put("results", "results", 1, value=None), "row"),
    changed(small.promptfoo_json, put("results", "results", value=[]), "empty"),
    text("fn,[m] p,Status,Score,Grader Reason\nadd,x,MAYBE,1,\n", "status.csv"),
    text("fn,[m] p,Status,Score,Grader Reason\nadd,x,PASS,lots,\n", "score.csv"),
    text('fn,[m] p,Status,Score,Grader Reason\nadd,"x,PASS,1,\n', "quote.csv"),
    text("fn,[m] p,Status,Score,Grader Reason\nadd,x\n", "cells.csv"),
    text("Status,Score,Grader Reason\nPASS,1,ok\n", "no-answers.csv"),
    changed(small.lm_eval, put(0, "metrics", value=[]), "metrics"),
    changed(small.lm_eval, put(0, "metrics", value=["pass@10"]), "pass-at-10"),
    changed(
        small.lm_eval,
        put(0, value={"doc_id": None, "resps": [], "filter": "none", "metrics": ["a"], "a": 1}),
        "no-id",
    ),
    changed(small.bigcodebench, put("eval", "add", 0, "status", value="maybe"), "status"),
    changed(small.bigcodebench, put("eval", "add", value={"base": []}), "old-form"),
    changed(small.bigcodebench, put("eval", value={}), "empty"),
    changed(small.swe_bench, put("resolved_ids", value="a"), "ids"),
    changed(small.swe_bench, put("resolved_ids", value=[1]), "id"),
    text('{"instance_id": "a", "model_patch": "x"}\n', "preds.jsonl"),
    changed(small.nemo, put(0, "repeat", value=-1), "repeat"),
    changed(small.nemo, put(0, value={"problem_idx": None, "repeat": 0, "reward": 1}), "problem"),
    changed(small.deepeval, put("testCases", 0, "name", value=""), "name"),
    changed(small.deepeval, put("testCases", 0, "success", value="no"), "success"),
    changed(small.livecodebench, put(0, "graded_list", value=[1, 0]), "graded"),
    changed(small.livecodebench, put(0, "code_list", value=["x"]), "lengths"),
    changed(small.livecodebench, put(0, "metadata", value=["{", "{"]), "metadata"),
    changed(small.openai_evals, put(2, "data", "correct", value="yes"), "correct"),
    changed(small.openai_evals, lambda rows: rows.__delitem__(slice(1, -1)), "no-match"),
    changed(small.forgetest, put("results", 0, "attempt", value=0), "attempt"),
    changed(small.forgetest, put("results", 0, "case_id", value={}), "case"),
    changed(small.terminal_bench, put("results", 0, "task_id", value=None), "task"),
    changed(small.terminal_bench, put("results", 0, "is_resolved", value="yes"), "resolved"),
    changed(small.cruxeval, put("raw_generations", "add", value=["1"]), "lengths"),
    changed(small.cruxeval, put("raw_scored_generations", "add", value=["yes", "no"]), "verdicts"),
    text('[["def f(): ..."], ["def g(): ..."]]', "generations.json"),
    text('{"humaneval": {"pass@1": 0.5}, "config": {"tasks": "humaneval", "n_samples": 1}}', "bigcode.json"),
]
EVERY = [*TRUNCATED, *FUTURES, *WRONG]


def imported(path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Import a log that cannot be imported, and return the message."""
    code = main(["import", str(path), "--run", str(folder / "run")])

    out, message = capsys.readouterr()
    assert code == 2, (code, message)
    assert out == ""
    assert not (folder / "run" / "run.json").exists()
    return message


def test_there_are_enough_of_them() -> None:
    assert len(EVERY) >= 60


@pytest.mark.parametrize("write", EVERY, ids=lambda write: write.__name__)
def test_a_bad_log_gives_one_message_that_names_the_file(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)

    message = imported(path, tmp_path, capsys)

    assert message.startswith("error: ")
    assert message.count("error: ") == 1
    assert path.name in message or "is in these logs twice" in message
    assert "Traceback" not in message
    assert len(message) < 1_000


@pytest.mark.parametrize("write", FUTURES, ids=lambda write: write.__name__)
def test_a_log_of_a_later_version_says_which_versions_are_read(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert FUTURE in imported(write(tmp_path), tmp_path, capsys).replace("\n", " ")


def test_a_harbor_trial_that_is_damaged_names_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = small.harbor(tmp_path)
    (job / "add__0" / "result.json").write_text('{"trial_name": ', encoding="utf-8")

    assert "add__0/result.json" in imported(job, tmp_path, capsys)


def test_a_folder_without_a_log_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "neither a log" in imported(tmp_path, tmp_path, capsys)


def test_a_zip_bomb_is_not_unpacked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LARGEST_MEMBER", 2**20)
    path = small.inspect_eval(tmp_path, {"header.json": None})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("header.json", b" " * 2**24)

    assert "cannot read header.json" in imported(path, tmp_path, capsys)


def test_a_member_that_understates_its_size_is_not_unpacked_beyond_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("a", b" " * 2**20)
    monkeypatch.setattr(archive, "LARGEST_MEMBER", 2**10)

    with archive.Archive(path) as opened:
        opened._members["a"].file_size = 5
        try:
            data = opened.read("a")
        except Exception as error:  # noqa: BLE001  # whichever error it is, it is ours
            assert "damaged" in str(error)  # noqa: PT017  # or the size is noticed by the library
        else:
            assert data is None or len(data) <= 2**10


def test_a_packed_file_is_not_unpacked_beyond_the_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "LARGEST_PARSED", 2**10)
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b'{"version": 2}' + b" " * 2**20))

    assert "unpack it and pass the plain file" in imported(path, tmp_path, capsys)


def test_packed_lines_are_not_unpacked_beyond_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGEST_FILE", 2**10)
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 1_000))

    with pytest.raises(InputError, match=r"large.*log"):
        list(files.records(path))


def test_members_together_are_not_read_beyond_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LARGEST_ARCHIVE", 2**10)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w") as bomb:
        bomb.writestr("a", b" " * 1_000)

    with archive.Archive(path) as opened:
        assert opened.read("a") == b" " * 1_000
        with pytest.raises(InputError, match=r"large.*log"):
            opened.read("a")


def test_half_a_character_in_the_name_of_an_instance_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text('{"instance_\\ud800a": true}', encoding="ascii")

    assert main(["import", str(path), "--run", str(tmp_path / "run")]) == 0


def test_a_member_that_leads_out_of_the_archive_writes_nothing(tmp_path: Path) -> None:
    sample = small.inspect_sample("mul", 0, passed=True)
    path = small.inspect_eval(tmp_path, {"samples/../../../evil_epoch_1.json": sample})

    assert main(["import", str(path), "--run", str(tmp_path / "run")]) == 0
    assert {one.name for one in tmp_path.iterdir()} == {"log.eval", "run"}
