"""`steelyard init --from-pytest` makes a set whose references pass."""

from pathlib import Path

import pytest

from tests.commands import typed

MODULE = '''
def median(numbers):
    """Return the middle number."""
    return sorted(numbers)[len(numbers) // 2]
'''
TESTS = '''
"""Write `median(numbers)` for lists of odd length."""

from median import median

def test_median():
    assert median([3, 1, 2]) == 2
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a module below `src`, as the current folder."""
    for name, text in {"src/median.py": MODULE, "tests/test_median.py": TESTS}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_correct_module_passes_and_a_wrong_one_fails(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = typed(capsys, "init", "--from-pytest", "tests", "--module-under-test", "src/median.py")
    assert made.code == 0, made.err
    assert "next: steelyard validate tests.toml --references" in made.out

    good = typed(capsys, "validate", "tests.toml", "--references")
    (project / "src" / "median.py").write_text(MODULE.replace("// 2", "// 4"), encoding="utf-8")
    wrong = typed(capsys, "validate", "tests.toml", "--references")

    assert (good.code, wrong.code) == (0, 2)
    assert "1 of 1 pass" in good.out


@pytest.mark.usefixtures("project")
def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("tests.toml").write_text("mine", encoding="utf-8")

    shown = typed(capsys, "init", "--from-pytest", "tests")

    assert shown.code == 2
    assert "exists already" in shown.err
    assert Path("tests.toml").read_text(encoding="utf-8") == "mine"


def test_a_module_under_test_needs_the_folder_of_tests(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "init", "--module-under-test", "a.py")

    assert shown.code == 2
    assert "--from-pytest" in shown.err
