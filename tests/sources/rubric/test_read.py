"""Rubrics are read from TOML in either form, and what is wrong with one is said with its place."""

from fractions import Fraction
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.rubric import ConsensusPlan, RatingScale, Rubric
from steelyard.sources.rubric.read import read_rubric
from steelyard.sources.shipped import shipped_rubrics
from tests.commands import written

REQUIREMENT = "[[requirements]]\nid = 'a'\ndescription = 'It works.'\n"
CATEGORY = "[[categories]]\nid = 'c'\n"
ITEM = "[[categories.items]]\nid = 'i'\ndescription = 'It works.'\n"
# Seed 002: functional correctness 2.0, completeness 1.5, ...
WEIGHTS = {
    "functional_correctness": "2",
    "completeness": "1.5",
    "code_quality": "1",
    "simplicity": "1",
    "clarity": "1",
    "cleanup_script_quality": "1",
    "lack_of_duplication": "0.5",
    "documentation": "0.5",
    "architectural_cleanliness": "0.5",
    "efficiency": "0.5",
}


def read(folder: Path, text: str) -> Rubric:
    """Write a rubric and read it."""
    return read_rubric(written(folder, text, "mine.toml"))


def test_the_default_rubric_has_the_ten_categories_of_seed_002() -> None:
    rubric = read_rubric()

    assert rubric.id == "quality"
    assert {category.id: category.weight for category in rubric.categories} == {
        name: Fraction(weight) for name, weight in WEIGHTS.items()
    }
    assert rubric.consensus == ConsensusPlan()
    assert all(category.items and category.description for category in rubric.categories)


def test_every_shipped_rubric_can_be_read_by_its_name() -> None:
    assert {name: read_rubric(name).id for name in shipped_rubrics()} == {
        name: name for name in shipped_rubrics()
    }


def test_a_requirement_is_a_category_of_one_item(tmp_path: Path) -> None:
    rubric = read(
        tmp_path,
        f"{REQUIREMENT}weight = 2.5\n[[requirements]]\nid = 'b'\ndescription = 'Fast.'\nscale = 'scaled'\n"
        f"not_applicable = 'nobody waits.'",
    )

    first, second = rubric.categories
    assert rubric.id == "mine"  # named after its file
    assert (first.id, first.weight, first.items[0].scale) == ("a", Fraction(5, 2), RatingScale.BINARY)
    assert (second.items[0].scale, second.items[0].not_applicable) == (RatingScale.SCALED, "nobody waits")
    assert {item.weight for item in rubric.items} == {1}


def test_an_item_takes_the_condition_of_its_category_unless_it_has_its_own(tmp_path: Path) -> None:
    own = "[[categories.items]]\nid = 'j'\ndescription = 'x'\nweight = 3\nnot_applicable = 'mine'\n"

    rubric = read(tmp_path, f"{CATEGORY}not_applicable = 'ours'\n{ITEM}{own}")

    assert [(item.not_applicable, item.weight) for item in rubric.items] == [
        ("ours", Fraction(1)),
        ("mine", Fraction(3)),
    ]


def test_limits_and_threshold_are_exact(tmp_path: Path) -> None:
    consensus = "[consensus]\nreadings = 1\nmax_range = 0.1\n"

    rubric = read(tmp_path, f"[rubric]\nid = 'x'\npass_threshold = 0.8\n{consensus}{REQUIREMENT}")

    assert rubric.pass_threshold == Fraction(4, 5)
    assert rubric.consensus == ConsensusPlan(readings=1, max_range=Fraction(1, 10))


def test_a_description_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "works.md").write_text("It works.")

    rubric = read(tmp_path, "[[requirements]]\nid = 'a'\ndescription = { file = 'works.md' }")

    assert rubric.items[0].description == "It works."


WRONG = {
    "an unknown key": (
        f"{REQUIREMENT}wieght = 2",
        4,
        "[requirements[1]] has no key \"wieght\"; did you mean 'weight'?",
    ),
    "an unknown key of an item": (f"{CATEGORY}{ITEM}scael = 'x'", 6, "did you mean 'scale'?"),
    "an unknown table": (
        "[[category]]\nid = 'c'",
        1,
        "there is no table or key \"category\"; did you mean 'categories'?",
    ),
    "no such scale": (
        f"{REQUIREMENT}scale = 'stars'",
        4,
        "found \"stars\", expected one of 'binary' or 'scaled'",
    ),
    "no description": ("[[requirements]]\nid = 'a'", 1, "requirements[1] has no 'description'"),
    "an empty description": (
        "[[requirements]]\nid = 'a'\ndescription = ' '",
        3,
        '"a": the description is empty',
    ),
    "a negative weight": (f"{REQUIREMENT}weight = -1", 4, "found -1, expected at least 0"),
    "an infinite weight": (f"{REQUIREMENT}weight = inf", 4, "expected a finite number"),
    "a threshold above 1": (
        f"[rubric]\nid = 'x'\npass_threshold = 70\n{REQUIREMENT}",
        3,
        "found 70, expected at most 1",
    ),
    "no readings": (f"[consensus]\nreadings = 0\n{REQUIREMENT}", 2, "found 0, expected at least 1"),
    "weights of nothing": (f"{REQUIREMENT}weight = 0", 1, "everything in this list has weight 0"),
    "items that weigh nothing": (f"{CATEGORY}{ITEM}weight = 0", 3, "everything in this list has weight 0"),
    "an id twice": (f"{REQUIREMENT}{REQUIREMENT}", 5, '"a" is there already; choose another id'),
    "an item twice": (f"{CATEGORY}{ITEM}{ITEM}", 7, '"i" is there already'),
    "both forms": (f"{REQUIREMENT}{CATEGORY}{ITEM}", 4, "a rubric has one form"),
    "nothing to rate": ("[rubric]\nid = 'x'", 1, "there is nothing to rate"),
    "a category without items": (CATEGORY, 1, 'category "c" has no items; add a [[categories.items]] table'),
    "a date": (f"[rubric]\nid = 'x'\nname = 2026-01-01\n{REQUIREMENT}", 3, 'found the date "2026-01-01"'),
    "no TOML": ("[[requirements]\n", 1, "this is not TOML"),
}


@pytest.mark.parametrize(("text", "line", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(InputError, match="rubric") as caught:
        read(tmp_path, text)

    told = str(caught.value)
    assert f"mine.toml:{line}: " in told
    assert message in told


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 problems"):
        read(tmp_path, f"{REQUIREMENT}weight = -1\n[consensus]\ntries = 0")


def test_a_rubric_that_is_not_there_is_named_by_its_neighbour(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'quality'"):
        read_rubric("qualty")
    with pytest.raises(InputError, match="quality"):
        read_rubric(tmp_path / "zzz")
