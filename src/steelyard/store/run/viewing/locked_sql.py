"""Run SQL of a viewer's user in a locked database: it reads this run's tables and nothing else.

It reaches no other file, no network, no extension and no setting; memory and time are limited. The engine
looks at its own limits only now and then, so it works in a process that the system ends.
"""

import json
import os
import signal
import subprocess
import sys
from tempfile import TemporaryDirectory
from typing import NamedTuple

from steelyard.errors import InputError
from steelyard.store.run.files import rows_of
from steelyard.store.run.location import is_remote
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.viewing.sql_worker import SqlTask

SECONDS = 20.0  # of the query itself
START_SECONDS = 60.0  # for a process to begin, on a busy machine
LONGEST_QUERY = 10_000
WORKER = (sys.executable, "-P", "-m", "steelyard.store.run.viewing.sql_worker")


class SqlRows(NamedTuple):
    """The first rows of an answer, as text; `is_whole` unless there were more."""

    columns: list[str]
    rows: list[tuple[str | None, ...]]
    is_whole: bool


def query_locked(store: RunStore, sql: str, *, seconds: float = SECONDS) -> SqlRows:
    """Run a SELECT on the views `samples` and `outcomes`; raise InputError if refused."""
    if is_remote(store.location.address):
        raise InputError("SQL needs the run's files on this machine; copy the run from its bucket first")
    if len(sql) > LONGEST_QUERY:
        raise InputError(f"this SQL is longer than {LONGEST_QUERY:,} characters")
    tables = {"samples": store.samples, "outcomes": store.outcomes}
    task = SqlTask(
        sql=sql,
        views={name: rows_of(table) for name, table in tables.items()},
        files=[file.uri for table in tables.values() for file in table.files()],
        seconds=seconds,
    )
    return _read(_run(task))


def _run(task: SqlTask) -> str:
    """Return what the worker wrote; nothing of it is left, however it ends."""
    with TemporaryDirectory(prefix="steelyard-sql-") as folder:
        try:
            done = subprocess.run(  # noqa: S603  # our own command
                WORKER,
                input=json.dumps(task),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "TMPDIR": folder},
                timeout=START_SECONDS + task.seconds,
                encoding="utf-8",
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise InputError("this SQL was stopped: its process did not begin in time") from None
    if done.returncode == -signal.SIGALRM:
        raise InputError(f"this SQL took longer than {task.seconds:g} s and was stopped")
    if done.returncode != 0:
        raise InputError("this SQL was stopped: it needs too much memory")
    return done.stdout


def _read(text: str) -> SqlRows:
    first, *rest = map(json.loads, text.splitlines())
    last = rest.pop() if rest else first
    if "refused" in last:
        raise InputError(last["refused"])
    return SqlRows(first["columns"], [tuple(row) for row in rest], last["is_whole"])
