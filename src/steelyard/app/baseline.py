"""Keep reports as named baselines, and resolve names, files and runs to reports.

A baseline is one small file in a folder or an object store. Writing replaces it atomically.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from steelyard.analysis.history import history_of
from steelyard.analysis.one_subject import rename_models
from steelyard.app.report import report_at, source_kind
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.settings import ConfigSource, load_config
from steelyard.errors import InputError, UserError
from steelyard.model.baseline import Baseline
from steelyard.model.history import History
from steelyard.model.report import Report
from steelyard.render.json import record_json
from steelyard.sources.record_file import record_of
from steelyard.store.run.location import is_remote, location_of
from steelyard.store.run.run_store import is_run, open_run

PLACE = "baselines"  # default folder
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

    Args:
        name: The name of the baseline.
        address: A run or a report file.
        baselines: Folder or address of the baselines.
        note: A remark, such as a commit.
        config: Configuration whose policy digest is kept too. Default: `steelyard.toml` here.
        now: The time of the baseline, with a time zone. Default: now.
    """
    location, moment = location_of(baselines), now or datetime.now(UTC)
    address = address_of(address)
    if moment.tzinfo is None:
        raise UserError(f"`now={moment.isoformat()}`: add a time zone, such as tzinfo=UTC")
    kept = Baseline(
        name=_require_valid_name(name),
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
    """Read a baseline; the error for an unknown name lists the existing ones."""
    location = location_of(baselines)
    text = location.read(f"{_require_valid_name(name)}{SUFFIX}")
    if text is None:
        raise InputError(f"{name}: no baseline of this name in {baselines}; {_describe_names(baselines)}")
    return record_of(text, Baseline, where=f"{location.address}/{name}{SUFFIX}")


def remove_baseline(name: str, *, baselines: str | Path = PLACE) -> Baseline:
    """Remove a baseline and return it; a file that is no baseline stays."""
    kept = read_baseline(name, baselines=baselines)
    location_of(baselines).remove(f"{name}{SUFFIX}")
    return kept


def list_baselines(baselines: str | Path = PLACE) -> Iterator[Baseline]:
    """Yield all baselines of a folder or address, by name."""
    return (read_baseline(name, baselines=baselines) for name in _list_names(baselines))


def has_baseline(name: str, *, baselines: str | Path = PLACE) -> bool:
    """Whether a baseline of this name exists."""
    return _require_valid_name(name) in _list_names(baselines)


def find_report(address: RunAddress, *, baselines: str | Path = PLACE) -> tuple[Report, str]:
    """Return the report of a file, a run or a baseline, and its source.

    Files and runs take precedence: a new baseline never hides one of the same name.
    """
    address = address_of(address)
    if _is_there(address):
        return report_at(address), str(address)
    if isinstance(address, str) and NAME.fullmatch(address):
        if address in _list_names(baselines):
            kept = read_baseline(address, baselines=baselines)
            return kept.report, kept.source
        raise InputError(
            f"{address}: no report or run, and no baseline of this name in {baselines}; "
            f"{_describe_names(baselines)}"
        )
    return report_at(address), str(address)


def _is_there(address: str | Path) -> bool:
    """Whether an address is a file or a run; other folders may share a baseline's name."""
    return is_remote(address) or Path(address).is_file() or is_run(address)


def run_at(address: str | Path, *, baselines: str | Path = PLACE) -> str | None:
    """Return the address of a run or of a baseline's run; None if there is none.

    The run of a baseline counts only while its id is unchanged: a new run may have replaced it.
    """
    if is_run(address):
        return str(address)
    kept = _find_baseline(address, baselines)
    if kept is None or not Path(kept.source).is_dir() or not is_run(kept.source):
        return None
    return kept.source if open_run(kept.source).manifest.id == kept.run else None


def require_kept_run(address: str | Path, *, baselines: str | Path = PLACE) -> None:
    """Reject a baseline whose run was moved or replaced."""
    kept = _find_baseline(address, baselines)
    if kept is not None and open_run(kept.source).manifest.id != kept.run:
        raise InputError(
            f"{address}: the run of this baseline is no longer at {kept.source}; "
            f"name the run itself, or set the baseline again"
        )


def describe_source(address: str | Path, *, baselines: str | Path = PLACE) -> str:
    """Describe the source of a report: a run, outcomes, a report file, or a baseline and its run."""
    kept = _find_baseline(address, baselines)
    return f"{address} ({source_kind(address)})" if kept is None else f"{address} (kept from {kept.source})"


def _find_baseline(address: str | Path, baselines: str | Path) -> Baseline | None:
    """Return the baseline that an address names; None for files, runs and unknown names."""
    name = str(address)
    if _is_there(address) or not NAME.fullmatch(name):
        return None
    return read_baseline(name, baselines=baselines) if name in _list_names(baselines) else None


def _list_names(baselines: str | Path) -> list[str]:
    files = location_of(baselines).names()
    names = (file.removesuffix(SUFFIX) for file in files if file.endswith(SUFFIX))
    return [name for name in names if NAME.fullmatch(name)]


def _describe_names(baselines: str | Path) -> str:
    """List the existing names for an error message."""
    names = _list_names(baselines)
    if not names:
        return "there are none yet; add one with `steelyard baseline set NAME RUN`"
    return f"kept there: {', '.join(names)}"


def _require_valid_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise UserError(
            f"{name!r} is no valid name of a baseline: use up to 100 of a-z, A-Z, 0-9, . _ and -, "
            f"with a letter or a digit first"
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


ReportSource = Report | RunAddress
NO_NAMES: Mapping[str, str] = {}


def baseline_report(source: ReportSource, baselines: str = PLACE) -> Report:
    """Resolve a report to compare with; a text may name a baseline."""
    if isinstance(source, str | Path):
        return find_report(source, baselines=baselines)[0]
    return report_of(source)


def two_reports(
    baseline: ReportSource,
    current: ReportSource,
    *,
    baselines: str = PLACE,
    models: Mapping[str, str] = NO_NAMES,
) -> tuple[Report, Report]:
    """Resolve the two reports of a comparison, and rename their models."""
    before, after = baseline_report(baseline, baselines), report_of(current)
    known = {subject.model for report in (before, after) for subject in report.subjects}
    for name in models:
        if name not in known:
            listed = ", ".join(sorted(known))
            raise UserError(f"`model={name}=…`: no report has this model; there are {listed}")
    before = rename_models(before, models, where="the baseline")
    return before, rename_models(after, models, where="the current report")


def report_of(source: ReportSource) -> Report:
    """Return the report itself, that of a run, or the one at an address."""
    return source if isinstance(source, Report) else report_at(source)
