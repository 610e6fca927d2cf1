"""The environment of an eval set, as its file states it."""

import json
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.environment import Environment
from steelyard.sources.evalset.read import read_eval_set
from steelyard.store.run.location import location_of
from steelyard.store.run.stored_set import read_stored_set, write_eval_set
from tests.commands import written

CASES = """
[[cases]]
id = "one"
language = "python"
prompt = "?"
[[cases]]
id = "two"
language = "py"
prompt = "?"
[[cases]]
id = "three"
prompt = "?"
"""


def place(tmp_path: Path, text: str) -> Path:
    written(tmp_path, "numpy==2.1.0\n", "requirements/user.lock")
    return written(tmp_path, text + CASES, "set.toml")


WHOLE = """
[environment]
python = "3.12"
requirements = { file = "requirements/user.lock" }
"""


def test_cases_in_python_have_the_environment_and_others_have_none(tmp_path: Path) -> None:
    one, two, three = read_eval_set(place(tmp_path, WHOLE)).cases

    wanted = Environment(python="3.12", requirements="numpy==2.1.0\n")
    assert (one.environment, two.environment, three.environment) == (wanted, wanted, None)


BOTH = """
[environment]
requirements = "six==1.17.0"
npm = ["lodash@4.17.21", "@scope/name@1.0.0"]
"""
NODE_CASES = """
[[cases]]
id = "four"
language = "javascript"
prompt = "?"
[[cases]]
id = "five"
language = "typescript"
prompt = "?"
"""


def test_cases_in_javascript_and_typescript_have_the_packages_of_npm_and_no_others(tmp_path: Path) -> None:
    found = read_eval_set(written(tmp_path, BOTH + CASES + NODE_CASES, "set.toml"))

    python, node = (
        Environment(requirements="six==1.17.0"),
        Environment(npm=("lodash@4.17.21", "@scope/name@1.0.0")),
    )
    assert [case.environment for case in found.cases] == [python, python, None, node, node]


def test_packages_of_npm_leave_cases_in_python_as_they_are(tmp_path: Path) -> None:
    text = '[environment]\nnpm = ["lodash@4.17.21"]\n' + CASES + NODE_CASES
    found = read_eval_set(written(tmp_path, text, "set.toml"))
    bare = read_eval_set(written(tmp_path, CASES, "bare.toml"))

    assert [case.digest for case in found.cases[:3]] == [case.digest for case in bare.cases]


def test_a_run_keeps_the_packages_of_npm_and_one_from_before_them_can_be_read(tmp_path: Path) -> None:
    found = read_eval_set(written(tmp_path, BOTH + CASES + NODE_CASES, "set.toml"))
    location = location_of(str(tmp_path / "run"))
    write_eval_set(location, found)
    stored = read_stored_set(location)
    before = tmp_path / "run" / "eval-set.json"
    form = json.loads(before.read_text(encoding="utf-8"))
    for one in form["environments"]:
        del one["environment"]["npm"]
    before.write_text(json.dumps(form), encoding="utf-8")

    assert stored == found
    assert read_stored_set(location).cases[0] == found.cases[0]


def test_a_run_keeps_it_once_for_all_cases(tmp_path: Path) -> None:
    found = read_eval_set(place(tmp_path, WHOLE))
    location = location_of(str(tmp_path / "run"))

    write_eval_set(location, found)

    text = (tmp_path / "run" / "eval-set.json").read_text(encoding="utf-8")
    assert text.count("numpy==2.1.0") == 1
    assert read_stored_set(location) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('requirements = """six==1.17.0\nnumpy>=2"""', 'line 2, "numpy>=2", pins no package to one version'),
        ('tests.requirements = "six==1.17.0"', '[environment] has no key "tests"'),
        ('python = "3.8"', "expected a Python from 3.11 on"),
        ("", "it names neither a Python nor a package"),
        ('npm = ["lodash"]', '"lodash" pins no package to one version; write it as `name@1.2.3`'),
        ('npm = ["lodash@^4"]', '"lodash@^4" pins no package to one version'),
        ('npm = "lodash@4.17.21"', "npm"),
        ('npm = ["lodash@4.17.21"]', "no case of this set is in JavaScript or TypeScript"),
        ('packages = "numpy"', "packages"),
    ],
)
def test_what_cannot_be_is_told_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_eval_set(place(tmp_path, f"[environment]\n{text}\n"))

    assert message in str(refused.value)
    assert "set.toml:" in str(refused.value)


def test_a_wrong_package_of_npm_is_told_with_its_own_line(tmp_path: Path) -> None:
    text = '[environment]\nnpm = [\n  "lodash@4.17.21",\n  "left-pad@1",\n]\n'

    with pytest.raises(InputError, match=r"set\.toml:4: .*left-pad@1"):
        read_eval_set(written(tmp_path, text + NODE_CASES, "set.toml"))


def test_only_one_file_of_a_folder_has_an_environment(tmp_path: Path) -> None:
    place(tmp_path, WHOLE)
    written(tmp_path, '[environment]\npython = "3.12"\n', "other.toml")

    with pytest.raises(InputError, match="environment"):
        read_eval_set(tmp_path)


def test_an_environment_that_no_case_can_use_is_refused(tmp_path: Path) -> None:
    place = written(
        tmp_path, '[environment]\npython = "3.12"\n[[cases]]\nid = "a"\nprompt = "?"\n', "set.toml"
    )

    with pytest.raises(InputError, match=r"set\.toml:1.*Python"):
        read_eval_set(place)
