"""Every file in changelog.d becomes one item of the changelog, and a release finds its notes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.release_notes import foreign_addresses, notes_of, package_version, pyproject
from tests.repo.package import REPOSITORY

FRAGMENTS = sorted((REPOSITORY / "changelog.d").glob("*.md"))
CHANGELOG = "# Changelog\n\n## 0.2.0 (2030-01-02)\n\n### Added\n\n- New.\n\n## 0.1.0 (2029-01-01)\n\n- Old.\n"


def kinds() -> list[str]:
    """Return the kinds of change that towncrier knows."""
    return [kind["directory"] for kind in pyproject()["tool"]["towncrier"]["type"]]


def test_every_fragment_is_named_after_an_issue_or_a_few_words_and_a_kind() -> None:
    name = re.compile(rf"(\d+|\+[a-z0-9-]+)(\.\d+)?\.({'|'.join(kinds())})\.md")

    assert not [file.name for file in FRAGMENTS if not name.fullmatch(file.name)]


def test_every_fragment_is_plain_text_for_one_item() -> None:
    texts = {file.name: file.read_text(encoding="utf-8") for file in FRAGMENTS}

    assert not [name for name, text in texts.items() if not text.strip() or text.startswith(("-", "*", "#"))]


def test_towncrier_puts_every_fragment_into_the_changelog() -> None:
    words = [str(Path(sys.executable).parent / "towncrier"), "build", "--draft", "--version", "9.9.9"]
    done = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"^- ", done.stdout, re.MULTILINE)) == len(FRAGMENTS)


def test_the_changelog_has_the_mark_at_which_towncrier_writes() -> None:
    mark = pyproject()["tool"]["towncrier"]["start_string"]

    assert (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8").count(mark) == 1


@pytest.mark.parametrize(
    ("version", "notes"), [("0.2.0", "### Added\n\n- New."), ("0.1.0", "- Old."), ("0.2", ""), ("0.3.0", "")]
)
def test_the_notes_of_a_release_are_the_section_of_its_version(version: str, notes: str) -> None:
    assert notes_of(version, CHANGELOG) == notes


def release_notes(tag: str, repository: str) -> subprocess.CompletedProcess[str]:
    """Run the script that the release workflow runs."""
    words = [sys.executable, str(REPOSITORY / "scripts/release_notes.py"), tag, repository]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("tag", ["v0.0.0", package_version()])
def test_a_release_fails_for_a_tag_that_is_not_the_version(tag: str) -> None:
    source = pyproject()["project"]["urls"]["Source"]

    done = release_notes(tag, source.removeprefix("https://github.com/"))

    assert done.returncode == 1
    assert f"the tag is {tag}" in done.stderr


def test_a_release_fails_in_a_repository_that_the_package_does_not_name() -> None:
    done = release_notes(f"v{package_version()}", "somebody/else")

    assert done.returncode == 1
    assert "[project.urls]" in done.stderr


def test_all_addresses_of_the_package_belong_to_one_repository() -> None:
    urls = pyproject()["project"]["urls"]

    assert foreign_addresses(urls, urls["Source"].removeprefix("https://github.com/")) == []
    assert foreign_addresses(urls, "somebody/else") == list(urls.values())
