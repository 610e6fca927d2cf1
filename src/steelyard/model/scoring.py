"""Name the scoring rule a report was made with, in a form that can be stored and compared."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """A scoring rule by name, version and parameters."""

    name: str
    version: int
    parameters: dict[str, str] = field(default_factory=dict)
