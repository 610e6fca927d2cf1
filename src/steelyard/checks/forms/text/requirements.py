"""Check single requirements on a text: first its format, then its content."""

import json
from collections.abc import Callable, Mapping

from steelyard.checks.forms.text.formats import Misformed, csv_rows, html_roots, unfenced, xml_root
from steelyard.checks.forms.text.json import json_in, problems, require_valid_schema, strict_json
from steelyard.checks.grading.patterns import matches
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification

Settings = Mapping[str, str]
Verdict = tuple[Classification, str]
Requirement = Callable[[str, Case], Verdict]

PASS, FAIL, FORMAT = Classification.PASS, Classification.FAIL, Classification.WRONG_FORMAT
MET: Verdict = PASS, ""
ANY = "true"  # instead of a name: any


def _json_schema(answer: str, case: Case) -> Verdict:
    try:
        schema = strict_json(case.expectations.settings["json_schema"])
    except ValueError as error:
        raise InputError(f"case {case.id}: settings.json_schema is not JSON: {error}") from None
    where = f"case {case.id}: settings.json_schema"
    require_valid_schema(schema, where)
    value = json_in(answer)
    if value is None:
        return FORMAT, "the answer is not JSON"
    violations = problems(value.value, schema, where=where, limit_s=case.timeout_s)
    return MET if not violations else (FAIL, "\n".join(violations))


def _csv_columns(answer: str, case: Case) -> Verdict:
    columns = names_in(case.expectations.settings["csv_columns"])
    rows = csv_rows(unfenced(answer), columns)
    if isinstance(rows, Misformed):
        return FORMAT, rows.why
    row_count = _row_count(case)
    if row_count is not None and len(rows) != row_count:
        return FAIL, f"{len(rows)} rows below the header, expected {row_count}"
    return MET if rows else (FAIL, "no row below the header")


def _row_count(case: Case) -> int | None:
    text = case.expectations.settings.get("csv_rows")
    if text is not None and not text.isdecimal():
        raise InputError(f"case {case.id}: settings.csv_rows is {text!r}, expected a whole number")
    return None if text is None else int(text)


def _xml(answer: str, case: Case) -> Verdict:
    root, expected = xml_root(unfenced(answer)), case.expectations.settings["xml"]
    if isinstance(root, Misformed):
        return FORMAT, root.why
    return (
        MET
        if expected in {ANY, root}
        else (FAIL, f"the root element is <{root[:100]}>, expected <{expected}>")
    )


def _html(answer: str, case: Case) -> Verdict:
    roots = html_roots(unfenced(answer), limit_s=case.timeout_s)
    expected = case.expectations.settings["html"]
    if isinstance(roots, Misformed):
        return FORMAT, roots.why
    is_present = expected == ANY or expected in roots
    return (
        MET if is_present else (FAIL, f"the outermost element is <{roots[0][:100]}>, expected <{expected}>")
    )


def _exact(answer: str, case: Case) -> Verdict:
    settings = case.expectations.settings
    is_equal = _plain(answer, settings) == _plain(settings["exact"], settings)
    return MET if is_equal else (FAIL, "the answer differs from the expected text")


def _contains(answer: str, case: Case) -> Verdict:
    settings = case.expectations.settings
    is_present = _plain(settings["contains"], settings) in _plain(answer, settings)
    return MET if is_present else (FAIL, "the answer does not contain the expected text")


def _regex(answer: str, case: Case) -> Verdict:
    settings = case.expectations.settings
    try:
        is_match = matches(
            settings["regex"], answer, ignore_case=_ignores_case(settings), limit_s=case.timeout_s
        )
    except ValueError as error:
        raise InputError(f"case {case.id}: settings.regex is not a valid pattern: {error}") from None
    return MET if is_match else (FAIL, "the answer does not match the pattern")


REQUIREMENTS: Mapping[str, Requirement] = {
    "json_schema": _json_schema,
    "csv_columns": _csv_columns,
    "xml": _xml,
    "html": _html,
    "exact": _exact,
    "contains": _contains,
    "regex": _regex,
}


def names_in(setting: str) -> tuple[str, ...]:
    """Return the texts of a setting: a JSON list, or a text with commas.

    >>> names_in('["river", "km"]'), names_in("river,km")
    (('river', 'km'), ('river', 'km'))
    """
    try:
        parsed = json.loads(setting)
    except ValueError:
        parsed = None
    return tuple(map(str, parsed)) if isinstance(parsed, list) else tuple(setting.split(","))


def _ignores_case(settings: Settings) -> bool:
    return settings.get("ignore_case", "false").lower() == "true"


def _plain(text: str, settings: Settings) -> str:
    text = text.replace("\r\n", "\n").strip()
    return text.casefold() if _ignores_case(settings) else text
