"""Faults are planted in a copy of a tree; the script counts those that no test finds."""

import subprocess
from pathlib import Path

import pytest

from perf.planted_mutants import REPOSITORY, Mutant, copy_tree, listed, main, outcome

FILE = Path("src/steelyard/sizes/area.py")
FOUND = Mutant(file=FILE, old="return a * b", new="return a + b")
FILES = {
    "pyproject.toml": '[tool.pytest]\naddopts = ["--import-mode=importlib"]\n',
    "src/steelyard/__init__.py": "",
    "src/steelyard/sizes/__init__.py": "",
    str(FILE): "def area(a: int, b: int) -> int:\n    return a * b\n\n\n"
    "def half(a: int) -> int:\n    return a // 2\n",
    "tests/sizes/test_area.py": "from steelyard.sizes.area import area\n\n\n"
    "def test_zero() -> None:\n    assert area(0, 0) == 0\n",
    "tests/sizes/test_others.py": "from steelyard.sizes.area import area\n\n\n"
    "def test_area() -> None:\n    assert area(3, 4) == 12\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer to load than the tests
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def test_each_listed_mutant_has_its_place_and_its_tests() -> None:
    for mutant in listed():
        mutant.planted((REPOSITORY / mutant.file).read_text(encoding="utf-8"))
        assert any(mutant.selections(REPOSITORY))
        assert [path for path in mutant.tests if not (REPOSITORY / path).exists()] == []


def test_every_package_has_at_least_two_mutants() -> None:
    packages = [mutant.file.parts[2] for mutant in listed()]

    assert {package: packages.count(package) for package in packages if packages.count(package) < 2} == {}
    assert len(packages) == 28


def test_a_mutant_that_the_mirror_folder_finds_is_killed_and_the_file_is_restored(tree: Path) -> None:
    assert outcome(FOUND, tree) == ("killed", "tests/sizes/test_others.py::test_area")
    assert (tree / FILE).read_text(encoding="utf-8") == FILES[str(FILE)]


def test_a_mutant_whose_text_is_gone_ends_the_run(tree: Path) -> None:
    with pytest.raises(SystemExit, match="found 0 times"):
        outcome(Mutant(file=FILE, old="return a / b", new=""), tree)


@pytest.mark.check_all
def test_a_test_that_fails_without_the_mutant_kills_nothing(tree: Path) -> None:
    (tree / "tests/sizes/test_others.py").write_text(
        "def test_it() -> None:\n    assert 0\n", encoding="utf-8"
    )

    assert outcome(FOUND, tree) == ("broken", "tests/sizes/test_others.py::test_it")


@pytest.mark.check_all
@pytest.mark.parametrize(("survivors", "code"), [(2, 0), (3, 1)])
def test_more_than_two_survivors_fail(
    tree: Path, capsys: pytest.CaptureFixture[str], survivors: int, code: int
) -> None:
    row = f"[[mutant]]\nfile = '{FILE}'\nold = 'return a // 2'\nnew = 'return a'\n"
    (tree / "list.toml").write_text(row * survivors, encoding="utf-8")

    assert main(["--list", str(tree / "list.toml"), "--tree", str(tree)]) == code
    assert f"{survivors} mutants, 0 killed" in capsys.readouterr().out


def test_the_copy_leaves_out_ignored_files(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (tree / ".gitignore").write_text("large/\n", encoding="utf-8")
    (tree / "large").mkdir()
    (tree / "large/file").touch()
    copy = tmp_path_factory.mktemp("copy")

    copy_tree(tree, copy)

    assert (copy / FILE).is_file()
    assert not (copy / "large").exists()
