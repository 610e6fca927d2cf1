"""What is wrong with an eval set is said with its place, and all of it at once."""

import os
import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steelyard.errors import InputError
from steelyard.sources.evalset.read import read_eval_set
from steelyard.sources.evalset.shape import FORM
from tests.commands import written
from tests.sources.evalset.files import SMALLEST, read

CASE = "[[cases]]\nid = 'a'\nprompt = 'p'\n"

WRONG = {
    "an unknown key": (
        "[eval_set]\nid = 'x'\nnaem = 'y'",
        3,
        "[eval_set] has no key \"naem\"; did you mean 'name'?",
    ),
    "an unknown table": (
        "\n[[case]]\nid = 'a'",
        2,
        "there is no table or key \"case\"; did you mean 'cases'?",
    ),
    "nothing like it": (f"{CASE}qqq = 1", 4, '[cases[1]] has no key "qqq"; the keys here are id, name,'),
    "an unknown expectation": (
        f"{CASE}[cases.expectations]\nexpected_function = ['f']",
        5,
        "did you mean 'expected_functions'?",
    ),
    "a wrong type": (f"{CASE}tags = 'easy'", 4, 'cases[1].tags: found "easy", expected a list'),
    "a number for a text": ("[[cases]]\nid = 7\nprompt = 'p'", 2, "cases[1].id: found 7, expected text"),
    "a text for a table": (f"{CASE}expectations = 'x'", 4, 'found "x", expected a table'),
    "a truth for a number": ("[sampling]\nsamples = true", 2, "found true, expected a whole number"),
    "a missing key": ("\n\n[[cases]]\nid = 'a'", 3, "cases[1] has no 'prompt'; add prompt = …"),
    "an empty id": (
        "[[cases]]\nid = ''\nprompt = 'p'",
        2,
        'found "", expected text without blanks around it',
    ),
    "an empty prompt": ("[[cases]]\nid = 'a'\nprompt = ' '", 3, 'case "a": the prompt is empty'),
    "no time": (f"{CASE}timeout_secs = 0", 4, "found 0, expected more than 0"),
    "no samples": ("[sampling]\nsamples = 0", 2, "found 0, expected at least 1"),
    "too hot": ("[sampling]\ntemperature = 2.5", 2, "found 2.5, expected at most 2"),
    "infinite": ("[sampling]\ntemperature = inf", 2, "expected a finite number"),
    "a date": ("[eval_set]\nid = 'x'\nname = 2020-01-01", 3, 'found the date "2020-01-01"; put it in quotes'),
    "a kind there is not": (
        f"{CASE}expected_classification = 'passed'",
        4,
        "found \"passed\", expected one of 'pass', 'fail',",
    ),
    "no memory": (f"{CASE}memory_mb = 0", 4, "found 0, expected at least 1"),
    "a honeypot with a reference": (
        f"{CASE}honeypot = true\nreference = 'x'",
        5,
        "no answer to a honeypot passes, so it has no reference answer",
    ),
    "a honeypot that is no trap": (
        f"{CASE}honeypot = true\nexpected_classification = 'refusal'",
        5,
        "a honeypot is a case that no answer passes",
    ),
    "nothing but honeypots": (f"{CASE}honeypot = true", 1, "every case of this set is a honeypot"),
    "our own failure": (
        f"{CASE}expected_classification = 'error'",
        4,
        "'error' means an infrastructure error",
    ),
    "two names for one thing": (
        f"{CASE}[cases.expectations]\nshould_build = true\nshould_compile = true",
        6,
        "'should_build' and 'should_compile' mean the same; leave one of them out",
    ),
    "an id twice": (f"{CASE}{CASE}", 5, 'the case "a" is there already, at line 2; choose another id'),
    "a tier twice": ("tiers = [{ id = 'T1' },\n{ id = 'T1' }]", 2, 'the tier "T1" is there already'),
    "no cases": ("[eval_set]\nid = 'x'", 1, "there is no case in this set; add a [[cases]] table"),
    "an unlisted suite": (
        f"suites = [{{ id = 'json_api' }}]\n{CASE}suite = 'json-api'",
        5,
        'case "a" is in suite "json-api", which is not listed; did you mean \'json_api\'?',
    ),
    "no suite where there are two": (
        f"suites = [{{ id = 's' }}, {{ id = 't' }}]\n{CASE}",
        2,
        'is in suite "default", which is not listed; there is s, t',
    ),
    "suites that weigh nothing": (
        f"suites = [{{ id = 's', weight = 0 }}]\n{CASE}",
        1,
        "all suites have weight 0",
    ),
    "an unlisted tier": (f"subjects = [{{ model = 'm', tier = 'T7' }}]\n{CASE}", 1, 'there is no tier "T7"'),
    "a rule there is not": (
        "[scoring]\nrule = 'best'",
        2,
        'there is no rule "best"; choose one of build-test-lint',
    ),
    "a weight there is not": (
        "[scoring]\nrule = 'composite'\nweights = { tests = 1 }",
        3,
        'no such weight: "tests"; there is impl, pass',
    ),
    "weights of nothing": ("[scoring]\nweights = { tests = 0 }", 2, "all weights are 0"),
    "a penalty there is not": ("[scoring]\npenalties = { sloth = 1 }", 2, 'no kind of failure: "sloth"'),
    "penalties of another rule": (
        "[scoring]\nrule = 'plausible'\npenalties = { refusal = 1 }",
        3,
        "penalties belong to the rule 'accuracy', not to \"plausible\"",
    ),
    "a stop rule there is not": (
        "[sampling]\nstop_rule = 'soon'",
        2,
        "expected maximum=N and any of minimum=N",
    ),
    "a stop rule twice over": ("[sampling]\nstop_rule = 'maximum=3,maximum=3'", 2, "expected maximum=N"),
    "a minimum above the maximum": (
        "[sampling]\nstop_rule = 'maximum=3,minimum=4'",
        2,
        "expected 1 <= minimum <= maximum, got 4 and 3",
    ),
    "samples against the stop rule": (
        "[sampling]\nsamples = 5\nstop_rule = 'maximum=10,passes=1'",
        3,
        "the rule takes up to 10 samples, but samples = 5; make them equal",
    ),
    "a wrong answer that is right": (
        f"{CASE}reference = 'x'\nwrong = ['y',\n'x']",
        6,
        'case "a": this wrong answer is the reference answer',
    ),
    "a file outside the workspace": (f"{CASE}files = {{ '../x' = '' }}", 4, '"../x" is no relative path'),
    "a misspelt setting": (
        f"{CASE}language = 'text'\n[cases.expectations.settings]\njson_shema = ''",
        6,
        "the check of text has no setting 'json_shema'; did you mean 'json_schema'?",
    ),
    "a file that is not there": (
        "[[cases]]\nid = 'a'\nprompt = { file = 'p.md' }",
        3,
        "cases[1].prompt: the file 'p.md' cannot be read: No such file or directory",
    ),
    "a file above": (
        "[[cases]]\nid = 'a'\nprompt = { file = '../p.md' }",
        3,
        "is not inside the folder of this TOML",
    ),
    "a file elsewhere": (
        "[[cases]]\nid = 'a'\nprompt = { file = '/etc/hostname' }",
        3,
        "'/etc/hostname' is not inside the folder of this TOML file; move it there",
    ),
    "more than a file": (
        "[[cases]]\nid = 'a'\nprompt = { file = 'x', mode = 'r' }",
        3,
        'found a table, expected text, or { file = "path" } and nothing else',
    ),
    "a context file that is not there": (
        f"tiers = [{{ id = 'T0', context_files = ['no.md'] }}]\n{CASE}",
        1,
        "tier \"T0\": the file 'no.md' cannot be read",
    ),
    "no TOML": ("[eval_set]\nid 'x'\n", 2, "this is not TOML: Expected '=' after a key in a key/value pair"),
    "TOML that breaks off": ("a = '''x", 4, "this is not TOML: "),
    "a key twice": ("[eval_set]\nid = 'x'\nid = 'y'", 3, "this is not TOML: Cannot overwrite a value"),
    "brackets without end": ("a = " + "[" * 5000, 1, "nested too deeply"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_problem_is_told_with_its_file_its_line_and_what_to_do(name: str, tmp_path: Path) -> None:
    text, line, message = WRONG[name]
    # What has a key or a table before the first case gets one, so that nothing else is wrong with it.
    whole = text if "[[case" in text or name == "no cases" else f"{text}\n{SMALLEST}"

    with pytest.raises(InputError) as caught:
        read(tmp_path, whole)

    told = str(caught.value).splitlines()
    place = f"  {tmp_path / 'set.toml'}:{line}: "
    assert any(problem.startswith(place) and message in problem for problem in told[1:]), "\n".join(told)


def test_all_problems_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    cases = "[[cases]]\nid = 'a'\n[[cases]]\nid = 'b'\nprompt = ''\n[[cases]]\nid = 'b'\nprompt = 'p'\n"
    text = f"[sampling]\nsamples = 0\n{cases}"

    with pytest.raises(InputError) as caught:
        read(tmp_path, text)

    head, *problems = str(caught.value).splitlines()
    assert head.endswith("this eval set cannot be used; 4 problems:")
    assert [re.search(r":(\d+): ", problem)[1] for problem in problems] == ["2", "3", "7", "9"]  # type: ignore[index]


def test_problems_of_several_files_name_their_files(tmp_path: Path) -> None:
    written(tmp_path, f"[sampling]\n[scoring]\n{SMALLEST}", "a.toml")
    written(tmp_path, f"[sampling]\n[scoring]\n{SMALLEST}", "b.toml")

    with pytest.raises(InputError) as caught:
        read_eval_set(tmp_path)

    told = str(caught.value)
    assert f"{tmp_path / 'b.toml'}:1: another file of this folder has a [sampling] too" in told
    assert f"{tmp_path / 'b.toml'}:2: another file of this folder has a [scoring] too" in told
    assert f'{tmp_path / "b.toml"}:4: the case "a" is there already, at {tmp_path / "a.toml"}:4' in told


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfea\x00", "it is not UTF-8 text"),
        (b"id = '\xe9'", "it is not UTF-8 text"),
        (b"", r"case.*set"),
    ],
)
def test_a_file_that_cannot_be_read(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_eval_set(written(tmp_path, content, "set.toml"))


def test_a_prompt_that_is_no_text(tmp_path: Path) -> None:
    written(tmp_path, b"\xff\x00", "p.md")

    with pytest.raises(InputError, match=r"'p.md'.*UTF"):
        read(tmp_path, "[[cases]]\nid = 'a'\nprompt = { file = 'p.md' }")


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "p.md").symlink_to(written(tmp_path, "secret", "secret.md"))

    with pytest.raises(InputError, match="TOML"):
        read(folder, "[[cases]]\nid = 'a'\nprompt = { file = 'p.md' }")


def test_files_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steelyard.sources.toml.text.LARGEST_BYTES", 3)
    written(tmp_path, "long", "p.md")

    with pytest.raises(InputError, match=r"the file 'p\.md' is larger than"):
        read(tmp_path, "[[cases]]\nid = 'a'\nprompt = { file = 'p.md' }")

    monkeypatch.setattr("steelyard.sources.toml.file.LARGEST_BYTES", 3)
    with pytest.raises(InputError, match=r"folder.*files"):
        read(tmp_path, SMALLEST)


def test_a_folder_named_like_a_file_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "p.md").mkdir()

    with pytest.raises(InputError, match=r"'p\.md' is not a file; write the text into one"):
        read(tmp_path, "[[cases]]\nid = 'a'\nprompt = { file = 'p.md' }")


def test_a_link_that_leads_to_itself_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "p.md").symlink_to("p.md")

    with pytest.raises(InputError, match=r"the file 'p\.md' cannot be read"):
        read(tmp_path, "[[cases]]\nid = 'a'\nprompt = { file = 'p.md' }")


def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "set.toml")

    with pytest.raises(InputError, match=r"pipe.*save"):
        read_eval_set(tmp_path / "set.toml")


def test_a_misspelt_setting_is_said_beside_a_misspelt_key(tmp_path: Path) -> None:
    own = "[[cases]]\nid = 'b'\nprompt = 'p'\nlanguage = 'text'\n[cases.expectations.settings]\nexakt = '1'\n"

    with pytest.raises(InputError) as refused:
        read(tmp_path, f"{CASE}promt = 'p'\n{own}")

    assert "2 problems" in str(refused.value)
    assert "'exakt'" in str(refused.value)


KEYS = {item.name for kind in FORM.tables.values() for item in fields(kind)}
NAMES = st.sampled_from(sorted(KEYS | {"file", "qqq"}))
ATOMS = st.sampled_from(
    ["1", "-1", "'a'", "''", "true", "nan", "inf", "1.5", "2020-01-01", "10:00:00", "'../x'"]
)
INLINE = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(NAMES, inner, max_size=3).map(
            lambda pairs: "{" + ", ".join(f"{name} = {value}" for name, value in pairs.items()) + "}"
        )
    ),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(NAMES, INLINE, max_size=6))
def test_whatever_a_file_holds_it_is_read_or_refused_in_words(tmp_path: Path, pairs: dict[str, str]) -> None:
    text = "\n".join(f"{name} = {value}" for name, value in pairs.items())

    try:
        told = f"set.toml:0: {read(tmp_path, text).cases[0].id}"
    except InputError as error:
        told = str(error)

    assert re.search(r"set\.toml:\d+: \S", told)
