"""Parse and build addresses of pages; they contain the whole state of a page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlencode

from steelyard.errors import InputError
from steelyard.model.outcome import Classification
from steelyard.model.run import Subject
from steelyard.model.state import SubjectKey
from steelyard.model.viewing import CaseFilter, CaseOrder, CaseStatus, PageRequest

PAGE_SIZE = 50
LARGEST_KEY = 2**63 - 1
LONGEST_TEXT = 500
LONGEST_TEST = 1_000  # characters
LONGEST_AMOUNT = 15  # characters
LEAST = ("cost", "latency", "tokens")  # filters by a minimum

Choice = TypeVar("Choice", bound=StrEnum)
Query = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """The filter, order and page of a list of cases."""

    chosen: CaseFilter
    page: PageRequest

    def query(self, **changes: str | int | None) -> str:
        """Return this request as a query string, with changes, from the first page."""
        chosen = self.chosen
        values: dict[str, str | int | None] = {
            "subject": None if chosen.subject is None else subject_word(chosen.subject),
            "suite": chosen.suite,
            "tag": chosen.tag,
            "kind": chosen.kind,
            "status": chosen.status,
            "name": chosen.name or None,
            "failed": chosen.failed or None,
            **{name: plain_amount(getattr(chosen, name)) for name in LEAST},
            "order": None if self.page.order is CaseOrder.NAME else self.page.order,
            **changes,
        }
        return query(**values)


def query(**values: str | int | None) -> str:
    """Return a query string; values that are None are omitted.

    >>> query(a=1, b=None), query()
    ('?a=1', '')
    """
    known = {name: value for name, value in values.items() if value is not None}
    return f"?{urlencode(known)}" if known else ""


def subject_word(subject: SubjectKey) -> str:
    """Return the name of a subject in links."""
    return f"{subject.model}@{subject.tier}"


def listing(params: Query, subjects: Sequence[Subject]) -> ListRequest:
    """Parse the parameters of a list of cases.

    Raises:
        InputError: A parameter is invalid.
    """
    return ListRequest(
        chosen=CaseFilter(
            subject=_subject(params.get("subject", ""), subjects),
            suite=params.get("suite") or None,
            tag=params.get("tag") or None,
            kind=chosen_word(params, "kind", Classification),
            status=chosen_word(params, "status", CaseStatus),
            name=params.get("name", "")[:LONGEST_TEXT],
            failed=_test_name(params.get("failed", "")),
            cost=amount(params, "cost"),
            latency=amount(params, "latency"),
            tokens=amount(params, "tokens"),
        ),
        page=PageRequest(
            order=chosen_word(params, "order", CaseOrder) or CaseOrder.NAME,
            after=number(params, "after"),
            before=number(params, "before"),
            size=PAGE_SIZE,
        ),
    )


def number(params: Query, name: str) -> int | None:
    """Return an integer parameter, or None."""
    text = params.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or int(text[:20]) > LARGEST_KEY:
        raise InputError(f"{name}: expected a whole number")
    return int(text[:20])


def amount(params: Query, name: str) -> float | None:
    """Return a decimal parameter, or None.

    >>> amount({"cost": "0.5"}, "cost"), amount({}, "cost")
    (0.5, None)
    """
    text = params.get(name, "")
    if not text:
        return None
    if len(text) > LONGEST_AMOUNT or not re.fullmatch(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", text):
        raise InputError(f"{name}: expected a number such as 0.5")
    return float(text)


def plain_amount(value: float | None) -> str | None:
    """Format an amount for links, without an exponent."""
    return None if value is None else f"{value:.9f}".rstrip("0").rstrip(".")


def chosen_word(params: Query, name: str, kind: type[Choice]) -> Choice | None:
    """Return a parameter with a fixed set of values, or None."""
    text = params.get(name, "")
    if not text:
        return None
    try:
        return kind(text)
    except ValueError:
        raise InputError(f"{name}: expected one of {', '.join(kind)}") from None


def chosen_subject(params: Query, name: str, subjects: Sequence[Subject]) -> SubjectKey | None:
    """Return a subject parameter, or None."""
    return _subject(params.get(name, ""), subjects)


def _test_name(text: str) -> str:
    """Return the name of a test, which must not be truncated."""
    if len(text) > LONGEST_TEST:
        raise InputError(f"failed: expected the name of a test, at most {LONGEST_TEST:,} characters")
    return text.strip()


def _subject(text: str, subjects: Sequence[Subject]) -> SubjectKey | None:
    if not text:
        return None
    for subject in subjects:
        key = SubjectKey(subject.model, subject.tier)
        if subject_word(key) == text:
            return key
    raise InputError("subject: this run has no such subject")
