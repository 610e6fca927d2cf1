"""Files and functions stay small enough to be read in one go, and are named after what they hold."""

from tests.house.package import FOLDERS_OF_CODE, PACKAGE, python_files

LINES_PER_FILE = 400
LINES_PER_FUNCTION = 60
NAMES_THAT_SAY_NOTHING = {"common", "helper", "helpers", "misc", "util", "utils"}


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {file.name: len(file.text.splitlines()) for file in python_files(*FOLDERS_OF_CODE)}

    assert not {name: lines for name, lines in lengths.items() if lines > LINES_PER_FILE}


def test_no_function_is_longer_than_60_lines() -> None:
    lengths = {
        f"{file.name}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for file in python_files(*FOLDERS_OF_CODE)
        for node in file.functions()
    }

    assert not {name: lines for name, lines in lengths.items() if lines > LINES_PER_FUNCTION}


def test_no_module_or_package_is_named_after_nothing() -> None:
    names = [path for path in PACKAGE.rglob("*") if path.stem.strip("_") in NAMES_THAT_SAY_NOTHING]

    assert not names
