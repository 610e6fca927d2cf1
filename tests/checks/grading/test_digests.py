"""A check is named by all that decides its verdict, and by nothing else."""

from importlib.metadata import version

import pytest

from steelyard.checks.extraction.extract import extraction_tools
from steelyard.checks.grading import digests
from steelyard.checks.grading.digests import check_digest
from steelyard.model.case import Case, Expectations


def case(**settings: str) -> Case:
    return Case(id="c", language="text", expectations=Expectations(settings=settings))


@pytest.mark.parametrize(
    ("setting", "tool"),
    [("html", "justhtml"), ("regex", "regex"), ("policy_forbidden", "regex"), ("lenient", "repair")],
)
def test_another_version_of_what_reads_an_answer_is_another_check(
    setting: str, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = check_digest("text", case(**{setting: "true"}))
    unrelated = check_digest("text", case(exact="true"))
    of_today = digests.BY_SETTING[setting]()
    monkeypatch.setattr(digests, "BY_SETTING", {setting: lambda: {tool: "another"}})

    assert set(of_today) == {tool}
    assert check_digest("text", case(**{setting: "true"})) != now
    assert check_digest("text", case(exact="true")) == unrelated


def test_the_versions_are_those_that_are_installed() -> None:
    assert digests.BY_SETTING["html"]() == {"justhtml": version("justhtml")}
    assert digests.BY_SETTING["regex"]() == {"regex": version("regex")}
    assert extraction_tools("python")["pygments"] == version("pygments")


def test_a_rule_for_some_languages_changes_the_digests_of_those_alone() -> None:
    assert extraction_tools("python") == extraction_tools("rust") == extraction_tools("")
    assert extraction_tools("python") == {"extraction": "5", "pygments": version("pygments")}
    for language in ("go", "java", "javascript", "typescript"):
        assert extraction_tools(language) != extraction_tools("python")
