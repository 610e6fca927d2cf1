"""Open what a viewer shows: a run, a folder of runs, a bucket of runs, or the verdict of a gate.

Links name runs by a digest of their address, and only runs found here have one: no request names a path.
"""

import atexit
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from html import escape
from pathlib import Path

from steelyard.app.baseline import history, list_baselines
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.view.run_view import RunView
from steelyard.errors import InfrastructureError, InputError, SteelyardError, UserError
from steelyard.model.gate import GateReport
from steelyard.model.history import History
from steelyard.model.viewing import RunLine
from steelyard.sources.record_file import read_record
from steelyard.store.run.files import RunReader
from steelyard.store.run.location import Location, is_remote, location_of
from steelyard.store.run.manifest import read_manifest
from steelyard.store.run.run_store import is_run

DEPTH = 3  # folders below the one that was opened
MOST_RUNS = 1_000  # in a list
TWO = 2  # runs to compare
TO_NAME = "name a run, or a folder with runs in it"
MEMORY = "512MB"  # for reading rows


class Viewer:
    """The runs at an address, refreshed on each listing."""

    def __init__(self, address: str, *, gate: GateReport | None = None, roots: tuple[str, ...]) -> None:
        """Initialize with the addresses to show; `gate` is an opened verdict."""
        self.address, self.gate = address, gate
        self._roots = roots
        self._readers = {root: RunReader(root, memory=MEMORY) for root in roots}
        self._runs: dict[str, RunView] = {}
        self._began: dict[str, str] = {}  # when each run began, by its name in links

    @property
    def single(self) -> RunView | None:
        """The run, if a single run was opened by its address."""
        if len(self._roots) != 1 or not is_run(self._roots[0]):
            return None
        return self._known(self._roots[0], Path(self._roots[0]).name, self._roots[0])

    @property
    def pair(self) -> tuple[RunView, RunView] | None:
        """The runs before and after, if exactly two were opened by address."""
        if len(self._roots) != TWO or not all(map(is_run, self._roots)):
            return None
        before, after = (self._known(root, Path(root).name, root) for root in self._roots)
        return before, after

    def lines(self) -> list[RunLine]:
        """Return a line for every run, the newest first, and for every folder that cannot be looked into.

        Of many runs, only the newest are listed.
        """
        faults = [
            fault for root in self._roots for fault in self._find_runs(location_of(root), "", DEPTH, root)
        ]
        listed = [_summarize_run(run) for run in self._select_newest()]
        return [*sorted(listed, key=lambda line: line.created_at, reverse=True), *faults]

    @property
    def unlisted(self) -> int:
        """How many of the runs found are too old for the list."""
        return max(0, len(self._runs) - MOST_RUNS)

    def results(self, lines: Sequence[RunLine]) -> list[RunLine]:
        """Add results to lines by reading each run's tables."""
        return [line if line.problem else _with_result(line, self._runs[line.id]) for line in lines]

    @cached_property
    def baselines(self) -> str | None:
        """The first of the opened places that keeps baselines."""
        return next(filter(_keeps_baselines, self._roots), None)

    def history(self) -> History:
        """Return the history of the baselines that were opened."""
        if self.baselines is None:
            raise InputError(
                "no baseline was opened: name their folder too, such as `steelyard view runs baselines`"
            )
        return history(self.baselines)

    def run(self, run_id: str) -> RunView:
        """Return a run by its name in links; only opened runs have one."""
        if run_id not in self._runs:
            self.lines()
        if run_id not in self._runs:
            raise InputError("no such run was opened here")
        return self._runs[run_id]

    def close(self) -> None:
        """Free the memory of all runs."""
        for run in self._runs.values():
            run.close()
        for reader in self._readers.values():
            reader.close()

    def _find_runs(self, place: Location, name: str, depth: int, root: str) -> Iterator[RunLine]:
        """Find the runs below an address, and a line for each unreadable folder."""
        try:
            if is_run(place.address):
                self._known(place.address, name or Path(place.address).name, root)
                return
            names = place.names() if depth else []
            below = {child: place.child(child) for child in names if _may_hold(place, child)}
        except SteelyardError as error:
            yield RunLine(id="", name=name, address=place.address, problem=str(error))
            return
        for child, there in below.items():
            yield from self._find_runs(there, f"{name}/{child}".lstrip("/"), depth - 1, root)

    def _select_newest(self) -> list[RunView]:
        """Select the newest runs; plans of older ones are not cached."""
        runs = list(self._runs.values())
        if len(runs) <= MOST_RUNS:
            return runs
        for run in runs:
            if run.id not in self._began and (began := _find_start(run)):
                self._began[run.id] = began
        # One that cannot be opened stands first, where its line says why.
        return sorted(runs, key=lambda run: self._began.get(run.id, "~"), reverse=True)[:MOST_RUNS]

    def _known(self, address: str, name: str, root: str) -> RunView:
        run_id = blake2b(address.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        if run_id not in self._runs:
            self._runs[run_id] = RunView(run_id, address, name, self._readers[root])
        return self._runs[run_id]


def open_viewer(address: RunAddress = "runs", further: Sequence[RunAddress] = ()) -> Viewer:
    """Open runs to look at: the address of a run, or of a folder or bucket with runs below it.

    The runs at `further` addresses are shown beside them. The first may also be a gate's verdict, as
    `steelyard gate -o gate.json` writes it.
    """
    address = address_of(address)
    gate = _read_verdict(address)
    roots = tuple(str(address_of(run_address)) for run_address in (further if gate else (address, *further)))
    for root in roots:
        if not is_remote(root) and not Path(root).is_dir():
            what = "is a file" if Path(root).exists() else "no such file or folder"
            raise UserError(f"{root}: {what}; {TO_NAME}")
    return Viewer(str(address), gate=gate, roots=tuple(location_of(root).address for root in roots))


def _read_verdict(address: str | Path) -> GateReport | None:
    if is_remote(address) or not Path(address).is_file():
        return None
    try:
        return read_record(Path(address), GateReport)
    except InputError as error:
        raise InputError(
            f"{error}.\nThe viewer opens runs and verdicts of `steelyard gate`: {TO_NAME}"
        ) from None


def _keeps_baselines(root: str) -> bool:
    """Whether an address's first file is a baseline; runs may contain other JSON."""
    try:
        return not is_run(root) and next(list_baselines(root), None) is not None
    except SteelyardError:
        return False


def _may_hold(place: Location, child: str) -> bool:
    if child.startswith((".", "_")):
        return False
    return is_remote(place.address) or (Path(place.address) / child).is_dir()


def _summarize_run(run: RunView) -> RunLine:
    """Summarize a run, or its error if it cannot be opened."""
    try:
        return run.line()
    except SteelyardError as error:
        return RunLine(id=run.id, name=run.name, address=run.address, problem=str(error))


def _find_start(run: RunView) -> str:
    """Return a run's start time; empty if it cannot be opened."""
    try:
        return read_manifest(location_of(run.address)).created_at
    except SteelyardError:
        return ""


def _with_result(line: RunLine, run: RunView) -> RunLine:
    try:
        return replace(line, result=run.result())
    except SteelyardError as error:
        return replace(line, problem=str(error))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookViewer:
    """A running viewer; `url` opens it in a browser, too."""

    url: str
    height: int
    process: "subprocess.Popen[str]"

    def close(self) -> None:
        """End the viewer."""
        self.process.terminate()
        _close_process(self.process)

    def _repr_html_(self) -> str:
        """Show the pages in a frame."""
        # Browsers accept the frame's cookie only if its host equals the notebook's, usually localhost.
        address = escape(self.url.replace("127.0.0.1", "localhost", 1))
        return (
            f'<iframe src="{address}" title="Steelyard" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )


def start_viewer(address: str, *, height: int) -> NotebookViewer:
    """Start the viewer of a run as a child process, and return when it listens.

    It ends when its standard input does, and so with this process, however that ends.
    """
    command = [sys.executable, "-P", "-m", "steelyard", "view", address, "--no-open", "--notebook"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)  # noqa: S603  # our own command
    url = process.stdout.readline().strip() if process.stdout is not None else ""
    if not url:
        _close_process(process)
        raise InfrastructureError(f"the viewer did not start; try it by hand: steelyard view {address}")
    notebook_viewer = NotebookViewer(url=url, height=height, process=process)
    atexit.register(notebook_viewer.close)
    return notebook_viewer


def _close_process(process: "subprocess.Popen[str]") -> None:
    """Wait for a viewer that ends, and close the pipes to it."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()
