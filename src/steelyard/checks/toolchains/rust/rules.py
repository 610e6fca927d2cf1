"""Read from a case how its Rust tests are meant."""

import re
from dataclasses import dataclass

from steelyard.errors import InputError
from steelyard.model.case import Case

_NAME = re.compile(r"[^\W\d]\w*")
_FEATURE = re.compile(r"[\w+.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingRules:
    """How the tests of a case are meant."""

    asked_types: frozenset[str] = frozenset()  # names that an answer must define itself
    own_equality: bool = False  # lets its types equal others
    crate: str | None = None  # the name by which tests import the answer, from a crate of their own
    features: frozenset[str] = frozenset()  # those that are switched on
    runs_ignored: bool = False  # as `--include-ignored`


def rules_of(case: Case) -> GradingRules:
    """Return how the tests of a case are meant."""
    expectations, settings = case.expectations, case.expectations.settings
    crate = settings.get("crate")
    if crate is not None and not _NAME.fullmatch(crate):
        raise InputError(f"settings.crate is {crate!r}, expected a name as in `use name::…`")
    features = frozenset(re.split(r"[,\s]+", settings.get("features", ""))) - {""}
    if wrong := sorted(name for name in features if not _FEATURE.fullmatch(name)):
        raise InputError(f"settings.features holds {wrong[0]!r}, expected names of features")
    return GradingRules(
        asked_types=frozenset({*expectations.types, *expectations.functions}),
        own_equality=settings.get("equality") == "own",
        crate=crate,
        features=features,
        runs_ignored=settings.get("ignored") == "run",
    )
