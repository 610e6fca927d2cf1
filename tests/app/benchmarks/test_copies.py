"""How many answers are the reference itself: every answer is compared, however many there are."""

from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.app.benchmarks.copies import reference_copies
from steelyard.model.benchmark import ReferenceCopies
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet
from steelyard.model.run import RunCase
from steelyard.store.run.run_store import create_run
from tests.store.run.small_run import MANIFEST, generated

REFERENCE = "def add(x):\n    total = x + 1\n    return total\n"
PREFIX = 'def add(x):\n    """Add one."""\n'


def copies(folder: Path, answers: list[str], reference: str | None = REFERENCE) -> list[int]:
    """Return how many of the answers of one model were compared, and how many are equal."""
    case = Case(
        id="add",
        suite="basics",
        prompt="Write add.",
        language="python",
        expectations=Expectations(settings={"prefix": PREFIX}),
        reference=reference,
    )
    other = replace(case, id="other", reference=None)
    names = [RunCase(suite="basics", case=one.id, digest="d1") for one in (case, other)]
    manifest = replace(MANIFEST, subjects=MANIFEST.subjects[:1], cases=tuple(names))
    store = create_run(
        folder,
        replace(manifest, planned_samples=len(answers)),
        EvalSet(id="s", suites=(), cases=(case, other)),
    )
    texts = [generated(key, text=answers[key.attempt]) for key in store.pending()]
    store.add_samples(texts, chunk="all")
    return [number for one in reference_copies(folder) for number in (one.compared, one.equal)]


@pytest.mark.parametrize(
    "answer",
    [
        REFERENCE,
        f"Here you are:\n```python\n{REFERENCE}```\nDone.",
        REFERENCE.replace("    ", "\t").replace("\n", "\r\n\r\n"),
        f"{PREFIX}    total = x + 1\n    return total\n",
        "    total = x + 1\n    return total",
        f"<think>total = x + 2?</think>\n```python\n{REFERENCE}```",
    ],
    ids=["itself", "in a fence", "other blanks", "with the prompt", "a completion", "after thoughts"],
)
def test_an_answer_that_differs_in_blanks_or_in_words_around_it_is_equal(tmp_path: Path, answer: str) -> None:
    assert copies(tmp_path / "run", [answer]) == [1, 1]


@pytest.mark.parametrize(
    "answer",
    [
        REFERENCE.replace("+ 1", "+ 2"),
        f"{REFERENCE}print(add(1))\n",
        "```python\npass\n```\nand not total = x + 1",
        "",
    ],
    ids=["another line", "a line more", "only in the words around it", "nothing"],
)
def test_an_answer_with_another_line_is_not(tmp_path: Path, answer: str) -> None:
    assert copies(tmp_path / "run", [answer]) == [1, 0]


def test_every_answer_is_compared(tmp_path: Path) -> None:
    answers = [REFERENCE if number % 3 == 0 else f"x = {number}" for number in range(3_000)]

    assert copies(tmp_path / "run", answers) == [3_000, 1_000]


def test_without_a_reference_or_an_eval_set_nothing_is_compared(tmp_path: Path) -> None:
    create_run(tmp_path / "bare", MANIFEST)

    assert copies(tmp_path / "run", [REFERENCE], reference=None) == []
    assert reference_copies(tmp_path / "bare") == ()


def test_each_subject_is_counted_alone_in_the_order_of_the_names(tmp_path: Path) -> None:
    case = Case(id="case-0", suite="basics", prompt="p", language="python", reference=REFERENCE)
    store = create_run(tmp_path / "run", MANIFEST, EvalSet(id="s", suites=(), cases=(case,)))
    texts = [
        generated(key, text=REFERENCE if key.model == "acme/two" and key.attempt else "pass")
        for key in store.pending()
    ]
    store.add_samples(texts[::-1], chunk="all")

    assert reference_copies(tmp_path / "run") == (
        ReferenceCopies(model="acme/one", tier="T0", compared=3, equal=0),
        ReferenceCopies(model="acme/two", tier="T0", compared=3, equal=2),
    )
