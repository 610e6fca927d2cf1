"""A wheel in a fresh environment grades ordinary tests with default settings, as a user would run it."""

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.checks.python_natural.natural_cases import LOCK, NaturalCase, first_set, second_set

REPOSITORY = Path(__file__).parents[2]
CASES = [*first_set(), *second_set()]
CHUNK = 5  # cases of one run, which must end within a test's time on a busy machine
RIGHT, WRONG = "0", "1"  # attempts


@pytest.fixture(scope="module")
def steelyard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel of this repository and install it without extras."""
    folder = tmp_path_factory.mktemp("installed")
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    run([uv, "build", "--wheel", "--out-dir", str(folder), str(REPOSITORY)])
    python = folder / "venv" / "bin" / "python"
    run([uv, "venv", "--python", sys.executable, str(folder / "venv")])
    run([uv, "pip", "install", "--python", str(python), *map(str, folder.glob("*.whl"))])
    return python.with_name("steelyard")


def run(command: Sequence[str], folder: Path | None = None) -> None:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]


def write_set(folder: Path, cases: Iterable[NaturalCase]) -> None:
    """Write the cases as an eval set, and a right and a wrong answer to each."""
    lines = ['[eval_set]\nid = "natural"\n[environment]\nrequirements = { file = "requirements.lock" }\n']
    shutil.copy(LOCK, folder / "requirements.lock")
    answers = []
    for case in cases:
        files = {"solution.py": case.solution, "tests.py": case.tests, **case.shipped, **case.support}
        for name, text in files.items():
            path = folder / case.name / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        shipped = [f'"{name}" = {{ file = "{case.name}/{name}" }}' for name in (*case.shipped, *case.support)]
        module = f'settings = {{ module = "{case.module}" }}\n' if case.module != "solution" else ""
        lines.append(
            f'[[cases]]\nid = "{case.name}"\nlanguage = "python"\ntimeout_secs = 120\n'
            f"prompt = {json.dumps(case.prompt)}\nfiles = {{ {', '.join(shipped)} }}\n"
            f'reference = {{ file = "{case.name}/solution.py" }}\n'
            f'[cases.expectations]\ntests = {{ file = "{case.name}/tests.py" }}\n{module}'
        )
        for attempt, answer in enumerate((case.solution, case.wrong)):
            text = f"```python\n{answer}\n```"
            answers.append({"model": "team/prompt", "case": case.name, "attempt": attempt, "text": text})
    (folder / "set.toml").write_text("\n".join(lines), encoding="utf-8")
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")


@pytest.mark.check_all
@pytest.mark.parametrize("start", range(0, len(CASES), CHUNK))
def test_right_answers_pass_and_wrong_ones_fail(start: int, steelyard: Path, tmp_path: Path) -> None:
    cases = CASES[start : start + CHUNK]
    write_set(tmp_path, cases)

    arguments = ["--eval-set", "set.toml", "--replay", "answers.jsonl", "--samples", "2", "--quiet"]
    run([str(steelyard), "run", *arguments, "--models", "team/prompt", "--run", "run"], tmp_path)
    run([str(steelyard), "export", "run", "--table", "outcomes", "-o", "outcomes.csv"], tmp_path)

    with (tmp_path / "outcomes.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["case_id"], row["attempt"], row["classification"]) for row in csv.DictReader(file)]
    expected = {(case.name, RIGHT, "pass") for case in cases} | {(case.name, WRONG, "fail") for case in cases}
    assert set(rows) == expected
