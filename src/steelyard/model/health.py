"""Hold the health of this machine: what works, what does not, and how to fix it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """A part of the machine that Steelyard checks."""

    SANDBOX = "sandbox"
    TOOLCHAIN = "toolchain"
    ENGINE = "engine"
    EXTRA = "extra"
    KEY = "key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The state of one tool; `fix` is a command or advice to make it work."""

    part: Part
    name: str
    works: bool
    detail: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """All findings."""

    findings: Sequence[Finding]

    @property
    def has_sandbox(self) -> bool:
        """Whether answers can be checked here at all.

        >>> Health(findings=[Finding(part=Part.TOOLCHAIN, name="cargo", works=True)]).has_sandbox
        False
        """
        return any(finding.works for finding in self.findings if finding.part is Part.SANDBOX)

    def of(self, part: Part) -> list[Finding]:
        """Return the findings about one part.

        >>> Health(findings=[Finding(part=Part.KEY, name="A_KEY", works=True)]).of(Part.KEY)[0].name
        'A_KEY'
        """
        return [finding for finding in self.findings if finding.part is part]
