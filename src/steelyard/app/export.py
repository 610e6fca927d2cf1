"""Write a run to files: its rows as a table, or a log in the form of another tool."""

from pathlib import Path
from typing import cast

from steelyard.model.log import Exported
from steelyard.plugins import EXPORTERS, load
from steelyard.ports import Exporter
from steelyard.store.run.export import export_run
from steelyard.store.run.log_export import exported_run

__all__ = ["export_log", "export_run"]


def export_log(run: str | Path, folder: str | Path, *, to: str, threads: int | None = None) -> Exported:
    """Write a run into a folder in the form of another tool, such as `inspect`."""
    writer = cast("type[Exporter]", load(EXPORTERS, to, group="exporters"))()
    return writer.write(exported_run(run, threads=threads), Path(folder))
