"""Read the waivers beside an eval set: accepted findings of an audit, each with a reason."""

from dataclasses import dataclass, field
from pathlib import Path

from steelyard.model.audit import Waiver
from steelyard.sources.toml.problems import refusal
from steelyard.sources.toml.tables import TomlForm, read_tables
from steelyard.sources.toml.types import doc

SUFFIX = ".waivers.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaiverTable:
    """Accepts the findings of one rule about one case."""

    case: str = field(metadata=doc("The id of a case; `*` for every case."))
    rule: str = field(metadata=doc("The rule, such as `surviving-mutant`."))
    reason: str = field(metadata=doc("Why the finding is accepted."))


@dataclass(frozen=True, slots=True, kw_only=True)
class WaiverFile:
    """A whole file of waivers."""

    waivers: tuple[WaiverTable, ...] = field(default=(), metadata=doc("The waivers."))


FORM = TomlForm(
    title="Steelyard waivers", shape=WaiverFile, tables={(): WaiverFile, ("waivers",): WaiverTable}
)


def waivers_path(eval_set: Path) -> Path:
    """Return the file of waivers beside a set.

    >>> waivers_path(Path("evals/first.toml")).as_posix(), waivers_path(Path("evals")).as_posix()
    ('evals/first.waivers.toml', 'evals.waivers.toml')
    """
    return eval_set.with_name(f"{eval_set.name.removesuffix('.toml')}{SUFFIX}")


def read_waivers(path: Path) -> tuple[Waiver, ...]:
    """Read a file of waivers, or list everything that is wrong with it."""
    read = read_tables(path, FORM)
    blank = [
        read.problem(("waivers", index, "reason"), "the reason is empty; state why the finding is accepted")
        for index, table in enumerate(read.holds.waivers)
        if not table.reason.strip()
    ]
    if problems := [*read.problems, *blank]:
        raise refusal(path, problems, what="file of waivers")
    return tuple(
        Waiver(case=table.case, rule=table.rule, reason=table.reason.strip()) for table in read.holds.waivers
    )
