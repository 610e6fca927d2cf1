"""Keep reports under names, and find the report that a name, a file or a run stands for.

A baseline is one small file in a folder or an object store, replaced whole, so that a reader
sees either the old one or the new.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from steelyard.analysis.history import history_of
from steelyard.app.config import ConfigSource, load_config
from steelyard.app.report import report_at, source_kind
from steelyard.app.run_address import RunAddress, address_of
from steelyard.errors import InputError, UserError
from steelyard.model.baseline import Baseline
from steelyard.model.history import History
from steelyard.model.report import Report
from steelyard.render.json import record_json
from steelyard.sources.record_file import record_of
from steelyard.store.run.location import is_remote, location_of
from steelyard.store.run.run_store import is_run, open_run

PLACE = "baselines"  # where they are kept by default
SUFFIX = ".json"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def set_baseline(  # noqa: PLR0913  # the last three are rarely given
    name: str,
    address: RunAddress,
    *,
    baselines: str | Path = PLACE,
    note: str | None = None,
    config: ConfigSource = None,
    now: datetime | None = None,
) -> Baseline:
    """Keep a run's or file's report under a name; replace an existing baseline.

    With it the digest of the policy in `config` is kept, by default that of this folder's `steelyard.toml`.
    """
    location, moment = location_of(baselines), now or datetime.now(UTC)
    address = address_of(address)
    if moment.tzinfo is None:
        raise UserError(f"`now={moment.isoformat()}`: say of which time zone, such as with tzinfo=UTC")
    kept = Baseline(
        name=_checked(name),
        kept_at=moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        source=str(address),
        note=note,
        run=open_run(address).manifest.id if is_run(address) else None,
        policy=load_config(config).gate.digest,
        report=report_at(address),
    )
    location.write(f"{name}{SUFFIX}", record_json(kept, Baseline).encode())
    return kept


def read_baseline(name: str, *, baselines: str | Path = PLACE) -> Baseline:
    """Read what is kept under a name, or say which names there are."""
    location = location_of(baselines)
    text = location.read(f"{_checked(name)}{SUFFIX}")
    if text is None:
        raise InputError(f"{name}: there is no baseline of this name in {baselines}; {_known(baselines)}")
    return record_of(text, Baseline, where=f"{location.address}/{name}{SUFFIX}")


def remove_baseline(name: str, *, baselines: str | Path = PLACE) -> Baseline:
    """Remove what is kept under a name, and return it; a file that holds no baseline stays."""
    kept = read_baseline(name, baselines=baselines)
    location_of(baselines).remove(f"{name}{SUFFIX}")
    return kept


def list_baselines(baselines: str | Path = PLACE) -> Iterator[Baseline]:
    """Give all baselines of a place, in the order of their names."""
    return (read_baseline(name, baselines=baselines) for name in _names(baselines))


def has_baseline(name: str, *, baselines: str | Path = PLACE) -> bool:
    """Whether something is kept under a name."""
    return _checked(name) in _names(baselines)


def find_report(address: RunAddress, *, baselines: str | Path = PLACE) -> tuple[Report, str]:
    """Return the report at an address, or kept under that name; and where it came from.

    A file or a run of that name comes first, so that a new baseline never hides what was there before.
    """
    address = address_of(address)
    if _is_there(address):
        return report_at(address), str(address)
    if isinstance(address, str) and NAME.fullmatch(address):
        if address in _names(baselines):
            kept = read_baseline(address, baselines=baselines)
            return kept.report, kept.source
        raise InputError(
            f"{address}: there is no such report, no such run and no baseline of this name in {baselines}; "
            f"{_known(baselines)}"
        )
    return report_at(address), str(address)


def _is_there(address: str | Path) -> bool:
    """Whether an address is a file or a run; any other folder may have the name of a baseline."""
    return is_remote(address) or Path(address).is_file() or is_run(address)


def run_at(address: str | Path, *, baselines: str | Path = PLACE) -> str | None:
    """Return the address of the run that an address, or a name, stands for; None if it is no run.

    A baseline that is kept leads to the run it was made of while that is in this file system; another run at
    the same place, such as that of the change itself, is not it.
    """
    if is_run(address):
        return str(address)
    kept = _kept(address, baselines)
    if kept is None or not Path(kept.source).is_dir() or not is_run(kept.source):
        return None
    return kept.source if open_run(kept.source).manifest.id == kept.run else None


def require_kept_run(address: str | Path, *, baselines: str | Path = PLACE) -> None:
    """Refuse a baseline whose run is no longer where it was: another one there may be the change itself."""
    kept = _kept(address, baselines)
    if kept is not None and open_run(kept.source).manifest.id != kept.run:
        raise InputError(
            f"{address}: the run that this baseline was kept of is no longer at {kept.source}; "
            f"name the run itself, or keep the baseline anew"
        )


def describe_source(address: str | Path, *, baselines: str | Path = PLACE) -> str:
    """Say what a report was made of: a run, outcomes, a written report, or a baseline and its source.

    Two that were swapped by mistake are seen at once.
    """
    kept = _kept(address, baselines)
    return f"{address} ({source_kind(address)})" if kept is None else f"{address} (kept from {kept.source})"


def _kept(address: str | Path, baselines: str | Path) -> Baseline | None:
    """Return the baseline that an address names, unless something else is there; None if it names none."""
    name = str(address)
    if _is_there(address) or not NAME.fullmatch(name):
        return None
    return read_baseline(name, baselines=baselines) if name in _names(baselines) else None


def _names(baselines: str | Path) -> list[str]:
    result = (name.removesuffix(SUFFIX) for name in location_of(baselines).names() if name.endswith(SUFFIX))
    return [name for name in result if NAME.fullmatch(name)]


def _known(baselines: str | Path) -> str:
    names = _names(baselines)
    if not names:
        return "none is kept there yet; `steelyard baseline set NAME RUN` keeps one"
    return f"kept there: {', '.join(names)}"


def _checked(name: str) -> str:
    if not NAME.fullmatch(name):
        raise UserError(
            f"{name!r} cannot be the name of a baseline: up to 100 of a-z, A-Z, 0-9, . _ and -, the first a "
            f"letter or a digit"
        )
    return name


def history(baselines: str | Path = PLACE, *, alpha: float = 0.05) -> History:
    """Return the pass rates of all baselines over time, oldest first, and their changes.

    `alpha` bounds the probability of reporting any change if nothing changed.
    """
    kept = list(list_baselines(baselines))
    if not kept:
        raise InputError(f"{baselines}: no baselines; add one with `steelyard baseline set NAME RUN`")
    return history_of(kept, alpha=alpha)
