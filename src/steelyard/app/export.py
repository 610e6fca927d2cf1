"""Write the rows of a run to one file; the work is done by the store."""

from steelyard.store.run.export import export_run

__all__ = ["export_run"]
