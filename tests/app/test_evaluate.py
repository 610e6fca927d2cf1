"""Evaluating a whole folder of fixes."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import steelyard
from steelyard.app import evaluate as evaluation
from steelyard.app.evaluate import Evaluation, evaluate_directory
from steelyard.errors import InfrastructureError, InputError, UnknownName
from steelyard.model.outcome import Classification
from steelyard.ports import Fix, Sandbox
from steelyard.sources.evaluation_config import EvaluationConfig
from tests.commands import written

OUTCOMES = "oid,iteration_id,plausible_fix\np1,1,True\np1,2,False\n"
FIXES = (
    "oid,iteration_id,llm_name,filename,fixed_file\n"
    "p1,1,gpt,a.tf,good\n"
    "p1,2,gpt,a.tf,bad\n"
    "p1,3,gpt,a.tf,broken\n"
)


class ScriptedValidator:
    """A validator for tests: judges by the text, remembers what it was given."""

    def __init__(self) -> None:
        self.seen: list[tuple[Sequence[Fix], str]] = []

    def validate(self, fixes: Sequence[Fix], *, clones_dir: str) -> Sequence[Classification]:
        self.seen.append((fixes, clones_dir))
        kinds = {
            "good": Classification.PASS,
            "bad": Classification.BUILD_ERROR,
            "broken": Classification.ERROR,
        }
        return [kinds[fix.text] for fix in fixes]


def made(sandbox: Sandbox, *, providers: str | None) -> ScriptedValidator:
    """Make a validator as `evaluate` does for whatever the table names."""
    assert hasattr(sandbox, "run")
    assert providers is None
    return ScriptedValidator()


class LazyValidator:
    """A validator that answers fewer questions than it was asked."""

    def validate(self, fixes: Sequence[Fix], *, clones_dir: str) -> Sequence[Classification]:
        return [Classification.PASS] * (len(fixes) - 1)


def config(folder: Path, **changes: object) -> EvaluationConfig:
    """Return settings for the folders of a test."""
    settings = {"fixes_dir": str(folder / "fixes"), "output_dir": str(folder / "out"), "k_values": (1,)}
    return EvaluationConfig(**{**settings, **changes})  # type: ignore[arg-type]  # any setting


def table(found: Evaluation) -> dict[str, list[float | None]]:
    """Return pass@k by model."""
    return dict(found.rows)


def test_outcomes_that_are_there_are_taken_as_they_are(tmp_path: Path) -> None:
    written(tmp_path, b"\xef\xbb\xbf" + OUTCOMES.replace("\n", "\r\n").encode(), "fixes/gemini_fixes.csv")

    found = steelyard.evaluate_directory(config(tmp_path))

    assert table(found) == {"gemini": [0.5]}
    assert (tmp_path / "out/gemini_fixes.csv").read_bytes() == (
        tmp_path / "fixes/gemini_fixes.csv"
    ).read_bytes()


def test_a_validator_finds_what_the_files_do_not_say(tmp_path: Path) -> None:
    written(tmp_path, FIXES, "fixes/llm_fullfile_repair_results_gpt.csv")
    validator = ScriptedValidator()

    found = evaluate_directory(config(tmp_path, clones_dir="clones"), validator=validator)

    ((fixes, clones_dir),) = validator.seen
    assert fixes[0] == Fix(case="p1", attempt="1", filename="a.tf", text="good")
    assert clones_dir == "clones"
    assert table(found) == {"gpt": [0.5]}
    assert found.reports[0].subjects[0].coverage.errored == 1
    assert (tmp_path / "out/gpt_fixes.csv").read_text(encoding="utf-8") == (
        "oid,iteration_id,llm_name,filename,plausible_fix\n"
        "p1,1,gpt,a.tf,True\np1,2,gpt,a.tf,False\np1,3,gpt,a.tf,\n"
    )


def test_files_with_outcomes_need_no_validator_beside_files_that_do(tmp_path: Path) -> None:
    written(tmp_path, OUTCOMES, "fixes/gemini_fixes.csv")
    written(tmp_path, FIXES, "fixes/gpt_fixes.csv")
    validator = ScriptedValidator()

    found = evaluate_directory(config(tmp_path), validator=validator)

    assert len(validator.seen) == 1
    assert table(found) == {"gemini": [0.5], "gpt": [0.5]}


def test_an_installed_validator_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, FIXES, "fixes/gpt_fixes.csv")
    monkeypatch.setattr(evaluation, "VALIDATORS", {"mine": f"{__name__}:made"})

    assert table(evaluate_directory(config(tmp_path, validator="mine"))) == {"gpt": [0.5]}


def test_a_validator_that_nobody_knows_is_answered_with_the_nearest(tmp_path: Path) -> None:
    written(tmp_path, FIXES, "fixes/gpt_fixes.csv")

    with pytest.raises(UnknownName, match=r"'teraform'.*'terraform'"):
        evaluate_directory(config(tmp_path, validator="teraform"))


def test_a_validator_that_skips_fixes_is_to_blame(tmp_path: Path) -> None:
    written(tmp_path, FIXES, "fixes/gpt_fixes.csv")

    with pytest.raises(InfrastructureError, match=r"validator.*2.*3"):
        evaluate_directory(config(tmp_path), validator=LazyValidator())


def test_fixes_are_never_overwritten_by_their_outcomes(tmp_path: Path) -> None:
    path = written(tmp_path, FIXES, "fixes/gpt_fixes.csv")

    with pytest.raises(InputError, match="choose another output_dir"):
        evaluate_directory(
            config(tmp_path, output_dir=str(tmp_path / "fixes")), validator=ScriptedValidator()
        )

    assert path.read_text(encoding="utf-8") == FIXES


def test_one_folder_for_input_and_output_gives_the_same_table_again_and_again(tmp_path: Path) -> None:
    written(tmp_path, OUTCOMES, "fixes/gemini_synthetic_fixes.csv")
    written(tmp_path, "oid\np1\np2\n", "fixes/problems.csv")
    settings = config(tmp_path, output_dir=str(tmp_path / "fixes"))

    first, second = evaluate_directory(settings), evaluate_directory(settings)

    assert table(first) == table(second) == {"gemini": [0.25]}


def test_two_files_of_one_model_do_not_overwrite_each_other(tmp_path: Path) -> None:
    written(tmp_path, OUTCOMES, "fixes/gemini_fixes.csv")
    written(tmp_path, OUTCOMES.replace("False", "True"), "fixes/gemini_outcomes.csv")

    found = evaluate_directory(config(tmp_path))

    assert table(found) == {"gemini_fixes": [0.5], "gemini_outcomes": [1.0]}
    assert len(set(found.written)) == len(found.written) == 5


@pytest.mark.parametrize("place", ["fixes", "out"])
def test_the_list_of_problems_is_found_in_either_folder(tmp_path: Path, place: str) -> None:
    written(tmp_path, OUTCOMES, "fixes/gemini_fixes.csv")
    problems = written(tmp_path, "oid\np1\np2\n", f"{place}/problems.csv")

    found = evaluate_directory(config(tmp_path))

    assert found.problems == problems
    assert table(found) == {"gemini": [0.25]}


def test_the_list_of_problems_can_be_named(tmp_path: Path) -> None:
    written(tmp_path, OUTCOMES, "fixes/gemini_fixes.csv")
    problems = written(tmp_path, "oid\np1\np2\np3\np4\n", "mine.csv")

    found = evaluate_directory(config(tmp_path, problems_csv=str(problems)))

    assert table(found) == {"gemini": [0.125]}


def test_ks_come_sorted_and_each_once_and_an_undefined_one_is_an_empty_cell(tmp_path: Path) -> None:
    written(tmp_path, OUTCOMES, "fixes/gemini_fixes.csv")

    evaluate_directory(config(tmp_path, k_values=(5, 1, 1)))

    summary = (tmp_path / "out/summary_pass_at_k.csv").read_text(encoding="utf-8")
    assert summary == "LLM,pass@1,pass@5\ngemini,0.5,\n"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"models": ("zzz",)},
            r"'zzz'.*data_type=all.*3",
        ),
        ({"fixes_dir": "nowhere"}, r"nowhere.*folder"),
        ({"output_dir": "a\0b"}, "cannot be created"),
    ],
)
def test_settings_that_lead_nowhere_are_told(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    for place in range(8):
        written(tmp_path, OUTCOMES, f"fixes/m{place}_fixes.csv")

    with pytest.raises(InputError, match=message):
        evaluate_directory(config(tmp_path, **changes))


def test_an_empty_folder_has_no_csv_file(tmp_path: Path) -> None:
    (tmp_path / "fixes").mkdir()

    with pytest.raises(InputError, match="no CSV file"):
        evaluate_directory(config(tmp_path))


def test_a_table_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    written(tmp_path, OUTCOMES, "fixes/gemini_fixes.csv")
    (tmp_path / "out/gemini_pass_at_k.csv").mkdir(parents=True)

    with pytest.raises(InputError, match=r"gemini_pass_at_k\.csv.*written"):
        evaluate_directory(config(tmp_path))
