"""The pages hang together: nothing is orphaned, and the reference speaks of everything there is."""

import re
from dataclasses import fields, is_dataclass
from inspect import Parameter, signature
from types import GenericAlias, UnionType
from typing import get_args, get_type_hints

import pytest

import steelyard
from scripts.write_schemas import MEANINGS
from steelyard import errors
from steelyard.metrics.grades import GRADE_SCALES
from steelyard.metrics.rules import RULES
from steelyard.model.baseline import Baseline
from steelyard.model.comparison import Comparison
from steelyard.model.estimate import Reason
from steelyard.model.gate import GateReport
from steelyard.model.history import History
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.options import Scoring
from steelyard.model.outcome import Classification
from steelyard.model.report import Report
from steelyard.model.run import Manifest
from steelyard.model.sequence import GateSequence
from steelyard.model.verdict import Ground
from steelyard.sources.evaluation_config import EvaluationConfig
from steelyard.store.fields import FIELDS, FieldKind
from steelyard.store.run.columns import COLUMNS as RUN_TABLES
from tests.docs.option_tables import (
    NEW_TYPER,
    command_names,
    option_names,
    option_variables,
    with_option_tables,
)
from tests.docs.pages import DOCS, README, Page, all_pages, documentation_pages
from tests.repo.package import REPOSITORY

NAV = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
COMMAND_LINE = Page(DOCS / "reference" / "command-line.md")
RUN_STORE = Page(DOCS / "reference" / "run-store.md")
COLUMNS = Page(DOCS / "reference" / "outcome-columns.md")
REPORT_JSON = Page(DOCS / "reference" / "report-json.md")
SCORING_RULES = Page(DOCS / "reference" / "scoring-rules.md")
EXIT_CODES = Page(DOCS / "reference" / "exit-codes-and-environment.md")
PYTHON = Page(DOCS / "reference" / "python-api.md")
WORDS = Page(DOCS / "reference" / "glossary.md")
PLAIN_FIELDS = {"model", "tier", "suite", "case", "pair", "schema", "generator"}
PLAIN_FIELDS |= {"median", "mean", "min", "max", "count"}
SHARED_VARIABLES = {"--baselines": "STEELYARD_BASELINES"}  # the same for every command that has the option
LINK = re.compile(r"\]\((?!https?://|#)(?P<target>[^)#\s]+)")


def coded(text: str) -> set[str]:
    """Return what stands in backticks."""
    return set(re.findall(r"`([^`]+)`", text))


def first_cells(page: Page, title: str) -> list[str]:
    """Return the names in the first column of the first table under a heading."""
    return [row[0].strip("`") for row in page.table(title)]


def records_in(kind: type) -> set[type]:
    """Return a record and every record inside it."""
    found = {kind}
    for hint in get_type_hints(kind).values():
        for inner in _types_in(hint):
            if is_dataclass(inner) and inner is not Scoring:
                found |= records_in(inner)
    return found


def _types_in(hint: object) -> list[type]:
    if isinstance(hint, UnionType | GenericAlias):
        return [inner for part in get_args(hint) for inner in _types_in(part)]
    return [hint] if isinstance(hint, type) else []


RECORDS = sorted(
    set[type]().union(
        *map(records_in, (Report, Comparison, SubjectMatrix, History, GateReport, GateSequence, Baseline))
    ),
    key=lambda record: record.__name__,
)


def test_each_page_has_exactly_one_title() -> None:
    titles = {page.name: page.headings(1) for page in all_pages()}

    assert {name: found for name, found in titles.items() if len(found) != 1} == {}


def test_every_page_stands_in_the_navigation_once() -> None:
    listed = re.findall(r"[\w./-]+\.md", NAV)

    assert sorted(listed) == sorted(page.path.relative_to(DOCS).as_posix() for page in documentation_pages())


def test_every_link_of_a_page_leads_to_a_file() -> None:
    targets = [
        (page, match["target"])
        for page in all_pages()
        for line in page.prose
        for match in LINK.finditer(line)
    ]

    assert len(targets) > 200
    assert [
        (page.name, target) for page, target in targets if not (page.path.parent / target).is_file()
    ] == []


def test_no_page_shows_a_crash() -> None:
    assert not [page.name for page in all_pages() if "Traceback (most recent call last)" in page.text]


def test_the_readme_leads_to_every_tutorial() -> None:
    text = README.read_text(encoding="utf-8")

    tutorials = [path.relative_to(REPOSITORY).as_posix() for path in (DOCS / "tutorial").glob("*.md")]

    assert tutorials
    assert not [tutorial for tutorial in tutorials if tutorial not in text]


def test_the_command_line_page_has_a_section_for_every_command_and_no_other() -> None:
    assert COMMAND_LINE.headings(2) == [f"steelyard {name}" for name in command_names()]


@pytest.mark.parametrize("command", command_names())
def test_the_command_line_page_lists_the_options_there_are(command: str) -> None:
    rows = COMMAND_LINE.table(f"steelyard {command}")

    listed = {name for row in rows for name in coded(row[0])}

    assert {name.rstrip("…").lower() for name in listed} == option_names(command)


@pytest.mark.skipif(not NEW_TYPER, reason="they are written with a newer typer")
def test_the_tables_of_options_are_fresh() -> None:
    assert with_option_tables(COMMAND_LINE.text) == COMMAND_LINE.text, "run `python -m tests.docs.refresh`"


def test_no_variable_runs_answers_without_a_sandbox() -> None:
    unsafe = "--unsafe-no-sandbox"
    having = [command for command in command_names() if unsafe in option_names(command)]

    assert having == ["validate", "run", "regrade", "gate"]
    assert not [command for command in having if unsafe in option_variables(command)]


@pytest.mark.parametrize("command", command_names())
def test_the_variable_of_an_option_is_called_after_it(command: str) -> None:
    variables = option_variables(command)

    spelt = {option: f"STEELYARD_{command}_{option.strip('-')}" for option in variables} | {
        option: name for option, name in SHARED_VARIABLES.items() if option in variables
    }
    expected = {option: re.sub("[- ]", "_", name).upper() for option, name in spelt.items()}

    assert {option: name.replace("-", "_") for option, name in variables.items()} == expected


def test_the_command_line_page_lists_the_settings_of_an_evaluation() -> None:
    listed = {row[0].strip("`") for row in COMMAND_LINE.table_after("The settings are a JSON object")}

    assert listed == {field.name for field in fields(EvaluationConfig)}


def test_the_columns_page_lists_every_field_with_its_other_names_and_its_kind() -> None:
    listed = {row[0].strip("`"): (coded(row[1]), row[2]) for row in COLUMNS.table("Fields")}

    assert listed == {
        field.name: (
            {*field.aliases, *field.fallbacks},
            "a classification" if field.kind is FieldKind.CLASSIFICATION else str(field.kind),
        )
        for field in FIELDS
    }


@pytest.mark.parametrize("table", RUN_TABLES)
def test_the_run_store_page_lists_the_columns_of_each_table(table: str) -> None:
    listed = RUN_STORE.table(f"The table {table}")

    assert listed == [
        [f"`{column.name}`", str(column.type), "no" if column.is_required else "yes", column.meaning]
        for column in RUN_TABLES[table]
    ]


def test_the_run_store_page_lists_the_keys_of_the_manifest() -> None:
    listed = {name for row in RUN_STORE.table("run.json") for name in coded(row[0])}

    assert listed == {field.name for field in fields(Manifest)} | {"schema"}


def test_the_columns_page_lists_every_classification() -> None:
    assert set(Classification) <= coded("\n".join(COLUMNS.section("Values")))


def test_the_words_explain_every_classification() -> None:
    explained = {line.split("|")[1].strip(" `") for line in WORDS.prose if line.startswith("    | `")}

    assert explained == set(Classification)


def test_every_reason_is_explained() -> None:
    assert first_cells(REPORT_JSON, "Reasons") == list(Reason)


def test_every_ground_of_a_verdict_is_explained() -> None:
    assert first_cells(REPORT_JSON, "Grounds") == list(Ground)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_the_schemas_describe_fields_in_the_order_of_the_record(record: type) -> None:
    described = MEANINGS.get(record.__name__, {})

    assert list(described) == [field.name for field in fields(record) if field.name in described]


def test_the_schemas_describe_every_field_whose_name_does_not_say_it_all() -> None:
    undescribed = {
        f"{record.__name__}.{field.name}"
        for record in RECORDS
        if record.__name__ in MEANINGS
        for field in fields(record)
        if field.name not in {*MEANINGS[record.__name__], *PLAIN_FIELDS}
    }

    assert not undescribed


def test_every_scoring_rule_has_a_section() -> None:
    assert set(RULES) <= set(SCORING_RULES.headings(2))


def test_the_scoring_rules_page_lists_the_weights_of_each_rule() -> None:
    listed = {row[0].strip("`"): coded(row[2]) for row in SCORING_RULES.table("Scoring rules")}

    assert listed == {name: set(weights) for name, weights in RULES.items()}


def test_every_grade_scale_is_listed() -> None:
    listed = {name for row in SCORING_RULES.table("Grade scales") for name in coded(row[0])}

    assert listed == set(GRADE_SCALES)


def test_every_exit_code_is_listed() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]

    codes = {str(code) for kind in kinds if (code := getattr(kind, "exit_code", None)) is not None}

    assert codes < set(first_cells(EXIT_CODES, "Exit codes"))


def test_the_python_page_lists_every_public_name_with_its_parameters() -> None:
    assert sorted(PYTHON.headings(3)) == sorted(
        f"`{name}{_parameters(getattr(steelyard, name))}`" for name in steelyard.__all__
    )


@pytest.mark.parametrize("record", [steelyard.ReportOptions, steelyard.RuleChoice, steelyard.ColumnMapping])
def test_the_python_page_lists_the_fields_of_what_one_passes_in(record: type) -> None:
    assert is_dataclass(record)

    assert first_cells(PYTHON, f"`{record.__name__}`") == [field.name for field in fields(record)]


def _parameters(thing: object) -> str:
    """Return the parameters of a function as the page writes them; a record has none there."""
    if isinstance(thing, type) or not callable(thing):
        return ""
    parts: list[str] = []
    for parameter in signature(thing).parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        stars = "**" if parameter.kind is Parameter.VAR_KEYWORD else ""
        parts.append(f"{stars}{parameter.name}")
    return f"({', '.join(parts)})"
