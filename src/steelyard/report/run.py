"""Make the report of a run, or take one that was written before.

The rule, the expected cases and the stop rule are the run's own unless the caller wants others.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import cast

from steelyard.metrics.rules import RuleChoice
from steelyard.model.options import ReportOptions
from steelyard.model.report import Report
from steelyard.plugins import ENGINES, load
from steelyard.ports import Engine
from steelyard.report.score import DEFAULT_OPTIONS, refuse_unusable
from steelyard.sources.record_file import read_report
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.run_store import is_run, open_run, steadily
from steelyard.store.run.states import Share, StateRow, count_share


def report_run(
    address: str | Path,
    *,
    rule: RuleChoice | None = None,
    options: ReportOptions = DEFAULT_OPTIONS,
    engine: str = "local",
    threads: int | None = None,
) -> Report:
    """Return the report of a run, scored as it was kept or, with `rule`, by another rule."""
    refuse_unusable(options)
    store = open_run(address)
    start = cast("Callable[..., Engine]", load(ENGINES, engine, group="engines"))
    with ThreadPoolExecutor(max_workers=1) as aside, closing(start(threads=threads)) as worker:
        # The statistics take a while to load, which need not wait until the engine has done its counting.
        building = aside.submit(import_module, "steelyard.report.build")
        counting = RunCounting(
            rule=rule,
            errors=options.errors,
            spread=options.spread,
            parts=worker.parts,
            counter=_counter(worker),
            threads=threads,
        )
        manifest, evidence = steadily(store, lambda now: (now.manifest, run_evidence(now, counting)))
    chosen = replace(options, stop_rule=options.stop_rule or manifest.stop_rule)
    report: Report = building.result().build_report(evidence, chosen, manifest.expected())
    return report


def report_at(address: str | Path) -> Report:
    """Return the report at an address: a run's own, or one that was written to a file."""
    return report_run(address) if is_run(address) else read_report(address)


def _counter(worker: Engine) -> Callable[[Sequence[Share]], Iterable[Sequence[StateRow]]]:
    def counted(dealt: Sequence[Share]) -> Iterable[Sequence[StateRow]]:
        return worker.map(count_share, [replace(share, threads=worker.threads) for share in dealt])

    return counted
