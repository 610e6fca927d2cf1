"""Write a run to files: its rows as a table, or a log in the form of another tool."""

from dataclasses import replace
from pathlib import Path
from typing import cast

from steelyard.model.log import Exported, LeftOut
from steelyard.plugins import EXPORTERS, load
from steelyard.ports import Exporter
from steelyard.store.run.export import export_run
from steelyard.store.run.log_export import exported_run

__all__ = ["export_log", "export_run"]


def export_log(run: str | Path, folder: str | Path, *, to: str, threads: int | None = None) -> Exported:
    """Write a run into a folder in the form of another tool, such as `inspect`."""
    writer = cast("type[Exporter]", load(EXPORTERS, to, group="exporters"))()
    rows = exported_run(run, threads=threads)
    written = writer.write(rows, Path(folder))
    if not rows.honeypots:
        return written
    apart = LeftOut(what="answers", why="to honeypots, which are in no number", count=rows.honeypots)
    return replace(written, left_out=(*written.left_out, apart))
