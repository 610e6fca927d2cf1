"""One Delta table of a run: rows are added once or not at all, and any Parquet reader can read them.

Knows commits and files, not what the rows mean.
"""

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path

from arro3.core import Table
from arro3.core.types import ArrowStreamExportable
from deltalake import (
    ColumnProperties,
    CommitProperties,
    DeltaTable,
    PostCommitHookProperties,
    Transaction,
    WriterProperties,
    write_deltalake,
)

from steelyard.errors import StoreError
from steelyard.store.run.columns import StoredColumn, arrow_schema
from steelyard.store.run.faults import UNREAD, explain_faults, other_writer, size_fault
from steelyard.store.run.listing import ColumnCount, DataFile, Listing
from steelyard.store.run.location import Folder, Location
from steelyard.store.run.log import (
    LOG,
    TRANSACTIONS,
    actions_of,
    checkpoint_names,
    drafts,
    entry_fault,
    entry_name,
    last_checkpoint,
)

WRITER = "steelyard.writer"  # the application transaction that every commit advances by one
ERA = "steelyard.era"  # the one that forgetting rows advances, since their chunks may then come again
LOG_KEPT = "interval 3650 days"  # the log is the run's history; only its checkpoints grow with it
STATISTICS = "delta.dataSkippingStatsColumns"
CHECKPOINT_INTERVAL = 100  # commits; reading the log means reading at most so many of its entries
LARGEST_FILE = 256 * 2**20

# Checkpoints are written after the commit: a full disk must not fail a good commit.
_NO_HOOKS = PostCommitHookProperties(create_checkpoint=False, cleanup_expired_logs=False)


class StoreTable:
    """A Delta table, written by one process at a time.

    Every commit carries the writer's own count; it is refused if another writer has changed the count.
    """

    def __init__(self, location: Location, columns: tuple[StoredColumn, ...], *, group_rows: int) -> None:
        """Describe the table; nothing is opened yet."""
        self.location = location
        self.columns = columns
        self._group_rows = group_rows
        self._is_folder = isinstance(location, Folder)
        self._uri = Path(location.address).as_uri() if self._is_folder else location.address
        self._table: DeltaTable | None = None
        self._commits: int | None = None
        self._checked = -1  # the version up to which the log was verified
        self._listed: tuple[int, Listing] | None = None

    def create(self) -> None:
        """Make the empty table; one that is already there is left as it is."""
        configuration = {
            STATISTICS: self._counted(),
            "delta.checkpointInterval": str(CHECKPOINT_INTERVAL),
            "delta.logRetentionDuration": LOG_KEPT,
        }
        with explain_faults(self.location, "cannot be created"):
            self._table = DeltaTable.create(
                self._uri,
                schema=arrow_schema(self.columns),
                mode="ignore",
                configuration=configuration,
                storage_options=self.location.options or None,
            )
        self._hide_location()
        self.location.flush(LOG)
        self._settle_commit(self._table)

    def delta(self) -> DeltaTable:
        """Return the table: its current state if held for writing, else the state when it was opened."""
        with explain_faults(self.location, UNREAD):
            if self._table is None:
                self._table = DeltaTable(self._uri, storage_options=self.location.options or None)
                self._checked = last_checkpoint(self.location) if self._is_folder else -1
            elif self._commits is not None:
                # Only writers must see later commits; readers use one state.
                self._table.update_incremental()
        self._require_whole(self._table)
        return self._table

    def has_moved(self) -> bool:
        """Whether another process has committed since this table was opened: the next entry is there."""
        return (
            self._table is not None and self.location.read(entry_name(self._table.version() + 1)) is not None
        )

    def hold(self) -> None:
        """Record the current version, so later commits of other processes are noticed."""
        self._table = None
        self._commits = self._transaction(self.delta(), WRITER) or 0

    def add(self, rows: Table, *, chunk: str) -> bool:
        """Commit rows under the name of their chunk; False if that chunk had been committed before."""
        delta = self._held()
        name, mark = self._chunk_name(delta, chunk), _mark(rows)
        transaction = self._transaction(delta, name)
        if transaction is not None:
            if transaction != mark:
                raise StoreError(
                    f"{self.location.address}: chunk {chunk!r} was committed before with other rows; nothing "
                    f"was written: a chunk is named after what is in it"
                )
            return False
        self._commit(
            delta,
            lambda properties: write_deltalake(
                delta,
                rows,
                mode="append",
                writer_properties=self._writer(),
                commit_properties=properties,
                post_commithook_properties=_NO_HOOKS,
            ),
            Transaction(name, mark),
        )
        return True

    def replace_all(self, rows: ArrowStreamExportable, *, is_new_era: bool = False) -> None:
        """Put a stream of rows in the place of all there are, in one commit.

        A new era begins where keys go that may come again later, so that their chunks are then taken.
        """
        delta = self._held()
        era = [Transaction(ERA, (self._transaction(delta, ERA) or 0) + 1)] if is_new_era else []
        is_same = self.present() == {column.name for column in self.columns}
        self._commit(
            delta,
            lambda properties: write_deltalake(
                delta,
                rows,
                mode="overwrite",
                schema_mode=None if is_same else "overwrite",
                target_file_size=LARGEST_FILE,
                writer_properties=self._writer(),
                commit_properties=properties,
                post_commithook_properties=_NO_HOOKS,
            ),
            *era,
        )

    def forget(self, condition: str) -> int:
        """Delete the rows that meet a condition, in one commit, and return how many they were."""
        delta = self._held()
        metrics: dict[str, int] = {}
        self._commit(
            delta,
            lambda properties: metrics.update(
                delta.delete(
                    condition,
                    writer_properties=self._writer(),
                    commit_properties=properties,
                    post_commithook_properties=_NO_HOOKS,
                )
            ),
            Transaction(ERA, (self._transaction(delta, ERA) or 0) + 1),
        )
        return int(metrics.get("num_deleted_rows") or 0)

    def keep_statistics(self) -> None:
        """Have the log count the columns that it should; those of an earlier version are fewer."""
        delta = self._held()
        self._commit(
            delta,
            lambda properties: delta.alter.set_table_properties(
                {STATISTICS: self._counted()},
                commit_properties=properties,
                post_commithook_properties=_NO_HOOKS,
            ),
        )

    def sweep(self) -> int:
        """Remove the files that no commit refers to any more, and return how many they were.

        What lay here before a commit of ours that names no file, and is not named by then, never will be:
        its writer can no longer commit. (The library's own vacuum deletes what another process
        has just committed.)
        """
        lying = [name for name in self.location.names() if name.startswith("part-")]
        torn = [f"{LOG}/{name}" for name in drafts(self.location.child(LOG).names())]
        self.claim()
        needless = sorted({*lying} - {*self._listing().paths})
        self.location.remove(*needless, *torn)
        return len(needless)

    def claim(self) -> None:
        """Commit nothing but the writer's count: any other process that holds the table is refused later."""
        delta = self._held()
        self._commit(
            delta,
            lambda properties: write_deltalake(
                delta,
                Table.from_batches([], schema=arrow_schema(self.columns)),
                mode="append",
                commit_properties=properties,
                post_commithook_properties=_NO_HOOKS,
            ),
        )

    def checkpoint(self) -> None:
        """Sum the log up in one file, so that opening the table means reading that one."""
        with explain_faults(self.location, "cannot be checkpointed"):
            delta = self.delta()
            delta.create_checkpoint()
        self.location.flush(*checkpoint_names(delta.version()))
        if self._commits is not None:
            # The library keeps each update separately in memory; reopening the table merges them.
            self._table = None

    def files(self, holding: Mapping[str, str] | None = None) -> tuple[DataFile, ...]:
        """List the active files: all of them, or those that may hold rows with these values."""
        files = self._listing().files(holding or {})
        if self._is_folder and (fault := size_fault(files, self._last_entry)):
            raise StoreError(fault)
        return files

    def present(self) -> frozenset[str]:
        """Return the columns that the table has; one of an earlier version lacks the later ones."""
        return frozenset(field.name for field in self.delta().schema().fields)

    def counts(self) -> dict[str, ColumnCount]:
        """Return the log's statistics of every counted column."""
        return self._listing().counts(self.columns)

    def _hide_location(self) -> None:
        """Remove absolute paths from the log, so that a shared run does not reveal where it was made."""
        folder, _, name = entry_name(0).partition("/")
        actions = actions_of(self.location.read(entry_name(0)) or b"{}")
        parameters = actions[0].get("commitInfo", {}).get("operationParameters")
        if isinstance(parameters, dict) and parameters.get("location", ".") != ".":
            parameters["location"] = "."
            lines = (json.dumps(action, separators=(",", ":")) for action in actions)
            self.location.child(folder).write(name, "\n".join(lines).encode())

    def _last_entry(self) -> tuple[str, bytes]:
        name = entry_name(self.delta().version())
        return name, self.location.read(name) or b""

    def _listing(self) -> Listing:
        delta = self.delta()
        if self._listed is None or self._listed[0] != delta.version():
            with explain_faults(self.location, UNREAD):
                actions = delta.get_add_actions(flatten=True)
            self._listed = (delta.version(), Listing(self.location.address, actions))
        return self._listed[1]

    def _counted(self) -> str:
        return ",".join(column.name for column in self.columns if column.is_counted)

    def _writer(self) -> WriterProperties:
        return WriterProperties(
            compression="ZSTD",
            compression_level=3,
            max_row_group_size=self._group_rows,
            default_column_properties=ColumnProperties(dictionary_enabled=True),
        )

    def _transaction(self, delta: DeltaTable, name: str) -> int | None:
        with explain_faults(self.location, UNREAD):
            return delta.transaction_version(name)

    def _chunk_name(self, delta: DeltaTable, chunk: str) -> str:
        era = self._transaction(delta, ERA)
        return chunk if era is None else f"{chunk} {era}"

    def _held(self) -> DeltaTable:
        """Return the table as it is now, or refuse to write because another process does."""
        if self._commits is None:
            raise StoreError(f"{self.location.address}: this run was opened to be read, not written")
        delta = self.delta()
        if (self._transaction(delta, WRITER) or 0) != self._commits:
            raise other_writer(self.location)
        return delta

    def _commit(
        self, delta: DeltaTable, write: Callable[[CommitProperties], object], *named: Transaction
    ) -> None:
        before, following = delta.version(), (self._commits or 0) + 1
        transactions = [*named, Transaction(WRITER, following)]
        properties = CommitProperties(
            app_transactions=transactions, custom_metadata={TRANSACTIONS: str(len(transactions))}
        )
        with explain_faults(self.location, "cannot be written"):
            write(properties)
        # The library sets the version that it wrote; deleting nothing is no commit.
        # A later version could be another writer's commit.
        if delta.version() == before:
            return
        self._commits = following
        self._settle_commit(delta)
        if delta.version() % CHECKPOINT_INTERVAL == 0:
            self.checkpoint()

    def _settle_commit(self, delta: DeltaTable) -> None:
        """Let the newest commit, and the files it names, reach the disk; a bucket keeps what it took."""
        if not self._is_folder:
            return
        entry = entry_name(delta.version())
        actions = actions_of(self.location.read(entry) or b"")
        added = [str(action["add"]["path"]) for action in actions if "add" in action]
        self.location.flush(*added, entry)

    def _require_whole(self, delta: DeltaTable) -> None:
        """Refuse a log with an entry that the library has passed over.

        An object store keeps whole objects or none; only a folder can hold a torn entry.
        """
        version = delta.version()
        if self._is_folder and version > self._checked:
            if fault := entry_fault(self.location, range(self._checked + 1, version + 1)):
                self._table = None
                raise StoreError(fault)
            self._checked = version


def _mark(rows: Table) -> int:
    """Return a number that identifies these rows, so a chunk's name cannot mean two sets of rows."""
    keys = sorted(zip(rows["case_key"].to_pylist(), rows["attempt"].to_pylist(), strict=True))
    return int.from_bytes(blake2b(repr(keys).encode(), digest_size=8).digest()) >> 1
