"""`steelyard init` and `steelyard validate`."""

from pathlib import Path

import pytest

from steelyard.checks.toolchains.rust.vendored import FOLDER_ENV as CRATES_ENV
from steelyard.plugins import SANDBOXES
from steelyard.sources.shipped import files_of_set, starting_files
from tests.commands import typed, written
from tests.node_modules import use_node_modules
from tests.wheels import use_wheels

Capture = pytest.CaptureFixture[str]
TEXT_CASE = """
[[cases]]
id = "{id}"
language = "text"
prompt = "?"
reference = "{reference}"
wrong = ["{wrong}"]
expectations.settings.exact = "yes"
"""


def test_init_writes_a_set_that_validates_with_its_references(tmp_path: Path, capsys: Capture) -> None:
    begun = typed(capsys, "init", tmp_path / "new")
    checked = typed(capsys, "validate", tmp_path / "new" / "eval-sets" / "first.toml", "--references")

    assert (begun.code, begun.err) == (0, "")
    assert begun.out.splitlines()[-1].startswith("next: steelyard validate ")
    assert {
        path.relative_to(tmp_path / "new").as_posix() for path in tmp_path.rglob("*") if path.is_file()
    } == set(starting_files())
    assert checked.out.splitlines()[-2:] == [
        "references: 3 of 3 pass, 4 of 4 wrong answers fail",
        "empty answers: 6 of 6 fail",
    ]
    assert (checked.code, checked.err) == (0, "")


def test_init_overwrites_nothing_and_then_writes_nothing(tmp_path: Path, capsys: Capture) -> None:
    mine = written(tmp_path, "mine", ".gitignore")

    shown = typed(capsys, "init", tmp_path)

    assert shown.code == 2
    assert f"{mine}: exists already, and init overwrites nothing" in shown.err
    assert mine.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [mine]


def test_init_copies_shipped_sets(tmp_path: Path, capsys: Capture) -> None:
    shown = typed(capsys, "init", tmp_path, "--set", "rust-basics", "--set", "behaviour")

    assert (shown.code, shown.err) == (0, "")
    assert (tmp_path / "eval-sets/rust-basics.toml").read_text("utf-8") == files_of_set("rust-basics")[
        "rust-basics.toml"
    ]
    assert shown.out.endswith(f" validate {tmp_path}/eval-sets/rust-basics.toml --references\n")
    assert typed(capsys, "validate", tmp_path / "eval-sets" / "behaviour").code == 0


def test_init_names_a_copied_set_that_is_a_folder(tmp_path: Path, capsys: Capture) -> None:
    shown = typed(capsys, "init", tmp_path, "--set", "behaviour")

    assert shown.out.endswith(f"next: steelyard validate {tmp_path}/eval-sets/behaviour --references\n")


def test_init_knows_its_sets(tmp_path: Path, capsys: Capture) -> None:
    shown = typed(capsys, "init", tmp_path, "--set", "cobol-basics")

    assert (shown.code, list(tmp_path.iterdir())) == (2, [])
    assert "behaviour, python-basics" in shown.err


def test_init_says_where_it_cannot_write(tmp_path: Path, capsys: Capture) -> None:
    shown = typed(capsys, "init", written(tmp_path, "", "file"))

    assert shown.code == 2
    assert "cannot be written to" in shown.err


def test_validate_says_what_is_in_a_set(capsys: Capture) -> None:
    shown = typed(capsys, "validate", "rust-basics")

    first, *rest = shown.out.splitlines()
    assert (shown.code, shown.err) == (0, "")
    assert first == "rust-basics: 16 cases in 4 suites, 1 tier; no problems"
    assert "  suite numbers: 3 cases (rust), 3 reference answers, 7 wrong answers" in rest
    assert "  tiers: T0" in rest


def test_validate_tells_all_problems(tmp_path: Path, capsys: Capture) -> None:
    path = written(tmp_path, "[[cases]]\nid = 'a'\n[[cases]]\nid = 7\nprompt = 'p'\n", "set.toml")

    shown = typed(capsys, "validate", path)

    assert (shown.code, shown.out) == (2, "")
    assert f"{path}:1: cases[1] has no 'prompt'" in shown.err
    assert f"{path}:4: cases[2].id: found 7, expected text" in shown.err


def test_validate_finds_references_that_fail_and_wrong_answers_that_pass(
    tmp_path: Path, capsys: Capture
) -> None:
    good = TEXT_CASE.format(id="good", reference="yes", wrong="no")
    bad = TEXT_CASE.format(id="bad", reference="no", wrong="yes")
    path = written(tmp_path, good + bad, "set.toml")

    shown = typed(capsys, "validate", path, "--references")

    assert shown.code == 2
    assert "nothing is wrong" not in shown.out
    assert "2 answers" in shown.err
    assert "classified fail" in shown.err
    assert "wrong answer 1" in shown.err
    assert "good" not in shown.err


def test_validate_names_cases_without_a_reference(tmp_path: Path, capsys: Capture) -> None:
    bare = '[[cases]]\nid = "bare"\nlanguage = "text"\nprompt = "?"\n'
    path = written(tmp_path, TEXT_CASE.format(id="good", reference="yes", wrong="no") + bare, "set.toml")

    shown = typed(capsys, "validate", path, "--references")

    assert shown.code == 0
    assert shown.out.endswith("without a reference answer: bare\n")


def test_validate_refuses_to_check_nothing(tmp_path: Path, capsys: Capture) -> None:
    path = written(tmp_path, '[[cases]]\nid = "bare"\nprompt = "?"\n', "set.toml")

    shown = typed(capsys, "validate", path, "--references")

    assert shown.code == 2
    assert "no case" in shown.err


def test_a_failure_of_ours_is_no_fault_of_the_set(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SANDBOXES, "broken", "tests.runner.broken:BrokenSandbox")
    case = '[[cases]]\nid = "c"\nlanguage = "python"\nprompt = "?"\nreference = "x = 1"\n'
    path = written(tmp_path, f'{case}expectations.tests = "assert x == 1"\n', "set.toml")

    shown = typed(capsys, "validate", path, "--references", "--sandbox", "broken")

    assert shown.code == 3
    assert (
        "case 'c': the reference answer is classified error, but must be pass\n    the sandbox is broken"
        in shown.err
    )


def test_a_sandbox_that_there_is_not(capsys: Capture) -> None:
    shown = typed(capsys, "validate", "behaviour", "--references", "--sandbox", "bubblewarp")

    assert shown.code == 2
    assert "did you mean 'bubblewrap'?" in shown.err


def test_answers_run_without_a_sandbox_if_one_insists(tmp_path: Path, capsys: Capture) -> None:
    path = written(tmp_path, TEXT_CASE.format(id="good", reference="yes", wrong="no"), "set.toml")

    assert typed(capsys, "validate", path, "--references", "--unsafe-no-sandbox").code == 0
    assert typed(capsys, "validate", path, "--references", "--sandbox", "process").code == 3


def test_neither_a_variable_nor_a_file_in_the_folder_can_insist(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, TEXT_CASE.format(id="good", reference="yes", wrong="no"), "set.toml")
    monkeypatch.chdir(tmp_path)
    name = "STEELYARD_VALIDATE_UNSAFE_NO_SANDBOX"
    written(tmp_path, f"{name}=1\n", ".env")
    monkeypatch.delenv(name, raising=False)

    by_file = typed(capsys, "validate", path, "--references", "--sandbox", "process")
    monkeypatch.setenv(name, "1")
    by_variable = typed(capsys, "validate", path, "--references", "--sandbox", "process")

    assert (by_file.code, by_variable.code) == (3, 3)
    assert f"ignored: {name}" in by_file.err


def test_a_language_that_nothing_checks_is_named_before_anything_is_asked(
    tmp_path: Path, capsys: Capture
) -> None:
    cases = "".join(
        f'[[cases]]\nid = "{name}"\nlanguage = "{name}"\nprompt = "?"\n' for name in ("pyhton", "cpp", "1")
    )

    shown = typed(capsys, "validate", written(tmp_path, cases, "set.toml"))

    assert shown.code == 2
    assert "'pyhton'; did you mean python" in shown.err
    assert "no checker for the language '1'; did you mean c, cmake, command, cpp," in shown.err
    assert "'cpp'" not in shown.err


PACKAGED = '''
[environment]
requirements = "weights==1.0"

[[cases]]
id = "mass"
language = "python"
prompt = "?"
reference = """
import weights

def mass(): return weights.grams()
"""
expectations.tests = "assert mass() == 1000"
expectations.settings.answer = "raw"
'''


def test_validate_says_whether_packages_are_installed_and_installs_them_for_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    use_wheels(tmp_path, monkeypatch)
    place = written(tmp_path, PACKAGED, "set.toml")

    before = typed(capsys, "validate", place)
    checked = typed(capsys, "validate", place, "--references")
    after = typed(capsys, "validate", place)

    assert "environment: 1 package for Python; 1 not installed yet" in before.out
    assert (checked.code, "references: 1 of 1 pass" in checked.out) == (0, True)
    assert "installing 1 package " in checked.err
    assert "environment: 1 package for Python; installed on this machine" in after.out


def test_validate_tells_of_a_package_that_does_not_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    use_wheels(tmp_path, monkeypatch)
    place = written(tmp_path, PACKAGED.replace("1.0", "3.0"), "set.toml")

    shown = typed(capsys, "validate", place, "--references")

    assert shown.code == 2
    assert "cannot be installed" in shown.err


NODE = '''
[environment]
npm = ["scales@1.0.0"]

[[cases]]
id = "mass"
language = "javascript"
prompt = "?"
reference = """
```js
import scales from 'scales';
export const mass = (kilos) => scales.grams(kilos);
```
"""
expectations.function = "mass"
[[cases.expectations.calls]]
args = [2]
returns = 2000
'''


def test_validate_says_whether_packages_of_npm_are_there_and_references_use_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    use_node_modules(tmp_path, monkeypatch)
    place = written(tmp_path, NODE, "set.toml")

    shown = typed(capsys, "validate", place, "--references")

    environment = "environment: 1 package for JavaScript and TypeScript; installed on this machine"
    assert environment in shown.out
    assert (shown.code, "references: 1 of 1 pass" in shown.out) == (0, True)


def test_validate_tells_of_a_package_of_npm_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    use_node_modules(tmp_path, monkeypatch)
    place = written(tmp_path, NODE.replace("1.0.0", "2.0.0"), "set.toml")

    plain, checked = typed(capsys, "validate", place), typed(capsys, "validate", place, "--references")

    missing = "npm packages of the eval set are missing: scales@2.0.0 (found 1.0.0)"
    assert (plain.code, missing in plain.out) == (0, True)
    assert (checked.code, f"error: {missing}" in checked.err) == (2, True)


def test_validate_tells_of_a_crate_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.delenv(CRATES_ENV, raising=False)
    text = """[[cases]]
id = "a"
prompt = "p"
language = "rust"
expectations.functions = ["f"]
dependencies = [{ name = "regex", version = "1" }]
"""

    shown = typed(capsys, "validate", written(tmp_path, text, "set.toml"))

    assert "environment: 1 package for Rust; crates of the eval set are missing: regex 1." in shown.out
    assert "set STEELYARD_CARGO_VENDOR" in shown.out


def test_validate_says_which_language_it_assumes(tmp_path: Path, capsys: Capture) -> None:
    text = "[[cases]]\nid = 'a'\nprompt = 'p'\n"
    bare = written(tmp_path, text, "bare.toml")
    named = written(tmp_path, f"[eval_set]\nid = 's'\ndefault_language = 'rust'\n{text}", "named.toml")

    assert "rust" in typed(capsys, "validate", bare).err
    assert "no language is set" not in typed(capsys, "validate", named).err


def test_validate_names_cases_that_any_answer_passes(tmp_path: Path, capsys: Capture) -> None:
    text = "[eval_set]\nid = 's'\ndefault_language = 'python'\n"
    text += "[[cases]]\nid = 'bare'\nprompt = 'p'\n"
    text += "[[cases]]\nid = 'tested'\nprompt = 'p'\n[cases.expectations]\ntests = 'assert add(1, 2) == 3'\n"

    shown = typed(capsys, "validate", written(tmp_path, text, "set.toml"))

    assert shown.code == 0
    assert shown.out.splitlines()[0] == "s: 2 cases in 1 suite, 1 tier; no errors"
    assert shown.err == "warning: 1 case without tests, which any answer that builds passes: bare\n"
