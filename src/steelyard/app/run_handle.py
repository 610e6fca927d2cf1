"""Use a run in notebooks and scripts: report, rows, comparisons; merge shards."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.analysis.compare import compare_reports
from steelyard.analysis.gate_report import DEFAULT_RULE
from steelyard.app.baseline import PLACE, ReportSource, baseline_report
from steelyard.app.eval_texts import sample_excerpts
from steelyard.app.gate import gate_finished
from steelyard.app.report import report_run
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.score import DEFAULT_OPTIONS
from steelyard.app.settings import ConfigSource, load_config
from steelyard.metrics.regression import DEFAULT_THRESHOLD
from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.options import ReportOptions, RuleChoice
from steelyard.model.report import Report
from steelyard.model.run import Manifest
from steelyard.model.sample import SampleExcerpt
from steelyard.model.units import Number
from steelyard.model.verdict import GateRule
from steelyard.store.run.merging import merge_shards
from steelyard.store.run.query import Rows, query_run, rows_of_run
from steelyard.store.run.run_store import open_run as open_store

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from steelyard.app.view.viewer import NotebookViewer


@dataclass(frozen=True, slots=True)
class Run:
    """A run in a folder or an object store; each method reads its current state."""

    address: str

    @property
    def manifest(self) -> Manifest:
        """The plan of the run: subjects, cases, samples, scoring."""
        return open_store(self.address).manifest

    def report(
        self,
        *,
        rule: RuleChoice | None = None,
        options: ReportOptions = DEFAULT_OPTIONS,
        pass_k: int | Iterable[int] | None = None,
        engine: str = "local",
        threads: int | None = None,
    ) -> Report:
        """Return the report of the run.

        Args:
            rule: Rescore by this rule. Default: the run's own.
            options: Options of the report; unset ones default to the run's own.
            pass_k: Short for `options=ReportOptions(pass_k=…)`.
            engine: Where outcomes are counted: `local`, or `ray` for a cluster.
            threads: Threads for counting. Default: all cores.
        """
        if pass_k is not None:
            options = replace(options, pass_k=(pass_k,) if isinstance(pass_k, int) else tuple(pass_k))
        return report_run(self.address, rule=rule, options=options, engine=engine, threads=threads)

    def compare(
        self,
        baseline: ReportSource,
        *,
        threshold: Number = DEFAULT_THRESHOLD,
        baselines: str = PLACE,
    ) -> Comparison:
        """Compare with a run, a report, an address or a named baseline."""
        return compare_reports(baseline_report(baseline, baselines), self.report(), threshold=threshold)

    def gate(
        self,
        baseline: ReportSource,
        *,
        rule: GateRule = DEFAULT_RULE,
        baselines: str = PLACE,
        config: ConfigSource = None,
    ) -> GateReport:
        """Decide whether the run is worse than a baseline, by the configuration's policy if any."""
        before, policy = baseline_report(baseline, baselines), load_config(config).gate
        return gate_finished(before, self.report(), policy, rule=rule, baselines=baselines)

    def samples(self) -> tuple[SampleExcerpt, ...]:
        """Return samples to review: one of every case, then a second of every case; failed ones first."""
        return sample_excerpts(self.address)

    def sql(self, query: str, *, threads: int | None = None) -> Rows:
        """Run an SQL query on the views `samples` and `outcomes`."""
        return query_run(self.address, query, threads=threads)

    def view(self, *, height: int = 720) -> "NotebookViewer":
        """Show the viewer of this run in a notebook, until its kernel exits."""
        from steelyard.app.view.viewer import start_viewer  # noqa: PLC0415  # few notebooks need it

        return start_viewer(self.address, height=height)

    def to_pandas(self, table: str = "outcomes", *, exact: bool = False) -> "pd.DataFrame":
        """Return all rows of a table as a pandas data frame, in dollars, seconds and fractions.

        Args:
            table: `outcomes` or `samples`.
            exact: Return the stored integers: nano-dollars, microseconds and millionths.
        """
        return rows_of_run(self.address, table, exact=exact).to_pandas()

    def to_polars(self, table: str = "outcomes", *, exact: bool = False) -> "pl.DataFrame":
        """Return all rows of a table as a polars data frame; arguments as for `to_pandas`."""
        return rows_of_run(self.address, table, exact=exact).to_polars()

    def _repr_html_(self) -> str | None:
        """Show its report in a notebook."""
        return self.report()._repr_html_()  # the notebook protocol


def open_run(address: RunAddress) -> Run:
    """Open a stored run; raise an error if there is none at the address."""
    run = Run(str(address_of(address)))
    _ = run.manifest
    return run


def merge(
    shards: Iterable[RunAddress], into: str | Path, *, notify: Callable[[str], None] = warnings.warn
) -> Run:
    """Merge the runs made by `run(…, shard="3/16")` into one run.

    The merged run has the report of an unsharded run. The shards stay unchanged.

    Args:
        shards: All shards, in any order.
        into: The address of the merged run.
        notify: Called if the shards are already merged there; then nothing is written.

    Raises:
        InputError: Shards overlap, are missing or incomplete, or have different settings.
    """
    return Run(merge_shards(map(address_of, shards), into, notify=notify).location.address)
