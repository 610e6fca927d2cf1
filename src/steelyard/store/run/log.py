"""Find the torn entry of a table's log and describe the remedy.

The table library skips an empty entry and takes one that lacks its last lines, and the rows are gone without
a word. A machine that loses power while it commits leaves just such entries.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from steelyard.store.run.location import Location

LOG = "_delta_log"
HINT = "_last_checkpoint"
TRANSACTIONS = "steelyard.transactions"  # how many transactions an entry carries, by its first line
PARQUET = b"PAR1"  # how a Parquet file begins and ends

_ENTRY = re.compile(r"(\d{20})\.json")
_CHECKPOINT = re.compile(r"(\d{20})\.checkpoint\.parquet")
_DRAFT = re.compile(r"\..*|.*(\.tmp|#\d+)")

Action = dict[str, dict[str, object]]


def entry_name(version: int) -> str:
    """Return the path of a version's entry in the table's folder."""
    return f"{LOG}/{version:020d}.json"


def checkpoint_names(version: int) -> tuple[str, str]:
    """Return the files that sum the log up to a version."""
    return f"{LOG}/{version:020d}.checkpoint.parquet", f"{LOG}/{HINT}"


def drafts(names: Iterable[str]) -> list[str]:
    """Return the names that only a writer that was killed leaves behind."""
    return [name for name in names if _DRAFT.fullmatch(name)]


def actions_of(entry: bytes) -> list[Action]:
    """Parse the lines of a log entry; raises ValueError."""
    parsed = [json.loads(line) for line in entry.splitlines() if line]
    if not parsed or not all(isinstance(action, dict) and action for action in parsed):
        raise ValueError("an entry of the log has at least one line, and each holds an action")
    return parsed


def is_whole(entry: bytes) -> bool:
    r"""Whether an entry holds every line that its first line announces.

    >>> info = b'{"commitInfo": {"operationMetrics": {"num_added_files": 1}, "steelyard.transactions": "1"}}'
    >>> is_whole(info + b'\n{"add": {"path": "part-0"}}\n{"txn": {"appId": "a"}}')
    True
    >>> is_whole(info + b'\n{"add": {"path": "part-0"}}'), is_whole(info[:-9]), is_whole(b"")
    (False, False, False)
    """
    try:
        actions = actions_of(entry)
    except ValueError:
        return False
    info = next((action["commitInfo"] for action in actions if "commitInfo" in action), {})
    metrics = info.get("operationMetrics")
    numbers: dict[str, object] = metrics if isinstance(metrics, dict) else {}
    announced = {
        "add": numbers.get("num_added_files"),
        "remove": numbers.get("num_removed_files"),
        "txn": info.get(TRANSACTIONS),
    }
    counted = Counter(next(iter(action)) for action in actions)
    return all(
        requested is None or str(counted[kind]) == str(requested) for kind, requested in announced.items()
    )


def last_checkpoint(location: Location) -> int:
    """Return the version of the newest checkpoint, -1 if none."""
    names = location.child(LOG).names()
    return max((int(match[1]) for name in names if (match := _CHECKPOINT.fullmatch(name))), default=-1)


def entry_fault(location: Location, versions: Iterable[int]) -> str | None:
    """Return an error message for the first torn entry, None if there is none."""
    for version in versions:
        entry = location.read(entry_name(version))
        if entry is None or not is_whole(entry):
            return _torn(location, version, entry)
    return None


def log_fault(location: Location) -> str | None:
    """Explain why the table library cannot read a log; None if it looks valid."""
    names = location.child(LOG).names()
    entries = sorted(int(match[1]) for name in names if (match := _ENTRY.fullmatch(name)))
    if not entries:
        return f"{location.address}: the table's log, {LOG}, is gone or empty; put it back from a copy"
    summed = last_checkpoint(location)
    later = range(summed + 1, entries[-1] + 1)
    return _checkpoint_fault(location, summed) or entry_fault(location, later)


def _checkpoint_fault(location: Location, summed: int) -> str | None:
    if summed >= 0:
        name, _ = checkpoint_names(summed)
        content = location.read(name) or b""
        if not (content.startswith(PARQUET) and content.endswith(PARQUET)):
            return _needless(location, name)
    hint = location.read(f"{LOG}/{HINT}")
    if hint is not None and _hinted_version(hint) > summed:
        return _needless(location, f"{LOG}/{HINT}")
    return None


def _hinted_version(hint: bytes) -> int:
    try:
        return int(json.loads(hint)["version"])
    except (ValueError, KeyError, TypeError):
        return -1  # the library does without a hint that it cannot read


def _needless(location: Location, name: str) -> str:
    hint = "" if name.endswith(HINT) else f" and {LOG}/{HINT}"
    return (
        f"{location.address}/{name}: the file is damaged, or what it points to is missing.\n"
        f"Nothing was dropped: it only sums up entries of the log that are still there.\n"
        f"Delete this file{hint}, and try again."
    )


def _torn(location: Location, version: int, entry: bytes | None) -> str:
    where = f"{location.address}/{entry_name(version)}"
    state = "missing" if entry is None else f"torn: {len(entry)} bytes of it are here, and they are not all"
    is_last = location.read(entry_name(version + 1)) is None
    if entry is None or not is_last:
        return (
            f"{where}: this entry of the table's log is {state}.\n"
            f"Nothing was dropped or changed: the data files and the other entries are as they were.\n"
            f"Put this one file back from a copy of the run; without it, it is unknown which rows count."
        )
    return (
        f"{where}: the last entry of the table's log is {state}.\n"
        f"Nothing was dropped or changed: the data files and the earlier entries are as they were.\n"
        f"If the machine stopped while it wrote this entry, its rows were never reported as safe: "
        f"move {PurePosixPath(where).name} out of the folder and resume, and they are generated again. "
        f"Otherwise put it back from a copy of the run."
    )
