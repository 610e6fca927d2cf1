"""`steelyard run`: draw answers, check them, keep everything, and report."""

import shlex

import typer

import steelyard
from steelyard.cli import arguments
from steelyard.cli.benchmark_options import PublicTasks
from steelyard.cli.output import Outputs, outputs, show_result
from steelyard.cli.progress.calls import watching_calls
from steelyard.cli.progress.watch import watching
from steelyard.cli.records import takes
from steelyard.cli.run_options import Draw, Execution, RunOutput, What
from steelyard.cli.screen import address_here, note, note_sent, results_only, show, warn
from steelyard.errors import UserError
from steelyard.model.options import ReportOptions
from steelyard.model.report import Report
from steelyard.render.forecast import forecast_as_json, forecast_as_text
from steelyard.render.run_end import run_summary


@takes(What, PublicTasks, Draw, Execution, RunOutput)
def run(what: What, tasks: PublicTasks, draw: Draw, execution: Execution, shown: RunOutput) -> None:
    """Draw answers to an eval set, check them in a sandbox, keep everything, and report."""
    given = what.arguments() | draw.arguments() | execution.arguments()
    source = _eval_set(what, tasks, execution)
    if what.dry_run:
        found = steelyard.forecast_run(
            source,
            resume=what.resume,
            address=what.run,
            or_resume=what.or_resume,
            config=what.config,
            like=what.like,
            **given,
        )
        show(forecast_as_json(found) if shown.format == "json" else forecast_as_text(found))
        return
    if what.like is not None:
        raise UserError("--like belongs to --dry-run: it says what a run may cost; leave it out, or add that")
    wanted = arguments.run_report(draw.pass_k, shown.baseline_tier, shown.expert_usd)
    places = outputs(Report, shown.format, shown.output, details=shown.details)
    sinks = steelyard.find_sinks(shown.sink)
    observing = watching_calls(shown.log_file, verbose=shown.verbose)
    try:
        with watching(quiet=shown.quiet or shown.verbose) as watch, observing as observe_call:
            ended = steelyard.run(
                source,
                resume=what.resume,
                address=what.run,
                or_resume=what.or_resume,
                config=what.config,
                require_integrity=execution.require_integrity,
                progress=watch,
                notify=warn,
                announce=note,
                observe_call=observe_call,
                **given,
            )
    except KeyboardInterrupt as stop:  # a run that has begun ends with a result instead
        stop.add_note("nothing was drawn")
        raise
    report = _show_end(ended, wanted, places, again=_again(what, draw, execution))
    if report is not None:
        with results_only():
            note_sent(steelyard.send_report(report, ended.address, sinks=sinks))
    elif sinks:
        note(f"not sent to {', '.join(sinks)}: the run is not complete")
    raise typer.Exit(ended.exit_code)


def _eval_set(what: What, tasks: PublicTasks, execution: Execution) -> "steelyard.EvalSet | str | None":
    """Return the set to run: the tasks of a benchmark, or where the user's own set lies."""
    if tasks.benchmark is None:
        tasks.require_unused()
        return what.source
    if what.source is not None:
        raise UserError(f"two eval sets: --benchmark {tasks.benchmark}, and {what.source}; name one of them")
    chosen = tasks.options(sandbox=execution.sandbox, unsafe_no_sandbox=execution.unsafe_no_sandbox)
    return steelyard.load_benchmark(tasks.benchmark, chosen, notify=note)


def _again(what: What, draw: Draw, execution: Execution) -> str:
    """Return the options that the run needs once more when it goes on, besides its cap."""
    sandbox = None if execution.sandbox == Execution.sandbox else execution.sandbox
    given = {"--config": what.config, "--replay": draw.replay, "--sandbox": sandbox}
    words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    words += [word for price in execution.price for word in ("--price", price)]
    words += ["--no-reference-check"] * execution.no_reference_check
    words += ["--allow-unpriced"] * execution.allow_unpriced + ["--batch"] * execution.batch
    return "".join(f" {shlex.quote(word)}" for word in words)


def _show_end(
    ended: "steelyard.EndedRun", wanted: ReportOptions, places: Outputs, *, again: str
) -> Report | None:
    """Show how a run ended, and its report if it is complete."""
    report = ended.report(options=wanted) if ended.result.is_complete else None
    if report is not None:
        show_result(report, places, ended.samples)
    note(run_summary(ended.result, address_here(ended.result.address), again=again))
    return report
