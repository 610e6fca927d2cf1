"""`steelyard plan`: how many samples to see a drop, and how to share a budget among the cases."""

import csv
from io import StringIO
from typing import Annotated

import typer

import steelyard
from steelyard.cli.output import note_source
from steelyard.cli.screen import show
from steelyard.errors import UserError
from steelyard.model.plan import CASES, Demand
from steelyard.render.plan import plans_as_json, plans_as_text


def plan(
    *,
    drop: Annotated[float, typer.Option(help="The drop to be seen; 0.05 is 5 points.")] = 0.05,
    power: Annotated[float, typer.Option(help="The chance of seeing it.")] = 0.8,
    alpha: Annotated[float, typer.Option(help="The largest share of false alarms.")] = 0.05,
    past: Annotated[
        str | None,
        typer.Option(
            "--from", envvar="STEELYARD_PLAN_FROM", help="A past run, report (JSON) or outcome file."
        ),
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="Without a past run: u-shaped, mostly-deterministic or reliable.")
    ] = None,
    cases: Annotated[
        int | None, typer.Option(help=f"With a profile: how many cases there will be, {CASES} if not said.")
    ] = None,
    allocate: Annotated[str | None, typer.Option(help="history: share --budget by a past run.")] = None,
    budget: Annotated[int | None, typer.Option(help="With --allocate: how many samples in all.")] = None,
    model: Annotated[str | None, typer.Option(help="With --allocate: whose past outcomes to go by.")] = None,
    format: Annotated[str, typer.Option(help="text or json.")] = "text",
) -> None:
    """Say how many samples of each case show a drop, or share a budget of samples among the cases."""
    if format not in {"text", "json"}:
        raise UserError(f"--format {format}: a plan is shown as text or json")
    _require_use(past, profile, cases=cases, allocate=allocate, budget=budget, model=model)
    if allocate is not None:
        _show_allocation(allocate, past, budget=budget, model=model)
        return
    demand = Demand(drop=drop, power=power, alpha=alpha)
    plans = steelyard.plan(past, profile=profile, cases=CASES if cases is None else cases, demand=demand)
    if past is not None and format == "text":
        note_source("from", past)
    show(plans_as_json(plans) if format == "json" else plans_as_text(plans))


def _require_use(
    past: str | None,
    profile: str | None,
    *,
    cases: int | None,
    allocate: str | None,
    budget: int | None,
    model: str | None,
) -> None:
    """Refuse an option that would change nothing."""
    if allocate is None and (budget is not None or model is not None):
        raise UserError("--budget and --model go with --allocate; add that, or leave them out")
    if past is not None and (cases is not None or profile is not None):
        raise UserError("--from has the cases of a past run; leave --profile and --cases out")


def _show_allocation(allocation: str, past: str | None, *, budget: int | None, model: str | None) -> None:
    if allocation != "history" or past is None or budget is None:
        raise UserError("an allocation needs --allocate history, --from REPORT and --budget N")
    shares = steelyard.allocate(past, budget=budget, model=model)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["suite", "case", "samples"])
    writer.writerows([suite, case, samples] for (suite, case), samples in shares.items())
    show(text.getvalue())
