"""`runs`, `show` and `diff`: find a run again, and read its answers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.model.listed_run import ShownAnswer
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.render.answers import RULE, side_by_side
from tests.commands import strict_json, typed
from tests.store.run.small_run import fill, generated, small_manifest, small_run
from tests.web.runs import make_run

STORED = Path(__file__).parents[1] / "app" / "data" / "small_set"
SET, ANSWERS = STORED / "set.toml", STORED / "answers.jsonl"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a whole run and one that was stopped before anything was generated."""
    runs = tmp_path_factory.mktemp("work") / "runs"
    steelyard.run(SET, address=runs / "whole", replay=ANSWERS, tiers="T0")
    other = runs / "other"
    steelyard.run(SET, address=other, replay=ANSWERS, tiers="T0", samples=1)
    manifest = json.loads((other / "run.json").read_text(encoding="utf-8"))
    manifest |= {"planned_samples": 9, "created_at": "2020-01-01T00:00:00+00:00"}
    (other / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    return runs


def test_runs_are_listed_from_the_newest_with_what_they_came_to(folder: Path, capsys: Capture) -> None:
    shown = strict_json(typed(capsys, "runs", folder, "--json").out)["runs"]

    whole, other = shown
    assert [Path(one["address"]).name for one in shown] == ["whole", "other"]
    assert (whole["is_complete"], whole["generated"], whole["checked"]) == (True, 12, 12)
    assert (other["is_complete"], other["generated"], other["planned"]) == (False, 4, 36)
    assert whole["pass_rate"] == whole["passed"] / 12
    assert whole["subjects"] == ["lab/m@T0"]
    text = typed(capsys, "runs", folder).out.splitlines()
    assert text[2].endswith("incomplete")
    assert "4 of 36" in text[2]


def test_the_command_that_goes_on_names_the_prices_again(tmp_path: Path, capsys: Capture) -> None:
    record = f'[providers.lab]\nkind = "replay"\n[providers.lab.options]\npath = "{ANSWERS}"\n'
    (tmp_path / "lab.toml").write_text(record, encoding="utf-8")
    words = ("run", SET, "--config", tmp_path / "lab.toml", "--models", "lab/m", "--run", tmp_path / "run")
    shown = typed(capsys, *words, "--price", "lab/m=3/15", "--max-usd", "0.000001")

    assert " --price lab/m=3/15 --max-usd MORE\n" in shown.err


def test_a_run_is_named_as_the_user_would_type_it(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)

    assert [one.address for one in steelyard.list_runs("runs")] == ["runs/whole", "runs/other"]
    assert typed(capsys, "runs").out.splitlines()[1].startswith("runs/whole ")


def test_a_folder_without_runs_says_what_makes_one(tmp_path: Path, capsys: Capture) -> None:
    assert "start one with" in typed(capsys, "runs", tmp_path).err
    assert typed(capsys, "runs", tmp_path / "absent").code == 2


def test_show_lists_what_failed_then_the_answers_then_one_of_them(folder: Path, capsys: Capture) -> None:
    run = folder / "whole"
    first = typed(capsys, "show", run).out.splitlines()[0]
    case = first.partition(":")[0]

    answers = typed(capsys, "show", run, case).out.splitlines()
    one = typed(capsys, "show", run, case, "0").out

    assert len(answers) == 3
    assert answers[0].startswith(f"lab/m@T0 {case} attempt 0: ")
    stored = steelyard.show_answers(run, case, attempt=0)[0]
    assert stored.prompt is not None
    assert stored.prompt.splitlines()[0] in one
    assert stored.text is not None
    assert stored.text.splitlines()[0] in one
    assert stored.expected is not None
    assert f"expected\n{RULE}\n{stored.expected}\n" in one


def test_an_imported_run_without_answers_is_listed_and_shown(tmp_path: Path, capsys: Capture) -> None:
    table = tmp_path / "outcomes.csv"
    table.write_text("case,model,passed\na,m,1\nb,m,0\n", encoding="utf-8")
    steelyard.import_files([table], tmp_path / "runs" / "imported")

    [listed] = strict_json(typed(capsys, "runs", tmp_path / "runs", "--json").out)["runs"]
    shown = typed(capsys, "show", tmp_path / "runs" / "imported", "b")

    assert (listed["generated"], listed["passed"], listed["is_complete"]) == (2, 1, True)
    assert listed["cost_nano_usd"] is None
    assert (shown.code, shown.out.splitlines()[0]) == (0, "m@T0 b attempt 0: fail")
    assert "(the answer was not stored)" in shown.out


def test_show_names_the_nearest_case_and_the_answers_there_are(folder: Path, capsys: Capture) -> None:
    run = folder / "whole"
    case = steelyard.open_run(run).manifest.cases[0].case

    assert f"did you mean '{case}'?" in typed(capsys, "show", run, f"{case}x").err
    assert "has no such answer" in typed(capsys, "show", run, case, "--subject", "lab/other").err


def test_show_puts_answers_of_two_runs_side_by_side(folder: Path, capsys: Capture) -> None:
    case = steelyard.open_run(folder / "whole").manifest.cases[0].case

    shown = typed(capsys, "show", folder / "whole", case, "--beside", folder / "other")

    assert shown.code == 0
    head, endings, rule, *rows = shown.out.splitlines()
    assert head.startswith(f"lab/m@T0 {case} attempt 0"[:20])
    assert len(endings.split()) == 2
    assert set(rule) == {"-"}
    assert rows


def test_a_difference_at_the_end_of_a_long_line_is_shown() -> None:
    one, other = (
        ShownAnswer(
            model="m",
            tier="T0",
            suite="s",
            case="c",
            attempt=0,
            classification="pass",
            prompt=None,
            text=f"{'x' * 50} / {number}",
            detail=None,
            error=None,
        )
        for number in (2, 3)
    )

    *_, first, last = side_by_side(one, other, width=80).splitlines()

    assert first == f"{'x' * 38} | {'x' * 38}"
    assert last == f"{'x' * 12} / 2{' ' * 22} | {'x' * 12} / 3"


def test_an_answer_is_shown_with_the_system_prompt_of_its_tier(tmp_path: Path, capsys: Capture) -> None:
    make_run(tmp_path / "one", cases=1, models=("m",))

    shown = typed(capsys, "show", tmp_path / "one", "add-0", "0").out

    assert "system:\nBe brief.\n\nuser:\nAdd two numbers." in shown


def test_a_run_counts_each_case_in_its_latest_form_only(tmp_path: Path) -> None:
    store = small_run(tmp_path / "runs" / "changed", small_manifest(models=1))
    changed = [replace(case, digest="d2") for case in store.manifest.cases[:2]]

    store.extend(cases=changed)

    [listed] = steelyard.list_runs(tmp_path / "runs")
    assert (listed.generated, listed.planned, listed.is_complete) == (6, 12, False)
    assert listed.cost_nano_usd == 4 * (1_000 + 1_001 + 1_002)  # earlier forms were paid for


def test_calls_that_brought_no_answer_do_not_make_a_run_complete(tmp_path: Path) -> None:
    store = small_run(tmp_path / "runs" / "unreachable", small_manifest(models=1), chunks=0)
    failed = Outcome(facts=Facts(classification=Classification.ERROR))
    rows = [generated(key, text="", error="unreachable: no address") for key in store.pending()]
    store.add_samples(rows, chunk="0")
    store.add_outcomes([(row, failed) for row in rows], chunk="1")

    [listed] = steelyard.list_runs(tmp_path / "runs")

    assert (listed.generated, listed.planned, listed.is_complete) == (0, 12, False)


def test_answers_to_an_earlier_form_of_a_case_are_not_shown(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", small_manifest(models=1))
    store.extend(cases=[replace(store.manifest.cases[0], digest="d2")])
    fill(store, store.pending(), chunk="anew")

    assert [one.attempt for one in steelyard.show_answers(tmp_path / "run", "case-0")] == [0, 1, 2]
