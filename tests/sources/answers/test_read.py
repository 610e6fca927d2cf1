"""Files of recorded answers: who is answered by which line, and what is refused where."""

import gzip
import json
import os
import pickle
import threading
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.request import Reply, Usage
from steelyard.model.sample import SampleKey
from steelyard.sources.answers.read import Answers, read_answers


def key(case: str = "add", attempt: int = 0, *, model: str = "openai/gpt-9", digest: str = "d1") -> SampleKey:
    return SampleKey(model, "T0", "sums", case, digest, attempt)


def written(folder: Path, *rows: object) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def read(folder: Path, *rows: object) -> Answers:
    return read_answers(written(folder, *rows))


def text(answers: Answers, wanted: SampleKey) -> str | None:
    reply = answers.find(wanted)
    return None if reply is None else reply.text


def refusal(folder: Path, *rows: object) -> str:
    with pytest.raises(InputError) as refused:
        read(folder, *rows)
    return str(refused.value).replace(f"{folder}/", "")


def test_an_answer_comes_back_with_all_that_was_recorded(tmp_path: Path) -> None:
    row = {
        "model": "openai/gpt-9",
        "tier": "T0",
        "suite": "sums",
        "case": "add",
        "attempt": 0,
        "text": "naïve ✓",
        "finish_reason": "stop",
        "tokens_in": 10,
        "tokens_out": 20,
        "tokens_cached": 3,
        "tokens_cache_written": 4,
        "tokens_reasoning": 5,
        "cost_usd": 0.0123,
        "latency_s": 1.25,
        "first_byte_s": 0.5,
        "request_id": "r1",
    }

    assert read(tmp_path, row).find(key()) == Reply(
        text="naïve ✓",
        finish_reason="stop",
        usage=Usage(tokens_in=10, tokens_out=20, tokens_cached=3, tokens_cache_written=4, tokens_reasoning=5),
        cost_nano_usd=12_300_000,
        first_byte_us=500_000,
        latency_us=1_250_000,
        request_id="r1",
    )


def test_what_was_not_recorded_is_unknown_and_not_zero(tmp_path: Path) -> None:
    nulls = {"cost_usd": None, "latency_s": None, "first_byte_s": None, "tokens_in": None}

    answers = read(tmp_path, {"case": "add", "text": ""}, {"case": "sub", "text": "x", **nulls})

    assert answers.find(key()) == Reply(text="")
    assert answers.find(key("sub")) == Reply(text="x")


def test_a_line_without_an_attempt_is_the_next_one_of_its_case(tmp_path: Path) -> None:
    rows = [{"case": case, "text": f"{case} {n}"} for n in range(3) for case in ("add", "sub")]

    answers = read(tmp_path, *rows)

    assert [text(answers, key("sub", n)) for n in range(4)] == ["sub 0", "sub 1", "sub 2", None]
    assert (answers.fewest_attempts(), answers.most_attempts(), len(answers)) == (3, 3, 6)


def test_a_case_with_fewer_answers_tells_how_many_can_be_generated_of_all(tmp_path: Path) -> None:
    rows = [{"case": case, "text": "x"} for case in ("add", "add", "add", "sub", "sub")]

    assert read(tmp_path, *rows).fewest_attempts() == 2


def test_attempts_may_come_in_any_order_and_with_gaps(tmp_path: Path) -> None:
    answers = read(tmp_path, *({"case": "add", "attempt": n, "text": str(n)} for n in (0, 7, 2, 1_000_000)))

    assert [text(answers, key(attempt=n)) for n in (0, 1, 2, 7)] == ["0", None, "2", "7"]
    assert answers.most_attempts() == 1_000_001


def test_a_line_without_a_model_answers_for_every_model(tmp_path: Path) -> None:
    answers = read(tmp_path, {"case": "add", "text": "anybody"})

    assert text(answers, key(model="a/b")) == text(answers, key(model="c")) == "anybody"
    assert not answers.models()


def test_the_line_that_says_more_goes_first_and_the_other_fills_its_gaps(tmp_path: Path) -> None:
    answers = read(
        tmp_path,
        {"case": "add", "attempt": 0, "text": "anybody 0"},
        {"case": "add", "attempt": 1, "text": "anybody 1"},
        {"case": "add", "attempt": 0, "text": "own", "model": "a/b", "tier": "T0", "suite": "sums"},
    )

    assert text(answers, key(model="a/b")) == "own"
    assert text(answers, key(model="a/b", attempt=1)) == "anybody 1"
    assert text(answers, key(model="c/d")) == "anybody 0"


@pytest.mark.parametrize(
    ("recorded", "found"), [("gpt-9", True), ("openai/gpt-9", True), ("gpt", False), ("openai", False)]
)
def test_a_model_is_known_with_and_without_its_provider(
    recorded: str, *, found: bool, tmp_path: Path
) -> None:
    answers = read(tmp_path, {"model": recorded, "case": "add", "text": "x"})

    assert (answers.find(key()) is not None) is found


@pytest.mark.parametrize("other", [{"tier": "T1"}, {"suite": "words"}, {"digest": "d2"}, {"model": "x/y"}])
def test_an_answer_to_another_question_is_not_given(other: dict[str, str], tmp_path: Path) -> None:
    assert read(tmp_path, {"case": "add", "text": "x", **other}).find(key()) is None


def test_models_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    rows = [{"model": model, "case": "add", "text": "x"} for model in ("z", "a", "z", "m")]

    assert read(tmp_path, *rows).models() == ("z", "a", "m")


@pytest.mark.parametrize(
    "row",
    [
        {"task_id": "HumanEval/0", "completion": "    return 1"},
        {"task_id": "HumanEval/0", "solution": "    return 1"},
        {"instance_id": "HumanEval/0", "model_name_or_path": "gpt-9", "model_patch": "    return 1"},
    ],
    ids=["HumanEval", "EvalPlus", "SWE-bench"],
)
def test_files_of_other_tools_are_understood(row: dict[str, str], tmp_path: Path) -> None:
    assert text(read(tmp_path, row), key("HumanEval/0")) == "    return 1"


def test_an_exported_run_is_understood_and_its_errors_are_no_answers(tmp_path: Path) -> None:
    names = {"model": "openai/gpt-9", "tier": "T0", "suite": "sums", "case_id": "add", "case_digest": "d1"}
    numbers = {"attempt": 0, "cost_nano_usd": 7, "latency_us": 8, "first_byte_us": 4, "tokens_in": 9}
    beside = {"case_key": -3, "generated_at_us": 5, "prompt_digest": "p", "parameters_digest": "q"}
    whole = {**names, **numbers, **beside, "answer_digest": "a", "error": None, "egress": "[]", "text": "x"}
    broken = {**whole, "attempt": 1, "text": "", "error": "timeout: too late"}

    answers = read(tmp_path, whole, broken)

    assert answers.find(key()) == Reply(
        text="x", cost_nano_usd=7, latency_us=8, first_byte_us=4, usage=Usage(tokens_in=9)
    )
    assert answers.find(key(attempt=1)) is None


def test_a_packed_file_reads_like_a_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl.gz"
    path.write_bytes(gzip.compress(written(tmp_path, {"case": "add", "text": "x"}).read_bytes()))

    assert text(read_answers(path), key()) == "x"


def test_marks_blank_lines_and_a_missing_last_line_end_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"case":"add","text":"a"}\r\n\r\n  \n{"case":"add","text":"b"}')
    answers = read_answers(path)

    assert [text(answers, key(attempt=n)) for n in range(2)] == ["a", "b"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"case": "add", "txt": "x"}, "unknown key 'txt'; did you mean 'text'?"),
        ({"case": "add", "zzzzz": "x"}, "unknown key 'zzzzz'; the keys are case, text, model,"),
        ({"case": "add"}, "there is no 'text'; each line needs 'case' and 'text'"),
        ({"text": "x"}, "there is no 'case'; each line needs 'case' and 'text'"),
        ({"case": "", "text": "x"}, "'case' is empty; name the case that this answers"),
        ({"case": "add", "text": 3}, "'text': found 3, expected text"),
        ({"case": ["add"], "text": "x"}, "'case': found a list, expected text"),
        ({"case": "a", "text": "x" , "tier": {}}, "'tier': found an object, expected text"),
        ({"case": "a", "text": "", "attempt": -1}, "'attempt': found -1, expected a whole number from 0, or"),
        ({"case": "a", "text": "x", "attempt": True}, "'attempt': found True, expected a whole number"),
        ({"case": "a", "text": "x", "tokens_in": 1.5}, "'tokens_in': found 1.5, expected a whole number"),
        ({"case": "a", "text": "x", "tokens_in": 2**63}, "'tokens_in': found 9223372036854775808, expected"),
        ({"case": "a", "text": "x", "cost_usd": -1}, "'cost_usd': found -1, expected a number from 0"),
        ({"case": "a", "text": "x", "cost_usd": "$1"}, "'cost_usd': found '$1', expected a number"),
        ({"case": "a", "text": "x", "cost_usd": 1e300}, "'cost_usd': found 1e+300, expected a number"),
        ({"case": "a", "task_id": "b", "text": "x"}, "'case' and 'task_id' say the same; leave one"),
        ({"case": "a", "text": "", "latency_s": 1, "latency_us": 1}, "'latency_s' and 'latency_us' say"),
        ([1], "found a list, expected an object such as {'case': …, 'text': …}"),
        ("x" * 100, f"found '{'x' * 59}..., expected an object"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_refused_with_its_place(row: object, message: str, tmp_path: Path) -> None:
    told = refusal(tmp_path, {"case": "good", "text": "x"}, row)

    assert told.startswith(f"answers.jsonl:2: {message}")


@pytest.mark.parametrize(
    "line", ["{", '{"case": "a", "text": "x", "cost_usd": NaN}', '{"case": "\\ud800", "text": ""}']
)
def test_what_is_not_json_is_refused_with_its_place(line: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{{"case": "a", "text": "x"}}\n{line}\n', encoding="utf-8")

    with pytest.raises(InputError, match=r"answers\.jsonl:2.*JSON"):
        read_answers(path)


def test_the_same_attempt_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    row = {"model": "m", "case": "add", "attempt": 0, "text": "x"}

    assert refusal(tmp_path, row, {**row, "model": "n"}, row) == (
        "answers.jsonl:3: attempt 0 of 'add' is also on line 1; take one of them out"
    )


def test_several_wrong_lines_are_told_at_once_but_not_a_thousand(tmp_path: Path) -> None:
    told = refusal(tmp_path, *([{}] * 1000)).splitlines()

    assert [line.split(":")[1] for line in told] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"answer.*file"),
        (b"\n\n", r"answer.*file"),
        ('{"case": "a"}'.encode("utf-16"), r"UTF.*UTF"),
    ],
)
def test_a_file_without_answers_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)

    with pytest.raises(InputError, match=message):
        read_answers(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"case": "a", "text": "x"}', r"packed.*gzip"),
        (gzip.compress(b"{}" * 500, mtime=0)[:-9], "damaged"),
        (gzip.compress(b"{}" * 500, mtime=0)[:10] + b"\xff" * 30, "damaged"),
    ],
)
def test_a_damaged_packed_file_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl.gz"
    path.write_bytes(content)

    with pytest.raises(InputError, match=message):
        read_answers(path)


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for name, message in (("none", "No such file"), ("pipe", "it is a pipe"), ("", "it is a folder")):
        with pytest.raises(InputError, match=f"cannot be read: {message}"):
            read_answers(tmp_path / name)
    with pytest.raises(InputError, match="cannot be read"):
        read_answers("a\0b")


def test_a_file_that_is_replaced_is_read_on_and_one_that_is_cut_is_refused(tmp_path: Path) -> None:
    answers = read(tmp_path, {"case": "add", "text": "before"})
    (tmp_path / "new").write_text("{}", encoding="utf-8")
    (tmp_path / "answers.jsonl").rename(tmp_path / "old")
    (tmp_path / "new").rename(tmp_path / "answers.jsonl")

    assert text(answers, key()) == "before"

    (tmp_path / "old").write_text('{"case": "add"}', encoding="utf-8")
    with pytest.raises(InputError, match=r"answers\.jsonl:1.*file"):
        answers.find(key())


def test_many_threads_get_the_same_answers(tmp_path: Path) -> None:
    answers = read(tmp_path, *({"case": f"c{n}", "text": str(n) * 50} for n in range(200)))
    wrong: list[int] = []

    def ask() -> None:
        wrong.extend(n for n in range(200) if text(answers, key(f"c{n}")) != str(n) * 50)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not wrong


def test_answers_travel_to_another_process_as_the_place_of_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, {"case": "add", "text": "x"})
    monkeypatch.chdir(tmp_path)
    packed = pickle.dumps(read_answers("answers.jsonl"))
    monkeypatch.chdir("/")

    assert text(pickle.loads(packed), key()) == "x"  # noqa: S301  # our own


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_a_closed_file_lets_go_of_its_descriptor(tmp_path: Path) -> None:
    before = descriptors()

    answers = read(tmp_path, {"case": "add", "text": "x"})
    held = descriptors()
    answers.close()

    assert (held - before, descriptors() - before) == (1, 0)


def test_replies_of_judges_are_nobody_elses_answers_and_no_answer_is_one_of_them(tmp_path: Path) -> None:
    judges_reply = {
        "model": "a/judge",
        "tier": "judge",
        "case": "add",
        "digest": "x",
        "text": "{}",
        "fence": "f",
    }
    plain = ({"case": "add", "text": "one"}, {"case": "add", "text": "two"})

    answers = read(tmp_path, *plain, judges_reply)

    assert (answers.models(), answers.fewest_attempts()) == ((), 2)
    found = answers.find(SampleKey("a/judge", "judge", "s", "add", "x", 0))
    assert found is not None
    assert (found.text, found.fence) == ("{}", "f")
    assert answers.find(SampleKey("b/judge", "judge", "s", "add", "x", 0)) is None
    assert answers.find(SampleKey("b/judge", "judge", "s", "add", "x", 1)) is None
