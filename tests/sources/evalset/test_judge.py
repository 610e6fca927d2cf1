"""Who judges an eval set: read with its rubric, and every mistake told with its place."""

from fractions import Fraction
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.evalset import EvalSet
from steelyard.sources.evalset.read import read_eval_set
from steelyard.sources.rubric.read import read_rubric
from steelyard.store.run.location import Folder
from steelyard.store.run.stored_set import read_stored_set, write_eval_set
from tests.commands import written
from tests.sources.evalset.files import SMALLEST

RUBRIC = '[[requirements]]\nid = "r"\ndescription = "It works."\n'


def judged(folder: Path, table: str) -> EvalSet:
    (folder / "mine.toml").write_text(RUBRIC, encoding="utf-8")
    (folder / "set").mkdir(exist_ok=True)
    (folder / "set" / "mine.toml").write_text(RUBRIC, encoding="utf-8")
    return read_eval_set(written(folder, f"[judge]\n{table}\n{SMALLEST}", "set.toml"))


def test_judges_go_by_the_default_rubric_unless_they_are_told(tmp_path: Path) -> None:
    found = judged(tmp_path, 'models = ["a/b", "c/d"]').judge

    assert found is not None
    assert found.models == ("a/b", "c/d")
    assert found.rubric == read_rubric("quality")


def test_a_set_may_bring_its_rubric_and_change_how_it_is_read(tmp_path: Path) -> None:
    found = judged(
        tmp_path,
        'models = ["a/b"]\nrubric = "mine.toml"\nreadings = 1\nextra_readings = 2\npass_threshold = 0.9\n'
        "temperature = 0.2\nmax_tokens = 900",
    ).judge

    assert found is not None
    assert (found.rubric.id, found.rubric.pass_threshold) == ("mine", Fraction(9, 10))
    assert (found.rubric.consensus.readings, found.rubric.consensus.extra_readings) == (1, 2)
    assert found.record.parameters == {"temperature": "0.2", "max_tokens": "900"}
    assert found.record.pass_threshold == "9/10"


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('models = ["judge"]', r"set.toml:2: .*provider/name"),
        ('models = ["a/b", "a/b"]', r"set.toml:2: .*named twice"),
        ('rubric = "qality"', r"set.toml:2: .*qality"),
        ('rubric = "../mine.toml"', r"set.toml:2.*inside"),
        ('rubrik = "quality"', r"set.toml:2.*'rubric'"),
        ("readings = 0", r"set.toml:2: .*readings"),
        ("pass_threshold = 1.5", r"set.toml:2: .*pass_threshold"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, table: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        judged(tmp_path, table)


def test_a_broken_rubric_is_told_by_the_set(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('[[requirements]]\nid = "r"\n', encoding="utf-8")

    with pytest.raises(InputError, match=r"set.toml:2: .*bad.toml"):
        judged(tmp_path, 'rubric = "bad.toml"')


def test_the_digest_of_a_set_tells_its_judges_and_sets_without_keep_theirs(tmp_path: Path) -> None:
    plain = read_eval_set(written(tmp_path, SMALLEST, "plain.toml"))
    one, other = (judged(tmp_path, f'models = ["{model}"]') for model in ("a/b", "c/d"))

    assert len({plain.digest, one.digest, other.digest}) == 3
    assert plain.digest == "8d5ace23ef593aab541074c69c4a7964"


def test_a_stored_set_comes_back_with_its_judges(tmp_path: Path) -> None:
    eval_set = judged(tmp_path, 'models = ["a/b"]\ntemperature = 0.5')

    write_eval_set(Folder(tmp_path / "run"), eval_set)

    assert read_stored_set(Folder(tmp_path / "run")) == eval_set


@pytest.mark.parametrize(
    ("tier", "told"),
    [
        ('id = "judge"', "judges are called"),
        ('id = "T1"\nprovider = "p"\ncommand = "c"', "leave one of them out"),
    ],
)
def test_a_tier_that_cannot_be_asked_is_refused(tmp_path: Path, tier: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_eval_set(written(tmp_path, f"[[tiers]]\n{tier}\n{SMALLEST}", "set.toml"))


def test_a_tier_may_ask_through_an_agent(tmp_path: Path) -> None:
    text = f'[[tiers]]\nid = "T0"\n[[tiers]]\nid = "T1"\ncommand = "my-agent {{prompt}}"\n{SMALLEST}'
    changed = text.replace("my-agent", "another")

    found = read_eval_set(written(tmp_path, text, "set.toml"))

    assert [tier.agent for tier in found.tiers] == ["", "tier:T1"]
    assert found.digest != read_eval_set(written(tmp_path, changed, "set.toml")).digest
