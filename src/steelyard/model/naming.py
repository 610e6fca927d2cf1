"""Say what to call what an input file does not say itself, and which column holds what."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Names for what the files leave open.

    `columns` maps a field to the column that holds it; `model`, `tier` and `suite` apply only to files
    that have no such column. A file without a model is named after itself when `model` is None.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    tier: str = "T0"
    suite: str = "default"
