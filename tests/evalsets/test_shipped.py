"""The eval sets that come with Steelyard are whole, follow the schema, and hold what they promise.

That all reference answers pass and all wrong ones fail is seen by `steelyard validate NAME --references`,
which takes its time. Here a few cases of each language stand for all.
"""

import json
import re
import tomllib
from collections import Counter
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from scripts.write_long_texts import FOLDER, texts
from steelyard.model.evalset import EvalSet
from steelyard.runner.check.checkers import Checkers
from steelyard.runner.check.references import check_references
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sources.evalset.read import read_eval_set
from steelyard.sources.shipped import files_of_set, shipped_sets, starting_files
from tests.docs.pages import DOCS
from tests.sources.evalset.files import FORGETEST

LEAST = {"rust-basics": 15, "terraform-basics": 10, "python-basics": 15, "behaviour": 25}
TRIED = {
    "rust-basics": {"whole-mean", "digit-sums"},
    "terraform-basics": {"port-validation", "repair-references"},
    "python-basics": {"shorten-middle", "undo-stack"},
}
SCHEMA = Draft202012Validator(json.loads((DOCS / "reference" / "eval-set.schema.json").read_text("utf-8")))


@pytest.fixture(scope="module")
def sets() -> dict[str, EvalSet]:
    return {name: read_eval_set(name) for name in shipped_sets()}


def test_the_sets_that_were_promised_are_there_with_enough_cases(sets: dict[str, EvalSet]) -> None:
    assert {name: len(found.cases) >= LEAST[name] for name, found in sets.items()} == dict.fromkeys(
        LEAST, True
    )


def test_every_suite_of_the_behaviour_set_has_enough_cases(sets: dict[str, EvalSet]) -> None:
    counts = Counter(case.suite for case in sets["behaviour"].cases)

    named = {"json_api", "injection", "refusals", "contradictions", "unicode_locale", "long_context"}
    assert counts.keys() == named
    assert min(counts.values()) >= 5


@pytest.mark.parametrize("name", LEAST)
def test_every_case_has_a_reference_and_a_wrong_answer(name: str, sets: dict[str, EvalSet]) -> None:
    assert not [case.id for case in sets[name].cases if not (case.reference and case.wrong)]


@pytest.mark.parametrize("name", LEAST)
def test_a_set_is_called_like_its_file(name: str, sets: dict[str, EvalSet]) -> None:
    assert sets[name].id == name


def test_no_two_cases_are_the_same(sets: dict[str, EvalSet]) -> None:
    digests = Counter(case.digest for found in sets.values() for case in found.cases)

    assert max(digests.values()) == 1


def test_no_prompt_gives_the_reference_away(sets: dict[str, EvalSet]) -> None:
    told = [
        case.id
        for found in sets.values()
        for case in found.cases
        if len(case.reference or "") > 60 and (case.reference or "").strip("`\n") in case.prompt
    ]

    assert not told


def toml_files() -> dict[str, str]:
    """Return every TOML file that we ship or write."""
    shipped = {path: text for name in LEAST for path, text in files_of_set(name).items()}
    every = {**shipped, **starting_files(), "forgetest.toml": FORGETEST}
    return {path: text for path, text in every.items() if path.endswith(".toml")}


@pytest.mark.parametrize("path", toml_files())
def test_a_shipped_file_follows_the_published_schema(path: str) -> None:
    SCHEMA.validate(tomllib.loads(toml_files()[path]))


@pytest.mark.parametrize(
    "text", ["naem = 1", "[[cases]]\nid = 'a'", "[[cases]]\nid = 'a'\nprompt = { fil = 'x' }", "cases = 'x'"]
)
def test_the_published_schema_refuses_what_the_reader_refuses(text: str) -> None:
    assert not SCHEMA.is_valid(tomllib.loads(text))


def test_the_long_texts_are_those_of_their_script() -> None:
    assert {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()} == texts()


def test_what_the_long_texts_ask_for_is_there_once() -> None:
    log, staff = texts()["door-log.txt"], texts()["staff-list.txt"]

    assert re.findall(r"2\d:\d\d door D-17 opened by badge (B-\d+)", log) == ["B-7731"]
    assert re.findall(r"Noor Hassan reports to (Pilar Quintana)", staff) == ["Pilar Quintana"]
    assert re.findall(r"The office of Pilar Quintana is in (\w+)", staff) == ["Tampere"]
    assert len(re.findall(r"\| north \|.*\| fragile", texts()["inventory.txt"])) == 7
    assert "Halden lamp" in texts()["catalogue.txt"]
    assert not re.findall(r"Halden lamp.*Guarantee", texts()["catalogue.txt"])


def test_every_answer_of_the_behaviour_set_is_judged_as_it_should_be(sets: dict[str, EvalSet]) -> None:
    checked = check_references(sets["behaviour"], Checkers(BubblewrapSandbox()))

    assert not [answer.problem for answer in checked if not answer.is_as_meant]


@pytest.mark.parametrize("name", TRIED)
def test_some_answers_of_each_language_are_judged_as_they_should_be(
    name: str, sets: dict[str, EvalSet]
) -> None:
    few = replace(sets[name], cases=tuple(case for case in sets[name].cases if case.id in TRIED[name]))

    checked = list(check_references(few, Checkers(BubblewrapSandbox())))

    assert len(checked) >= 5
    assert not [answer.problem for answer in checked if not answer.is_as_meant]
