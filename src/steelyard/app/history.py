"""Follow kept baselines through time: pass rates, and where they changed."""

from pathlib import Path

from steelyard.analysis.history import history_of
from steelyard.app.baseline import PLACE, list_baselines
from steelyard.errors import InputError
from steelyard.model.history import History


def history(baselines: str | Path = PLACE, *, alpha: float = 0.05) -> History:
    """Return the history of all baselines of a place, the oldest first.

    `alpha` bounds the chance that a change is shown of any subject though nothing changed.
    """
    kept = list(list_baselines(baselines))
    if not kept:
        raise InputError(
            f"{baselines}: no baseline is kept here; `steelyard baseline set NAME RUN` keeps one"
        )
    return history_of(kept, alpha=alpha)
