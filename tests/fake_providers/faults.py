"""What a service can do wrong, and when it does.

A plan is asked for each request; the first rule that fits decides.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fake_providers.asked import Asked

REFUSED = frozenset(
    {"rate_limited", "overloaded", "bad_key", "no_credit", "unknown_model", "rejected", "too_long"}
)
BROKEN = frozenset({"cut", "unfinished", "reset", "malformed", "not_json", "no_fields", "wrong_usage"})
ODD = frozenset({"slow", "empty", "refusal", "blocked", "truncated", "no_usage"})
NAMES = REFUSED | BROKEN | ODD


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that goes wrong; `status` and `retry_after` are for those that answer with an error."""

    name: str
    status: int | None = None
    retry_after: str | None = None
    delay_s: float = 0.0

    def __post_init__(self) -> None:
        assert self.name in NAMES, f"{self.name!r} is none of {sorted(NAMES)}"


Plan = Callable[[Asked], Fault | None]


def never(asked: Asked) -> Fault | None:
    """Nothing goes wrong."""
    return None


def always(fault: Fault) -> Plan:
    """The same goes wrong every time."""
    return lambda asked: fault


def first_times(times: int, fault: Fault) -> Plan:
    """Each prompt fails some times, and then is answered."""
    return lambda asked: fault if asked.nth < times else None


def in_order(faults: Sequence[Fault | None]) -> Plan:
    """The n-th request to arrive has the n-th fault; all that come after are answered."""
    return lambda asked: faults[asked.arrival] if asked.arrival < len(faults) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """When a fault happens: every so many requests, or the first times that a prompt comes, or both."""

    fault: Fault
    every: int = 1
    first: int | None = None
    contains: str = ""

    def fits(self, asked: Asked) -> bool:
        """Whether it is this request's turn."""
        return (
            asked.arrival % self.every == self.every - 1
            and (self.first is None or asked.nth < self.first)
            and self.contains in asked.prompt
        )


def by_rules(rules: Iterable[Rule]) -> Plan:
    """Follow rules; the first that fits decides."""
    kept = tuple(rules)
    return lambda asked: next((rule.fault for rule in kept if rule.fits(asked)), None)


def read_plan(path: Path) -> Plan:
    """Read rules from a JSON list of objects: the fields of a fault and of a rule, side by side."""
    rules = []
    for entry in json.loads(path.read_text(encoding="utf-8")):
        when = {key: entry.pop(key) for key in ("every", "first", "contains") if key in entry}
        rules.append(Rule(fault=Fault(**entry), **when))
    return by_rules(rules)
