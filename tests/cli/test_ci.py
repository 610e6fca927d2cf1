"""`steelyard ci`: the verdict, the files, the comment and what becomes of the baseline."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.app.ci.hosts import host_of
from steelyard.model.options import Errors
from steelyard.render.json import JsonRenderer
from tests.analysis.runs import Counts, run
from tests.cli.forges import TOKEN, Forge, forge, words
from tests.commands import Shown, typed

STEADY = [(5, 5)] * 60 + [(5, 0)] * 10
REPORTS: dict[str, Counts] = {
    "steady": STEADY,
    "broken": [(5, 0), *STEADY[1:]],
    "fewer": STEADY[:40],
    "few": [(1, 1)] * 4,
    "once": [(1, n // 5) for _, n in STEADY],
}
FILES = {"comment.md", "comparison.html", "gate.html", "gate.json", "gate.xml", "report.html", "report.json"}


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("GITHUB_ACTIONS", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_SHA", "GITLAB_CI"):
        monkeypatch.delenv(variable, raising=False)
    made = {name: run(counts) for name, counts in REPORTS.items()}
    made |= {"errors": run(STEADY, errors=300), "nothing": run([(0, 0)] * 3, errors=9)}
    among = run(STEADY, errors=18)  # 5.1 % of all samples: with errors=fail they are among them
    made["among"] = replace(among, settings=replace(among.settings, errors=Errors.FAIL))
    for name, one in made.items():
        Path(f"{name}.json").write_text(JsonRenderer().render(one), encoding="utf-8")


def run_ci(
    capsys: pytest.CaptureFixture[str], current: str, *options: str, baseline: str | None = "steady"
) -> Shown:
    """Gate a report against a baseline called main, if any."""
    if baseline is not None:
        typed(capsys, "baseline", "set", "main", f"{baseline}.json")
    return typed(capsys, "ci", "--current", f"{current}.json", *options)


@pytest.mark.parametrize(
    ("baseline", "current", "options", "code"),
    [
        ("steady", "steady", [], 0),
        ("steady", "broken", [], 1),
        ("few", "few", [], 4),
        ("few", "few", ["--inconclusive", "pass"], 0),
        ("few", "few", ["--inconclusive", "fail"], 1),
        ("steady", "broken", ["--inconclusive", "pass"], 1),
        ("steady", "fewer", [], 4),
        ("steady", "fewer", ["--inconclusive", "pass"], 4),  # whoever removes cases must not pass for it
        ("steady", "fewer", ["--inconclusive", "fail"], 1),
        ("steady", "fewer", ["--allow-missing"], 0),
        (None, "broken", [], 0),
        (None, "broken", ["--require-baseline"], 2),
    ],
)
def test_the_exit_code_tells_what_came_out(
    baseline: str | None, current: str, options: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_ci(capsys, current, *options, baseline=baseline).code == code


def test_a_job_leaves_pages_and_files_behind(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_ci(capsys, "broken", "--folder", "out/here")

    assert {path.name for path in Path("out/here").iterdir()} == FILES
    assert shown.out.startswith("FAIL")
    comment = Path("out/here/comment.md").read_text(encoding="utf-8")
    assert comment.startswith("**FAIL: `m` passes")
    assert "`case-000`" in comment
    assert "<summary>Comparison</summary>" in comment
    assert json.loads(Path("out/here/gate.json").read_text(encoding="utf-8"))["verdict"] == "fail"


def test_without_a_baseline_there_is_a_report_and_a_word_about_it(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_ci(capsys, "steady", baseline=None)

    assert {path.name for path in Path("steelyard-report").iterdir()} == {
        "comment.md",
        "report.html",
        "report.json",
    }
    assert "no baseline main" in shown.err


def test_a_good_report_becomes_the_baseline_with_its_commit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_SHA", "abc123")
    run_ci(capsys, "steady", "--keep")

    assert "from steady.json (abc123)" in typed(capsys, "baseline", "list").out


@pytest.mark.parametrize("current", ["broken", "fewer", "errors", "nothing"])
def test_what_did_not_pass_does_not_become_the_baseline(
    current: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = run_ci(capsys, current, "--keep", "--inconclusive", "fail")

    assert "from steady.json" in typed(capsys, "baseline", "list").out
    assert "--accept" in shown.err


def test_a_drop_that_is_meant_can_be_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_ci(capsys, "broken", "--accept").code == 1
    assert run_ci(capsys, "broken", baseline=None).code == 0


@pytest.mark.parametrize("current", ["errors", "nothing", "among"])
def test_a_first_report_without_evidence_does_not_become_the_baseline(
    current: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run_ci(capsys, current, "--keep", baseline=None)

    assert typed(capsys, "baseline", "list").out == ""


def test_a_name_that_looks_misspelt_does_not_switch_the_gate_off(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_ci(capsys, "broken", "--baseline", "mian")

    assert shown.code == 2
    assert "kept there: main" in shown.err


def test_a_change_that_generates_less_is_not_excused_for_want_of_samples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = run_ci(capsys, "once", "--inconclusive", "pass", "--margin", "0.01")

    assert shown.code == 4
    assert "fewer than the baseline" in shown.err


def test_the_first_report_becomes_the_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    run_ci(capsys, "steady", "--keep", baseline=None)

    assert run_ci(capsys, "broken", baseline=None).code == 1


@pytest.fixture
def github(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 7, "head": {"sha": "fedcba"}}}), encoding="utf-8")
    with forge(Forge()) as served:
        for name, value in {
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_API_URL": served.url,
            "GITHUB_REPOSITORY": "we/ours",
            "GITHUB_TOKEN": TOKEN,
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        }.items():
            monkeypatch.setenv(name, value)
        yield served


def test_the_comment_is_written_once_and_then_replaced(
    github: Forge, capsys: pytest.CaptureFixture[str]
) -> None:
    github.comments += [words(number, "words of others") for number in range(1, 131)]
    run_ci(capsys, "broken", "--comment")
    run_ci(capsys, "steady", "--comment")

    *others, ours = github.comments
    assert len(others) == 130
    assert {one["body"] for one in others} == {"words of others"}
    assert ours["body"].startswith("<!-- steelyard: main -->\n**PASS")
    assert github.asked[-1] == ("PATCH", "/repos/we/ours/issues/comments/131")
    assert ("GET", "/repos/we/ours/issues/7/comments") in github.asked


@pytest.mark.parametrize("knows_us", [True, False])
def test_a_comment_of_somebody_else_that_looks_like_ours_is_left_alone(
    github: Forge, capsys: pytest.CaptureFixture[str], knows_us: object
) -> None:
    # Its author could edit it afterwards, so that it must not carry a verdict, even if we may change it.
    github.knows_us = bool(knows_us)
    github.comments.append(words(1, "<!-- steelyard: main -->\nall is well"))
    run_ci(capsys, "broken", "--comment")
    run_ci(capsys, "steady", "--comment")

    forged, ours = github.comments
    assert forged["body"].endswith("all is well")
    assert "PASS" in ours["body"]


def test_a_comment_that_may_not_be_changed_is_followed_by_a_new_one(
    github: Forge, capsys: pytest.CaptureFixture[str]
) -> None:
    run_ci(capsys, "broken", "--comment")
    github.foreign = frozenset({1})
    for _ in range(2):
        run_ci(capsys, "steady", "--comment")

    assert [one["body"].split("**")[1][:4] for one in github.comments] == ["FAIL", "PASS"]


BROKEN_ANSWERS = {
    "cut off": b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[",
    "no status": b"what?\r\n\r\n",
    "no JSON": b"HTTP/1.1 200 OK\r\n\r\n<html>",
    "another kind": b"HTTP/1.1 200 OK\r\n\r\n{}",
    "nothing": b"HTTP/1.1 200 OK\r\n\r\nnull",
    "a list": b'HTTP/1.1 200 OK\r\n\r\n[{"id": 1, "body": "<!--"}]',
    "sent elsewhere": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\n\r\n",
}


@pytest.mark.parametrize("verb", ["GET", "POST"])
@pytest.mark.parametrize("answer", BROKEN_ANSWERS.values(), ids=BROKEN_ANSWERS)
def test_a_forge_that_stumbles_costs_the_comment_and_not_the_verdict(
    github: Forge, capsys: pytest.CaptureFixture[str], verb: str, answer: bytes, tmp_path: Path
) -> None:
    github.answers[verb] = answer
    shown = run_ci(capsys, "broken", "--comment")

    assert (shown.code, "the comment failed" in shown.err) == (1, True)
    assert "verdict=fail" in (tmp_path / "output").read_text(encoding="utf-8")


@pytest.mark.parametrize("token", [f"{TOKEN}\n", f" {TOKEN}"])
def test_a_token_with_blanks_around_it_works_and_is_never_shown(
    github: Forge, capsys: pytest.CaptureFixture[str], token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", token)
    shown = run_ci(capsys, "broken", "--comment")

    assert len(github.comments) == 1
    assert TOKEN not in shown.out + shown.err


def test_the_steps_that_follow_learn_the_verdict(
    github: Forge, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert github.url
    run_ci(capsys, "few", "--inconclusive", "pass", baseline="few")

    assert (tmp_path / "output").read_text(encoding="utf-8").splitlines() == [
        "verdict=inconclusive",
        "exit-code=0",
        "kept=false",
        "folder=steelyard-report",
    ]
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("**INCONCLUSIVE")


def test_a_job_that_may_not_comment_still_has_its_verdict(
    github: Forge, capsys: pytest.CaptureFixture[str]
) -> None:
    github.is_read_only = True
    shown = run_ci(capsys, "broken", "--comment")

    assert shown.code == 1
    assert "POST" in shown.err
    assert "403" in shown.err
    assert TOKEN not in shown.err


@pytest.mark.parametrize(
    ("variable", "value", "why"),
    [
        ("GITHUB_TOKEN", "", "GITHUB_TOKEN is not set"),
        ("GITHUB_TOKEN", "a\nb", "GITHUB_TOKEN is not set"),
        ("GITHUB_EVENT_PATH", "", "this is not a pull request"),
        ("GITHUB_EVENT_PATH", "nowhere.json", "this is not a pull request"),
        ("GITHUB_ACTIONS", "", "this host is neither GitHub nor GitLab"),
    ],
)
def test_where_there_is_no_thread_the_host_says_why(
    variable: str, value: str, why: str, github: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host_of().thread is not None
    monkeypatch.setenv(variable, value)

    assert (host_of().thread, host_of().why_silent, github.asked) == (None, why, [])


def test_a_job_without_a_thread_says_why_it_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run_ci(capsys, "broken", "--comment")

    assert shown.code == 1
    assert "GitHub nor GitLab" in shown.err


def test_a_forge_that_is_not_there_is_a_warning(
    github: Forge, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert github.url
    for address in ("http://127.0.0.1:9", "ftp://127.0.0.1"):
        monkeypatch.setenv("GITHUB_API_URL", address)
        shown = run_ci(capsys, "steady", "--comment")
        assert (shown.code, "the comment failed" in shown.err) == (0, True)


def test_a_merge_request_of_a_fork_gets_its_comment_where_it_lies() -> None:
    variables = {
        "GITLAB_CI": "true",
        "CI_API_V4_URL": "https://gitlab",
        "CI_PROJECT_ID": "99",
        "CI_MERGE_REQUEST_PROJECT_ID": "12",
        "CI_MERGE_REQUEST_IID": "7",
        "STEELYARD_GITLAB_TOKEN": TOKEN,
    }

    thread = host_of(variables).thread

    assert thread is not None
    assert thread.comments == "https://gitlab/projects/12/merge_requests/7/notes"


def test_gitlab_has_notes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with forge(Forge(knows_us=True)) as served:
        for name, value in {
            "GITLAB_CI": "true",
            "CI_API_V4_URL": served.url,
            "CI_PROJECT_ID": "12",
            "CI_MERGE_REQUEST_IID": "7",
            "STEELYARD_GITLAB_TOKEN": TOKEN,
        }.items():
            monkeypatch.setenv(name, value)
        run_ci(capsys, "broken", "--comment")
        run_ci(capsys, "steady", "--comment")
        monkeypatch.delenv("STEELYARD_GITLAB_TOKEN")
        assert "STEELYARD_GITLAB_TOKEN is not set" in run_ci(capsys, "steady", "--comment").err
        monkeypatch.delenv("CI_MERGE_REQUEST_IID")
        assert "pull request" in run_ci(capsys, "steady", "--comment").err

    assert [asked for asked in served.asked if asked[0] != "GET"] == [
        ("POST", "/projects/12/merge_requests/7/notes"),
        ("PUT", "/projects/12/merge_requests/7/notes/1"),
    ]
    assert "PASS" in served.comments[0]["body"]
