"""Reading eval sets that are good."""

from fractions import Fraction
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.case import Dependency, Expectations
from steelyard.model.evalset import SamplingPlan, Suite, Tier
from steelyard.model.options import RuleChoice
from steelyard.model.outcome import Classification
from steelyard.model.run import Subject
from steelyard.sources.evalset.read import read_eval_set
from tests.commands import written
from tests.sources.evalset.files import FORGETEST, SMALLEST, read


def test_a_file_of_forgetest_is_read_unchanged(tmp_path: Path) -> None:
    found = read(tmp_path, FORGETEST)

    first, second = found.cases
    assert (found.id, found.name, found.description) == (
        "rust-basics",
        "Rust Basics",
        "Fundamental Rust tasks",
    )
    assert first.prompt == "Write a Rust function `fn fibonacci(n: u64) -> u64`.\n"
    assert (first.language, first.timeout_s, first.max_tokens) == ("rust", 30, 1024)
    assert (first.name, first.tags) == ("Fibonacci function", ("algorithms", "easy"))
    assert first.dependencies == (Dependency(name="serde", version="1", features=("derive",)),)
    assert first.expectations == Expectations(
        tests=first.expectations.tests,
        functions=("fibonacci",),
        types=("Memo",),
        max_lint_warnings=2,
        custom_check="grep -q fn",
    )
    assert "fn small()" in first.expectations.tests
    assert (second.expectations.should_build, second.timeout_s, second.language) == (False, 60, "rust")


def test_the_smallest_set_has_the_defaults(tmp_path: Path) -> None:
    found = read(tmp_path, SMALLEST, "tiny.toml")

    assert (found.id, found.suites, found.tiers) == ("tiny", (Suite(id="default"),), (Tier(id="T0"),))
    assert (found.sampling, found.scoring, found.subjects) == (SamplingPlan(), RuleChoice(), ())
    assert found.cases[0].expected is Classification.PASS
    assert found.languages == ("rust",)


def test_every_part_of_a_set_is_read(tmp_path: Path) -> None:
    written(tmp_path, "be brief", "brief.md")
    written(tmp_path, "a\r\nb", "notes/style.md")
    found = read(
        tmp_path,
        """
        eval_set = { id = "all", default_language = "text" }
        sampling.samples = 10
        sampling.temperature = 0.8
        sampling.top_p = 1
        sampling.max_tokens = 9
        sampling.seed = 7
        sampling.stop_rule = "maximum=10,passes=1"
        scoring = { rule = "accuracy", penalties = { refusal = 0.5 } }
        suites = [{ id = "s", weight = 0.1 }, { id = "t" }]
        tiers = [
            { id = "T0" },
            { id = "T1", system_prompt = { file = "brief.md" }, context_files = ["notes/style.md"] },
        ]
        subjects = [{ model = "p/m", tier = "T1", parameters = { temperature = 0.2 } }]
        cases = [{ id = "a", suite = "t", prompt = "?", expected_classification = "refusal" }]
        """,
    )

    assert found.sampling == SamplingPlan(
        samples=10, temperature=0.8, top_p=1, max_tokens=9, seed=7, stop_rule="maximum=10,passes=1"
    )
    assert found.scoring == RuleChoice(name="accuracy", penalties={Classification.REFUSAL: Fraction(1, 2)})
    assert [suite.weight for suite in found.suites] == [Fraction(1, 10), 1]
    assert found.tiers[1] == Tier(id="T1", system_prompt="be brief", context={"notes/style.md": "a\nb"})
    assert found.subjects == (Subject(model="p/m", tier="T1", parameters={"temperature": "0.2"}),)
    assert found.cases[0].expected is Classification.REFUSAL
    assert (found.cases_of("s"), found.cases_of("t")) == ((), found.cases)


def test_texts_may_stand_in_files_of_their_own(tmp_path: Path) -> None:
    for name in ("prompt.md", "tests.rs", "right.md", "wrong.md", "lib.rs"):
        written(tmp_path, f"text of {name}", f"texts/{name}")
    found = read(
        tmp_path,
        """
        [[cases]]
        id = "a"
        prompt = { file = "texts/prompt.md" }
        reference = { file = "texts/right.md" }
        wrong = ["inline", { file = "texts/wrong.md" }]
        files = { "src/lib.rs" = { file = "texts/lib.rs" } }
        [cases.expectations]
        test_file = { file = "texts/tests.rs" }
        settings = { equality = { file = "texts/tests.rs" } }
        """,
    )

    case = found.cases[0]
    assert (case.prompt, case.reference) == ("text of prompt.md", "text of right.md")
    assert case.wrong == ("inline", "text of wrong.md")
    assert case.files == {"src/lib.rs": "text of lib.rs"}
    assert case.expectations.tests == case.expectations.settings["equality"] == "text of tests.rs"


def test_text_in_quotes_is_never_taken_for_the_name_of_a_file(tmp_path: Path) -> None:
    written(tmp_path, "the file", "prompt.md")

    assert read(tmp_path, '[[cases]]\nid = "a"\nprompt = "prompt.md"\n').cases[0].prompt == "prompt.md"


def test_settings_become_text(tmp_path: Path) -> None:
    settings = "exact = 7\nignore_case = true\njson_schema = { const = [1, 'é'] }\nregex = 'x'\n"
    found = read(tmp_path, f'{SMALLEST}language = "text"\n[cases.expectations.settings]\n{settings}')

    assert found.cases[0].expectations.settings == {
        "exact": "7",
        "ignore_case": "true",
        "json_schema": '{"const": [1, "é"]}',
        "regex": "x",
    }


def test_cases_without_a_suite_belong_to_the_only_one_there_is(tmp_path: Path) -> None:
    assert read(tmp_path, f'[[suites]]\nid = "s"\n{SMALLEST}').cases[0].suite == "s"


def test_a_folder_of_files_is_one_set(tmp_path: Path) -> None:
    written(tmp_path, '[[cases]]\nid = "b"\nprompt = { file = "b.md" }\n', "b.toml")
    written(tmp_path, "from a file", "b.md")
    written(tmp_path, f'[eval_set]\nid = "whole"\ndefault_language = "python"\n{SMALLEST}', "a.toml")
    written(tmp_path, "no toml at all", ".hidden.toml")

    found = read_eval_set(tmp_path)

    assert (found.id, [case.id for case in found.cases]) == ("whole", ["a", "b"])
    assert found.languages == ("python",)
    assert found.cases[1].prompt == "from a file"


def test_in_a_folder_of_whole_sets_each_keeps_its_own_defaults(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    written(folder, f'[eval_set]\nid = "one"\ndefault_language = "python"\n{SMALLEST}', "one.toml")
    other = SMALLEST.replace('"a"', '"b"')
    written(folder, f'[eval_set]\nid = "two"\n{other}', "two.toml")

    found = read_eval_set(folder)

    assert (found.id, [case.language for case in found.cases]) == ("many", ["python", "rust"])


def test_a_shipped_set_is_read_by_its_name() -> None:
    assert read_eval_set("python-basics").id == "python-basics"


def test_a_file_goes_before_a_shipped_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, SMALLEST, "python-basics")
    monkeypatch.chdir(tmp_path)

    assert len(read_eval_set("python-basics").cases) == 1


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("rust-basic", "'rust-basics'"),
        ("eval-sets/terraform-basics.toml", "'terraform-basics'"),
        ("qqq", "terraform-basics"),
    ],
)
def test_a_set_that_is_not_there(place: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_eval_set(place)


def test_a_folder_without_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"toml.*file"):
        read_eval_set(tmp_path)


def test_a_folder_without_files_does_not_hide_a_shipped_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "python-basics"
    written(folder, "no toml at all", "report.md")
    monkeypatch.chdir(tmp_path)

    by_name = read_eval_set("python-basics")
    written(folder, SMALLEST, "own.toml")

    assert (len(by_name.cases), len(read_eval_set("python-basics").cases)) == (16, 1)
