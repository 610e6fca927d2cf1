"""Settings of Rust cases."""

import re
from dataclasses import dataclass

from steelyard.errors import InputError
from steelyard.model.case import Case

_NAME = re.compile(r"[^\W\d]\w*")
_FEATURE = re.compile(r"[\w+.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingRules:
    """How the tests of a case are graded."""

    required_types: frozenset[str] = frozenset()  # names that an answer must define itself
    own_equality: bool = False  # whether its types may equal others
    crate: str | None = None  # the name by which test crates import the answer
    features: frozenset[str] = frozenset()  # enabled ones
    runs_ignored: bool = False  # like `--include-ignored`


def rules_of(case: Case) -> GradingRules:
    """Read the settings of a case; raises InputError for invalid values."""
    expectations, settings = case.expectations, case.expectations.settings
    crate = settings.get("crate")
    if crate is not None and not _NAME.fullmatch(crate):
        raise InputError(f"settings.crate is {crate!r}, expected a name as in `use name::…`")
    features = frozenset(re.split(r"[,\s]+", settings.get("features", ""))) - {""}
    if wrong := sorted(name for name in features if not _FEATURE.fullmatch(name)):
        raise InputError(f"settings.features contains {wrong[0]!r}, expected names of features")
    return GradingRules(
        required_types=frozenset({*expectations.types, *expectations.functions}),
        own_equality=settings.get("equality") == "own",
        crate=crate,
        features=features,
        runs_ignored=settings.get("ignored") == "run",
    )
