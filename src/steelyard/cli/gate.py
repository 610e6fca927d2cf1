"""`steelyard gate`: has the current report become worse? A verdict, and an exit code for it."""

import typer

import steelyard
from steelyard.cli import gate_options as options
from steelyard.cli import output
from steelyard.cli.arguments import nano_usd
from steelyard.cli.baseline import Baselines
from steelyard.errors import UserError
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule, Inconclusive, Verdict

EXIT_CODES = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.INCONCLUSIVE: 4}


def gate(
    *,
    baseline: options.Baseline,
    current: options.Current,
    out: options.Output,
    margin: options.Margin = 0.05,
    alpha: options.Alpha = 0.05,
    max_error_share: options.MaxErrorShare = 0.05,
    allow_missing: options.AllowMissing = False,
    inconclusive: options.OnInconclusive = None,
    baselines: Baselines = "baselines",
    confirm: options.Confirm = False,
    fresh_baseline: options.FreshBaseline = None,
    fresh_current: options.FreshCurrent = None,
    look: options.Look = None,
    looks: options.Looks = 5,
    anytime: options.Anytime = False,
    earlier: options.Earlier = "0,0",
    config: options.ConfigFile = None,
    baseline_config: options.BaselineConfig = None,
    max_usd: options.MaxUsd = None,
    sandbox: options.SandboxName = "bubblewrap",
    unsafe_no_sandbox: options.Unsafe = False,
    quiet: options.Quiet = False,
    form: options.Format = "text",
) -> None:
    """Judge whether a report has become worse than its baseline: pass (0), fail (1) or inconclusive (4)."""
    places = output.gate_places(form, out)
    rule = GateRule(alpha=alpha, margin=margin, max_error_share=max_error_share, allow_missing=allow_missing)
    (before, drawn), after = (
        steelyard.find_report(baseline, baselines=baselines),
        steelyard.report_at(current),
    )
    fresh = _fresh(fresh_baseline, fresh_current)
    found = _judged(
        before,
        after,
        rule,
        confirm=confirm,
        fresh=fresh,
        look=(look, looks),
        earlier=earlier if anytime else None,
    )
    if confirm and _can_draw(drawn) and _can_draw(current):
        # The engine takes a while to load, and most gates draw nothing.
        from steelyard.cli import gate_confirm as work  # noqa: PLC0415

        drawing = work.Drawing(
            baseline=drawn,
            current=current,
            config=config,
            baseline_config=baseline_config,
            max_nano_usd=None if max_usd is None else nano_usd(max_usd, option="--max-usd"),
            sandbox=sandbox,
            allow_unsafe=unsafe_no_sandbox,
            quiet=quiet,
        )
        found = work.confirmed(found, (before, after), rule, drawing)
    output.show_gate(found, places)
    raise typer.Exit(code=exit_code(found, inconclusive))


def exit_code(found: GateReport, inconclusive: Inconclusive | None) -> int:
    """Return the exit code of a verdict, and say so where the user wants another than its own.

    Letting "too little data" through must not let through a change that removes cases or breaks the checks.
    """
    if found.verdict is not Verdict.INCONCLUSIVE or inconclusive is None:
        return EXIT_CODES[found.verdict]
    if inconclusive is Inconclusive.PASS and not found.lacks_only_samples:
        output.note(
            "--inconclusive pass excuses too few samples only, and not fewer than the baseline has: "
            "no missing cases, no errors of ours, nothing that is still to be confirmed"
        )
        return EXIT_CODES[found.verdict]
    output.note(f"nothing could be decided, which counts as a {inconclusive} here (--inconclusive)")
    return EXIT_CODES[Verdict(inconclusive)]


def _can_draw(address: str) -> bool:
    """Whether an address is that of a run that knows what it asked."""
    from steelyard.store.run.run_store import is_run  # noqa: PLC0415  # loads the tables' library
    from steelyard.store.run.stored_set import has_stored_set  # noqa: PLC0415

    return is_run(address) and has_stored_set(address)


def _judged(
    before: Report,
    after: Report,
    rule: GateRule,
    *,
    confirm: bool,
    fresh: tuple[Report, Report] | None,
    look: tuple[int | None, int],
    earlier: str | None,
) -> GateReport:
    number, looks = look
    if sum((confirm, fresh is not None, number is not None, earlier is not None)) > 1:
        raise UserError(
            "choose one of --confirm, --fresh-baseline with --fresh-current, --look, and --anytime"
        )
    if confirm:
        return steelyard.plan_confirmation(before, after, rule=rule)
    if fresh is not None:
        return steelyard.confirm_reports(
            before, after, fresh_baseline=fresh[0], fresh_current=fresh[1], rule=rule
        )
    if number is not None:
        return steelyard.look_at_reports(before, after, number=number, looks=looks, rule=rule)
    if earlier is not None:
        return steelyard.gate_anytime(before, after, earlier=_losses_and_wins(earlier), rule=rule)
    return steelyard.gate_reports(before, after, rule=rule)


def _fresh(baseline: str | None, current: str | None) -> tuple[Report, Report] | None:
    if baseline is None and current is None:
        return None
    if baseline is None or current is None:
        raise UserError("the second stage needs both --fresh-baseline and --fresh-current")
    return steelyard.report_at(baseline), steelyard.report_at(current)


def _losses_and_wins(text: str) -> tuple[int, int]:
    losses, comma, wins = text.partition(",")
    if not (comma and losses.strip().isdigit() and wins.strip().isdigit()):
        raise UserError(f"--earlier {text}: expected LOSSES,WINS, such as 12,9")
    return int(losses), int(wins)
