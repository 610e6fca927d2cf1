"""`steelyard regrade`: what it says, and how it ends."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.app.run_handle import open_run
from steelyard.sandbox.process_tree import ProcessTree
from steelyard.sources.evalset.read import read_eval_set
from tests.cli.runs import CASES, Started, laid_out
from tests.commands import Shown, typed

Type = Callable[..., Shown]


@pytest.fixture
def steelyard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """A folder with a finished run `r` whose answers are all `yes`, and a way to type commands in it."""
    monkeypatch.chdir(laid_out(tmp_path, pause_s=0.0))
    answers = [f'{{"case": "c{case}", "model": "lab/m", "text": "yes"}}\n' for case in range(CASES)]
    Path("answers.jsonl").write_text("".join(answers * 3), encoding="utf-8")

    def command(*words: str) -> Shown:
        return typed(capsys, *words)

    begun = command("run", "--eval-set", "set.toml", "--replay", "answers.jsonl", "--run", "r", "-q")
    assert begun.code == 0
    return command


def changed(old: str, new: str, *, at: int) -> None:
    """Change the eval set in the table of one case."""
    head, *cases = Path("set.toml").read_text(encoding="utf-8").split("[[cases]]")
    cases[at] = cases[at].replace(old, new)
    Path("new.toml").write_text("[[cases]]".join([head, *cases]), encoding="utf-8")


@pytest.mark.check_all
def test_nothing_to_check_is_said_and_so_is_the_way_to_check_all(steelyard: Type) -> None:
    shown = steelyard("regrade", "r", "-q")

    assert (shown.code, shown.err) == (0, "")
    assert shown.out.splitlines()[0].startswith("run r: nothing to check: ")
    assert steelyard("regrade", "r", "-q", "--all").out.splitlines() == [
        "run r: 12 answers to 4 cases checked again",
        "no outcome changed",
        "next: steelyard report r",
    ]


def test_what_changed_is_counted_and_named(steelyard: Type) -> None:
    changed('exact = "yes"', 'exact = "no"', at=1)

    shown = steelyard("regrade", "r", "-q", "--eval-set", "new.toml")

    assert shown.code == 0
    assert shown.out.splitlines() == [
        "run r: 3 answers to 1 case checked again; 1 changed case",
        "3 outcomes changed: pass → fail 3",
        "  default / c1, lab/m (T0): pass → fail 3",
        "next: steelyard report r",
    ]


def test_what_cannot_be_taken_over_is_named_with_the_command_that_generates_it(steelyard: Type) -> None:
    changed("Say yes.", "Say it.", at=2)
    with Path("new.toml").open("a", encoding="utf-8") as file:
        file.write('[[cases]]\nid = "c9"\nprompt = "?"\n[cases.expectations.settings]\nexact = "!"\n')

    shown = steelyard("regrade", "r", "-q", "--eval-set", "new.toml")

    assert shown.code == 0
    assert "not checked again, since their prompts changed: c2" in shown.out
    assert "not in the run: c9" in shown.out
    assert "to generate these: steelyard run --resume r --eval-set new.toml" in shown.out


@pytest.mark.check_all
def test_checks_that_break_replace_nothing(steelyard: Type) -> None:
    changed('exact = "yes"', "", at=0)  # now nothing is demanded of an answer: a mistake of the set

    shown = steelyard("regrade", "r", "-q", "--eval-set", "new.toml")

    assert shown.code == 3, shown
    assert "nothing is replaced: 3 checks newly failed for infrastructure reasons" in shown.out
    assert "next: steelyard regrade r --eval-set new.toml, or with --allow-errors" in shown.out
    assert steelyard("regrade", "r", "-q", "--eval-set", "new.toml", "--allow-errors").code == 0


@pytest.mark.check_all
def test_an_interrupted_regrade_changes_nothing_and_goes_on(steelyard: Type, tmp_path: Path) -> None:
    # Patterns that nobody can wait for: the check gives up after a minute.
    answers = Path("answers.jsonl").read_text(encoding="utf-8").replace("yes", f"{'a' * 80}!")
    Path("answers.jsonl").write_text(answers, encoding="utf-8")
    steelyard("run", "--eval-set", "set.toml", "--replay", "answers.jsonl", "--run", "s", "-q")
    slow = Path("set.toml").read_text(encoding="utf-8").replace('exact = "yes"', "regex = '(a|aa)+$'")
    Path("new.toml").write_text(slow, encoding="utf-8")
    started = Started(tmp_path, "s", "--eval-set", "new.toml", command="regrade")
    started.wait_for((tmp_path / "s" / "regrade" / "work.json").exists)
    searched = ProcessTree(started.process.pid)
    begun_s = searched.cpu_s()
    started.wait_for(lambda: searched.cpu_s() > begun_s + 1)  # it spends its time on a pattern

    started.interrupt()
    started.wait_for(lambda: "finishing checks; press Ctrl-C again to stop" in started.seen())
    started.interrupt()

    assert started.ended() == 130
    shown = steelyard("regrade", "s", "-q", "--all")
    assert shown.out.splitlines()[:2] == ["run s: 12 answers to 4 cases checked again", "no outcome changed"]


@pytest.mark.check_all
def test_a_run_generated_by_a_stop_rule_is_not_mixed_up(steelyard: Type) -> None:
    changed("samples = 3", "samples = 3", at=0)
    text = Path("set.toml").read_text(encoding="utf-8")
    ruled = text.replace("samples = 3", "stop_rule = 'maximum=3,passes=1'")
    Path("ruled.toml").write_text(ruled, encoding="utf-8")
    Path("new.toml").write_text(ruled.replace('exact = "yes"', 'exact = "no"'), encoding="utf-8")
    steelyard("run", "--eval-set", "ruled.toml", "--replay", "answers.jsonl", "--run", "s", "-q")

    shown = steelyard("regrade", "s", "-q", "--eval-set", "new.toml")

    assert shown.code == 2
    assert "stop rule would have ended at other samples" in shown.out
    *_, again, export = shown.out.splitlines()
    assert export == "next: steelyard export s --table samples --eval-set new.toml -o answers.jsonl"
    assert again.endswith(": steelyard run --eval-set new.toml --replay answers.jsonl")


@pytest.mark.check_all
def test_answers_of_a_run_with_a_stop_rule_are_generated_by_the_rule_again(steelyard: Type) -> None:
    words = {"c1": ["no", "no", "yes"]}
    answers = [
        {"case": f"c{case}", "model": "lab/m", "text": text}
        for case in range(CASES)
        for text in words.get(f"c{case}", ["yes"] * 3)
    ]
    Path("answers.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in answers), encoding="utf-8")
    changed('exact = "yes"', 'exact = "no"', at=1)
    for name in ("set.toml", "new.toml"):
        text = Path(name).read_text(encoding="utf-8").replace('reference = "yes"\n', "")
        text = text.replace("samples = 3", "stop_rule = 'maximum=3,passes=1'")
        Path(name).write_text(text, encoding="utf-8")
    steelyard("run", "--eval-set", "set.toml", "--replay", "answers.jsonl", "--run", "s", "-q")
    assert "ended at other samples" in steelyard("regrade", "s", "-q", "--eval-set", "new.toml").out

    steelyard("export", "s", "--table", "samples", "--eval-set", "new.toml", "-o", "again.jsonl")
    shown = steelyard("run", "--eval-set", "new.toml", "--replay", "again.jsonl", "--run", "t", "-q")

    assert (shown.code, attempts("s"), attempts("t")) == (0, {"c1": 3}, {})


def attempts(run: str) -> dict[str, int]:
    """Return how many answers cases of a run have that have more than one."""
    rows = open_run(run).sql("SELECT case_id, count(*) AS n FROM samples GROUP BY ALL HAVING n > 1")
    return {row["case_id"]: row["n"] for row in rows}


def test_answers_to_another_question_are_not_exported_as_answers_to_this_one(steelyard: Type) -> None:
    changed("prompt = ", "prompt = 'Otherwise. ' # ", at=2)

    steelyard("export", "r", "--table", "samples", "--eval-set", "new.toml", "-o", "again.jsonl")

    rows = [json.loads(line) for line in Path("again.jsonl").read_text(encoding="utf-8").splitlines()]
    cases = {case.id: case.digest for case in read_eval_set("new.toml").cases}
    assert {row["case_id"] for row in rows if row["case_digest"] != cases[row["case_id"]]} == {"c2"}


def test_a_set_is_named_only_where_answers_are_exported(steelyard: Type) -> None:
    words = ["export", "r", "--eval-set", "set.toml", "-o", "rows.csv"]

    assert "requires --table samples" in steelyard(*words).err
    assert "--to exclude each other" in steelyard(*words, "--to", "inspect").err
