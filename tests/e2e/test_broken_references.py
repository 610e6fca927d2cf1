"""`steelyard run` checks the references of its cases before it calls a model."""

from pathlib import Path

import pytest

from tests.e2e.lab import RUN, Lab

HEAD = '[eval_set]\nid = "small"\ndefault_language = "text"\n'
CASE = """
[[cases]]
id = "{name}"
prompt = "Say yes to {name}."
{reference}
[cases.expectations.settings]
exact = "yes"
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a cache folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "steelyard" / "references"


def write_set(lab: Lab, **references: str | None) -> None:
    """Write a set whose cases pass if the answer is `yes`."""
    cases = [
        CASE.format(name=name, reference="" if text is None else f'reference = "{text}"')
        for name, text in references.items()
    ]
    (lab.folder / "small.toml").write_text(HEAD + "".join(cases), encoding="utf-8")


def passed_references(cache: Path) -> list[str]:
    """Return the lines of the cache."""
    return [line for path in cache.glob("*.txt") for line in path.read_text(encoding="ascii").split()]


def test_run_stops_at_a_failing_reference_before_a_model_is_called(lab: Lab) -> None:
    write_set(lab, good="yes", bad="no", none=None)

    shown = lab.run("small.toml")

    assert shown.code == 2
    assert "case bad: fail: the answer differs" in shown.err
    assert "case good" not in shown.err
    assert "--skip-broken" in shown.err
    assert not lab.asked()
    assert not (lab.folder / RUN).exists()


def test_run_names_the_first_failing_references_in_one_line_each(lab: Lab) -> None:
    write_set(lab, **{f"case-{number}": "no" for number in range(8)})

    shown = lab.run("small.toml")

    assert shown.code == 2
    assert sum(line.startswith("  case case-") for line in shown.err.splitlines()) == 5
    assert "and 3 more" in shown.err


def test_only_references_of_chosen_cases_are_checked(lab: Lab, cache: Path) -> None:
    write_set(lab, good="yes", bad="no")

    shown = lab.run("small.toml", "--cases", "good")

    assert shown.code == 0, shown.err
    assert len(passed_references(cache)) == 1


@pytest.mark.check_all
def test_references_that_passed_are_not_checked_again(lab: Lab, cache: Path) -> None:
    write_set(lab, good="yes", other="yes", none=None)
    assert lab.run("small.toml").code == 0
    known = passed_references(cache)

    assert lab.resume("--samples", "2").code == 0

    assert len(known) == 1  # the two cases are checked alike, and their references are equal
    assert passed_references(cache) == known


def test_skip_broken_excludes_the_cases_and_reports_them(lab: Lab) -> None:
    write_set(lab, good="yes", a="no", b="no", c="no")

    shown = lab.run("small.toml", "--skip-broken")

    line = "3 cases excluded: their reference fails: a, b, c"
    assert shown.code == 0, shown.err
    assert f"warning: {line}" in shown.err
    assert line in lab.report()["warnings"]
    assert {row["case"] for row in lab.report()["cases"]} == {"good"}
    assert line in lab.typed("report", RUN).out
    assert line in lab.typed("show", RUN).out
    assert "case 'a' was excluded: its reference fails: fail:" in lab.typed("show", RUN, "a").err


@pytest.mark.check_all
def test_or_resume_finds_the_run_without_its_excluded_cases(lab: Lab) -> None:
    write_set(lab, good="yes", bad="no")
    words = ("small.toml", "--skip-broken", "--or-resume")
    assert lab.run(*words).code == 0
    asked = lab.asked()

    assert lab.run(*words).code == 0

    assert lab.asked() == asked


@pytest.mark.check_all
def test_an_excluded_case_joins_the_run_when_its_reference_passes(lab: Lab) -> None:
    write_set(lab, good="yes", bad="no")
    assert lab.run("small.toml", "--skip-broken").code == 0
    write_set(lab, good="yes", bad="yes")

    shown = lab.resume("small.toml")

    assert shown.code == 0, shown.err
    assert {row["case"] for row in lab.report()["cases"]} == {"good", "bad"}
    assert not any("excluded" in warning for warning in lab.report()["warnings"])


def test_a_resumed_run_cannot_exclude_a_case_that_it_has(lab: Lab) -> None:
    write_set(lab, bad="no")
    assert lab.run("small.toml", "--no-reference-check").code == 0

    shown = lab.resume("--samples", "2", "--skip-broken")

    assert shown.code == 2
    assert "a resumed run keeps its cases" in shown.err


def test_no_case_left_is_an_error(lab: Lab) -> None:
    write_set(lab, bad="no")

    shown = lab.run("small.toml", "--skip-broken")

    assert shown.code == 2
    assert "no case is left" in shown.err


def test_no_reference_check_generates_at_once(lab: Lab, cache: Path) -> None:
    write_set(lab, bad="no")

    shown = lab.run("small.toml", "--no-reference-check")

    assert shown.code == 0, shown.err
    assert len(lab.asked()) == 1
    assert not cache.exists()


def test_references_are_checked_before_recorded_answers_too(lab: Lab) -> None:
    write_set(lab, bad="no")
    (lab.folder / "answers.jsonl").write_text(
        '{"model": "a/b", "case": "bad", "text": "yes"}\n', encoding="utf-8"
    )

    shown = lab.run("small.toml", "--replay", "answers.jsonl")

    assert shown.code == 2
    assert "case bad: fail" in shown.err


def test_a_mistake_in_a_check_is_the_users_to_correct(lab: Lab) -> None:
    text = '[[cases]]\nid = "empty"\nprompt = "Say yes."\nreference = "yes"\n'
    (lab.folder / "small.toml").write_text(HEAD + text, encoding="utf-8")

    shown = lab.run("small.toml")

    assert shown.code == 2
    assert "case empty: not checked: case empty: text needs" in shown.err
