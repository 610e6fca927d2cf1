"""`steelyard plan`: how many samples to see a drop, and how to share a budget among the cases."""

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli.screen import show
from steelyard.errors import UserError
from steelyard.model.plan import Demand, SamplePlan


def plan(
    *,
    drop: Annotated[float, typer.Option(help="The drop to be seen; 0.05 is 5 points.")] = 0.05,
    power: Annotated[float, typer.Option(help="The chance of seeing it.")] = 0.8,
    alpha: Annotated[float, typer.Option(help="The largest share of false alarms.")] = 0.05,
    past: Annotated[
        Path | None,
        typer.Option("--from", envvar="STEELYARD_PLAN_FROM", help="The report (JSON) of a past run."),
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="Without a past run: u-shaped, mostly-deterministic or reliable.")
    ] = None,
    cases: Annotated[int, typer.Option(help="With a profile: how many cases there will be.")] = 164,
    allocate: Annotated[str | None, typer.Option(help="history: share --budget by a past run.")] = None,
    budget: Annotated[int | None, typer.Option(help="With --allocate: how many samples in all.")] = None,
    model: Annotated[str | None, typer.Option(help="With --allocate: whose past outcomes to go by.")] = None,
    format: Annotated[str, typer.Option(help="text or json.")] = "text",
) -> None:
    """Say how many samples of each case show a drop, or share a budget of samples among the cases."""
    if format not in {"text", "json"}:
        raise UserError(f"--format {format}: a plan is shown as text or json")
    if allocate is not None:
        _show_allocation(allocate, past, budget=budget, model=model)
        return
    demand = Demand(drop=drop, power=power, alpha=alpha)
    plans = steelyard.plan(past, profile=profile, cases=cases, demand=demand)
    show(_as_json(plans) if format == "json" else "\n".join(_as_text(found) for found in plans))


def _show_allocation(allocation: str, past: Path | None, *, budget: int | None, model: str | None) -> None:
    if allocation != "history" or past is None or budget is None:
        raise UserError("an allocation needs --allocate history, --from REPORT and --budget N")
    shares = steelyard.allocate(past, budget=budget, model=model)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["suite", "case", "samples"])
    writer.writerows([suite, case, samples] for (suite, case), samples in shares.items())
    show(text.getvalue())


def _as_text(found: SamplePlan) -> str:
    demand, how = found.demand, "by a formula" if found.chance is None else "by simulation"
    drop, seen = f"{100 * demand.drop:g} points", 100 * (found.chance or demand.power)
    rows = "".join(
        f"{step:>17}  {100 * chances.spread:>{len(drop) + 3}.0f} %  {100 * chances.one_case:>13.0f} %\n"
        for step, chances in found.chances.items()
    )
    return (
        f"{found.subject}: {found.samples} samples of each of the {found.cases} cases, in both runs, show a "
        f"drop of {drop} over all cases in {seen:.0f} % of comparisons, {how} (false alarms at most "
        f"{100 * demand.alpha:g} %).\nHow often the gate sees a drop:\n"
        f"samples of a case  {drop} down  one broken case\n{rows}"
    )


def _as_json(plans: Sequence[SamplePlan]) -> str:
    listed = [
        {
            "subject": found.subject,
            "cases": found.cases,
            "noise": found.noise,
            **asdict(found.demand),
            "samples": found.samples,
            "chance": found.chance,
            "chances": {str(step): asdict(chances) for step, chances in found.chances.items()},
        }
        for found in plans
    ]
    return json.dumps({"schema": "steelyard.plan/2", "plans": listed}, indent=2, allow_nan=False) + "\n"
