"""An eval set of a folder of tests: a case for each file, with all that the tests need."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import InputError
from steelyard.sources.pytest_folder.eval_set import eval_set_of_tests

MIDDLE = "def middle(xs):\n    return sorted(xs)[len(xs) // 2]\n"
TEST = "from {module} import middle\n\ndef test_middle():\n    assert middle([3, 1, 2]) == 2\n"


def read_set(root: Path, files: Mapping[str, str], *modules: str) -> dict[str, Any]:
    """Write files of a project, and return the set made of its tests."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    text = eval_set_of_tests(root / "tests", root, [root / module for module in modules])
    return tomllib.loads(text)


def only_case(root: Path, files: Mapping[str, str], *modules: str) -> dict[str, Any]:
    """Return the only case of a set."""
    (case,) = read_set(root, files, *modules)["cases"]
    return dict(case)


@pytest.mark.parametrize("place", ["middle.py", "src/middle.py", "tests/middle.py"])
def test_the_imported_module_is_the_reference(tmp_path: Path, place: str) -> None:
    case = only_case(tmp_path, {place: MIDDLE, "tests/test_one.py": TEST.format(module="middle")})

    assert case["reference"] == {"file": place}
    assert case["expectations"]["settings"]["module"] == "middle"
    assert case["expectations"]["tests"] == {"file": "tests/test_one.py"}
    assert "files" not in case


def test_a_module_called_solution_needs_no_setting(tmp_path: Path) -> None:
    case = only_case(tmp_path, {"solution.py": MIDDLE, "tests/test_one.py": TEST.format(module="solution")})

    assert "module" not in case["expectations"]["settings"]


def test_the_prompt_is_the_docstring_or_a_stub(tmp_path: Path) -> None:
    test = TEST.format(module="middle")
    found = read_set(
        tmp_path,
        {"middle.py": MIDDLE, "tests/test_a.py": f'"""Find the middle."""\n{test}', "tests/test_b.py": test},
    )

    prompts = {case["id"]: case["prompt"] for case in found["cases"]}
    assert prompts["a"] == "Find the middle."
    assert prompts["b"].startswith("TODO: describe the task.")
    assert "middle" in prompts["b"]


def test_modules_of_a_package_come_with_what_they_import(tmp_path: Path) -> None:
    case = only_case(
        tmp_path,
        {
            "src/shop/__init__.py": "",
            "src/shop/cart.py": "from .money import cents\n\ndef total(x):\n    return cents(x)\n",
            "src/shop/money.py": "def cents(x):\n    return x\n",
            "tests/test_cart.py": "from shop.cart import total\n\ndef test_it():\n    assert total(1)\n",
        },
    )

    assert case["reference"] == {"file": "src/shop/cart.py"}
    assert case["expectations"]["settings"]["module"] == "shop.cart"
    assert case["files"] == {
        "shop/__init__.py": {"file": "src/shop/__init__.py"},
        "shop/money.py": {"file": "src/shop/money.py"},
    }


def test_conftest_helpers_and_named_data_are_files_of_the_case(tmp_path: Path) -> None:
    test = 'import helpers\nimport middle\nNAMES = ["rows.csv"]\n\ndef test_it():\n    pass\n'
    case = only_case(
        tmp_path,
        {
            "middle.py": MIDDLE,
            "tests/conftest.py": "import pytest\n",
            "tests/deep/test_middle.py": test,
            "tests/deep/helpers.py": "def rows():\n    return []\n",
            "tests/deep/rows.csv": "1,2\n",
            "tests/deep/unused.csv": "1,2\n",
        },
    )

    assert case["id"] == "deep-middle"
    assert case["reference"] == {"file": "middle.py"}
    assert sorted(case["files"]) == ["tests/conftest.py", "tests/deep/helpers.py", "tests/deep/rows.csv"]
    assert case["expectations"]["settings"]["test_file"] == "tests/deep/test_middle.py"


def test_a_file_that_is_no_text_is_left_out_with_a_remark(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/picture.png").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "tests/test_one.py").write_text('def test_it():\n    open("picture.png")\n', encoding="utf-8")

    text = eval_set_of_tests(tmp_path / "tests", tmp_path)

    assert "# Left out, as it is no text: tests/picture.png" in text
    assert "files" not in tomllib.loads(text)["cases"][0]


def test_installed_packages_are_pinned(tmp_path: Path) -> None:
    found = read_set(
        tmp_path,
        {"tests/test_one.py": "import json\nimport numpy\nimport pytest\n\ndef test_it():\n    pass\n"},
    )

    (requirement,) = found["environment"]["requirements"].split()
    assert requirement.startswith("numpy==")


def test_a_module_that_is_nowhere_is_the_one_to_write(tmp_path: Path) -> None:
    case = only_case(
        tmp_path, {"tests/test_one.py": TEST.format(module="unwritten"), "tests/helpers.py": "X = 1\n"}
    )

    assert "reference" not in case
    assert case["expectations"]["settings"]["module"] == "unwritten"


def test_a_given_module_goes_before_others(tmp_path: Path) -> None:
    test = "from first import a\nfrom second import b\n\ndef test_it():\n    assert a() == b()\n"
    files = {
        "first.py": "def a():\n    return 1\n",
        "second.py": "def b():\n    return 1\n",
        "tests/test_one.py": test,
    }

    assert "reference" not in only_case(tmp_path, files)
    case = only_case(tmp_path, files, "second.py")

    assert case["reference"] == {"file": "second.py"}
    assert case["files"] == {"first.py": {"file": "first.py"}}


@pytest.mark.parametrize(
    ("files", "modules", "message"),
    [
        ({"tests/helpers.py": "X = 1\n"}, (), "there is no test file here"),
        ({"tests/test_a.py": "def test_it(:\n"}, (), "cannot be read as Python"),
        ({"tests/test_a.py": "def test_it():\n    pass\n", "m.py": ""}, ("m.py",), "no test in"),
        ({"tests/test_a.py": "def test_it():\n    pass\n"}, ("../m.py",), "not inside"),
    ],
)
def test_what_cannot_become_a_set_is_an_error(
    tmp_path: Path, files: dict[str, str], modules: tuple[str, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_set(tmp_path, files, *modules)


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder of tests"):
        eval_set_of_tests(tmp_path / "tests", tmp_path)
