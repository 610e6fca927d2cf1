"""`steelyard gate`: has the current report become worse? A verdict, and an exit code for it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.output import Outputs, note_sources, outputs, show_result
from steelyard.cli.progress import watching
from steelyard.cli.screen import address_here, note
from steelyard.errors import UserError
from steelyard.model.gate import GateReport
from steelyard.model.verdict import GateRule, Inconclusive, Verdict
from steelyard.render.run_end import run_summary

LOOKS = 5

stages = options.in_panel("Several stages or looks")
again = options.in_panel("Generating again, for --confirm")

Confirm = Annotated[bool, stages("Resample suspicious cases, or say which.", "--confirm")]
FreshBaseline = Annotated[str | None, stages("The baseline's cases, resampled.", metavar="REPORT")]
FreshCurrent = Annotated[str | None, stages("The current cases, resampled.", metavar="REPORT")]
Look = Annotated[int | None, stages("Which of several planned looks this is, from 1.")]
Looks = Annotated[int | None, stages("How many looks were planned, 5 if not said.", min=1)]
Anytime = Annotated[bool, stages("Judge single samples, as often as you like.", "--anytime")]
Sequence = Annotated[Path | None, stages("Keeps all rounds, for --anytime.", metavar="FILE")]
Earlier = Annotated[str | None, stages("LOSSES,WINS of earlier rounds: the old form of --sequence.")]
History = Annotated[int | None, options.gate_rule("Judge against so many of the last baselines as well.")]
BaselineConfig = Annotated[Path | None, again("How the baseline is asked, if otherwise.", metavar="FILE")]
MaxUsd = Annotated[str | None, again("The most that it may cost.", metavar="USD")]


def gate(
    *,
    baseline: options.BaselineReport,
    current: options.CurrentReport,
    output: options.Output,
    margin: options.Margin = 0.05,
    alpha: options.Alpha = 0.05,
    max_error_share: options.MaxErrorShare = 0.05,
    allow_missing: options.AllowMissing = False,
    inconclusive: options.OnInconclusive = None,
    require_integrity: options.RequireIntegrity = None,
    baselines: options.Baselines = "baselines",
    history: History = None,
    confirm: Confirm = False,
    fresh_baseline: FreshBaseline = None,
    fresh_current: FreshCurrent = None,
    look: Look = None,
    looks: Looks = None,
    anytime: Anytime = False,
    sequence: Sequence = None,
    earlier: Earlier = None,
    config: options.ConfigFile = None,
    baseline_config: BaselineConfig = None,
    max_usd: MaxUsd = None,
    sandbox: options.SandboxName = "bubblewrap",
    unsafe_no_sandbox: options.Unsafe = False,
    quiet: options.Quiet = False,
    format: options.PairFormat = "text",
) -> None:
    _require_one_way(confirm, fresh_baseline or fresh_current, look, anytime or sequence, history)
    is_round = anytime and sequence is None
    _require_use({"--looks": looks}, on=look is not None, needed="--look")
    _require_use({"--earlier": earlier}, on=is_round, needed="--anytime alone")
    _require_use({"--max-usd": max_usd, "--baseline-config": baseline_config}, on=confirm, needed="--confirm")
    places = outputs(GateReport, format, output)
    rule = GateRule(alpha=alpha, margin=margin, max_error_share=max_error_share, allow_missing=allow_missing)
    if confirm:
        generate = partial(
            steelyard.confirm, baseline, current, rule=rule, baselines=baselines, config=config
        )
        generate = partial(generate, baseline_config=baseline_config, max_usd=max_usd, sandbox=sandbox)
        with watching(quiet=quiet) as watch, _stopping():
            found = generate(
                progress=watch,
                notify=lambda address: note(f"generating again: {address}"),
                require_integrity=require_integrity,
                unsafe_no_sandbox=unsafe_no_sandbox,
            )
    else:
        judge = partial(steelyard.gate, baseline, current, rule=rule, baselines=baselines, config=config)
        judge = partial(judge, look=look, looks=looks or LOOKS, sequence=sequence, history=history)
        found = judge(
            fresh_baseline=fresh_baseline,
            fresh_current=fresh_current,
            earlier=_losses_and_wins(earlier or "0,0") if is_round else None,
            require_integrity=require_integrity,
        )
    note_sources(baseline, current, baselines, form=format)
    _show_end(found, places, inconclusive)


def _show_end(found: GateReport, places: Outputs, inconclusive: Inconclusive | None) -> None:
    show_result(found, places)
    note_inconclusive(found, inconclusive)
    raise typer.Exit(code=steelyard.gate_exit_code(found, inconclusive))


@contextmanager
def _stopping() -> Iterator[None]:
    """If not all fresh answers could be generated, say why and how to go on, and exit."""
    try:
        yield
    except steelyard.ConfirmationStopped as stopped:
        note(run_summary(stopped.result, address_here(stopped.result.address)))
        note("then type the same gate command again: what is generated is kept")
        raise typer.Exit(code=stopped.exit_code) from None


def note_inconclusive(found: GateReport, inconclusive: Inconclusive | None) -> None:
    """Say what an open verdict counts as, if the user wants another exit code than its own."""
    if found.verdict is not Verdict.INCONCLUSIVE or inconclusive is None:
        return
    if inconclusive is Inconclusive.PASS and not found.lacks_only_samples:
        note(
            "--inconclusive pass excuses too few samples only, and not fewer than the baseline has. "
            "It excuses no missing case, no infrastructure error, and nothing that is still to be confirmed."
        )
    else:
        note(f"nothing could be decided, which counts as a {inconclusive} here (--inconclusive)")


def _require_one_way(*ways: object) -> None:
    if sum(way not in {None, False} for way in ways) > 1:
        raise UserError(
            "choose one of --confirm, --fresh-baseline with --fresh-current, --look, --anytime and --history"
        )


def _require_use(given: Mapping[str, object], *, on: bool, needed: str) -> None:
    """Refuse an option that would change nothing: it was meant to."""
    for option, value in given.items():
        if value is not None and not on:
            raise UserError(f"{option} has an effect with {needed} only; add that, or leave it out")


def _losses_and_wins(text: str) -> tuple[int, int]:
    losses, comma, wins = text.partition(",")
    if not (comma and losses.strip().isdigit() and wins.strip().isdigit()):
        raise UserError(f"--earlier {text}: expected LOSSES,WINS, such as 12,9")
    return int(losses), int(wins)
