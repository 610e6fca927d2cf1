"""Export a run: its rows as a table, or a log for another tool."""

from dataclasses import replace
from pathlib import Path
from typing import cast

from steelyard.app.regrade import planned_regrade
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.validate import EvalSetSource
from steelyard.errors import UserError
from steelyard.model.log import Exported, LeftOut
from steelyard.plugins import EXPORTERS, load
from steelyard.ports import Exporter
from steelyard.store.run.columns import OUTCOMES, SAMPLES
from steelyard.store.run.export import export_run as write_rows
from steelyard.store.run.log_export import exported_run
from steelyard.store.run.run_store import open_run


def export_run(
    run: RunAddress,
    path: str | Path,
    *,
    table: str = OUTCOMES,
    eval_set: EvalSetSource | None = None,
    threads: int | None = None,
) -> int:
    """Write one of a run's tables to a file and return its number of rows.

    Outcomes exclude honeypots and old versions of changed cases. A failed export leaves no file.

    Args:
        run: The run.
        path: The file; its suffix selects Parquet, CSV or JSONL.
        table: `outcomes`, `samples` or `marks`.
        eval_set: Write samples as answers to this set's cases with the same prompt.
        threads: Threads for counting. Default: all cores.

    Raises:
        UserError: `eval_set` is given for another table than samples.
    """
    address = address_of(run)
    if eval_set is None:
        return write_rows(address, path, table=table, threads=threads)
    if table != SAMPLES:
        raise UserError(f"`eval_set` requires `table={SAMPLES}`: add that, or remove `eval_set`")
    forms = planned_regrade(open_run(address), eval_set).forms
    return write_rows(address, path, table=table, forms=forms, threads=threads)


def export_log(run: RunAddress, folder: str | Path, *, to: str, threads: int | None = None) -> Exported:
    """Write a run to a folder as a log of another tool.

    Args:
        run: The run.
        folder: The target folder.
        to: The tool, such as `inspect`, or the name of a plug-in.
        threads: Threads for counting. Default: all cores.
    """
    writer = cast("type[Exporter]", load(EXPORTERS, to, group="exporters"))()
    rows = exported_run(address_of(run), threads=threads)
    written = writer.write(rows, Path(folder))
    if not rows.honeypots:
        return written
    omitted = LeftOut(what="answers", why="to honeypots, which no metric counts", count=rows.honeypots)
    return replace(written, left_out=(*written.left_out, omitted))
