"""Hold which part of an eval set is run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which cases to run: those that every field allows; an empty field allows all.

    `cases` may hold `*`, as in `sort-*`. `limit` is how many to run at most, spread over the suites.
    """

    cases: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    limit: int | None = None

    @property
    def is_everything(self) -> bool:
        """Whether it leaves nothing out."""
        return self == Selection()
