"""`steelyard run`: generate answers, check them, store everything and report."""

import shlex

import typer

import steelyard
from steelyard.cli import arguments
from steelyard.cli.benchmark_options import PublicTasks
from steelyard.cli.output import Outputs, outputs, show_result
from steelyard.cli.progress import watching, watching_calls
from steelyard.cli.run_options import Execution, Generation, RunOutput, What, takes
from steelyard.cli.screen import address_here, note, note_sent, results_only, show, warn
from steelyard.errors import UserError
from steelyard.model.options import ReportOptions
from steelyard.model.report import Report
from steelyard.render.forecast import forecast_as_json, forecast_as_text
from steelyard.render.run_end import run_summary


@takes(What, PublicTasks, Generation, Execution, RunOutput)
def run(
    what: What, tasks: PublicTasks, generation: Generation, execution: Execution, output: RunOutput
) -> None:
    run_arguments = what.arguments() | generation.arguments() | execution.arguments()
    source = _find_eval_set(what, tasks, execution)
    if what.dry_run:
        forecast = steelyard.forecast_run(
            source,
            resume=what.resume,
            address=what.run,
            or_resume=what.or_resume,
            config=what.config,
            like=what.like,
            **run_arguments,
        )
        show(forecast_as_json(forecast) if output.format == "json" else forecast_as_text(forecast))
        return
    if what.like is not None:
        raise UserError("--like requires --dry-run: add that, or remove --like")
    options = arguments.run_report(generation.pass_k, output.baseline_tier, output.expert_usd)
    destinations = outputs(Report, output.format, output.output, details=output.details)
    sinks = steelyard.find_sinks(output.sink)
    observing = watching_calls(output.log_file, verbose=output.verbose)
    try:
        with watching(quiet=output.quiet or output.verbose) as watch, observing as observe_call:
            finished = steelyard.run(
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
                **run_arguments,
            )
    except KeyboardInterrupt as stop:  # a started run returns a result instead
        stop.add_note("nothing was generated")
        raise
    resume_options = _format_resume_options(what, generation, execution)
    report = _show_end(finished, options, destinations, resume_options=resume_options)
    if report is not None:
        with results_only():
            note_sent(steelyard.send_report(report, finished.address, sinks=sinks))
    elif sinks:
        note(f"not sent to {', '.join(sinks)}: the run is not complete")
    raise typer.Exit(finished.exit_code)


def _find_eval_set(what: What, tasks: PublicTasks, execution: Execution) -> "steelyard.EvalSet | str | None":
    """Load the benchmark, or return the eval set's address."""
    if tasks.benchmark is None:
        tasks.require_unused()
        return what.source
    if what.source is not None:
        raise UserError(f"two eval sets: --benchmark {tasks.benchmark} and {what.source}; remove one of them")
    chosen = tasks.options(sandbox=execution.sandbox, unsafe_no_sandbox=execution.unsafe_no_sandbox)
    return steelyard.load_benchmark(tasks.benchmark, chosen, notify=note)


def _format_resume_options(what: What, generation: Generation, execution: Execution) -> str:
    """Format the options that a resumed run needs again, except its budget."""
    sandbox = None if execution.sandbox == Execution.sandbox else execution.sandbox
    values = {"--config": what.config, "--replay": generation.replay, "--sandbox": sandbox}
    words = [word for name, value in values.items() if value is not None for word in (name, str(value))]
    words += [word for price in execution.price for word in ("--price", price)]
    words += ["--no-reference-check"] * execution.no_reference_check
    words += ["--allow-unpriced"] * execution.allow_unpriced + ["--batch"] * execution.batch
    return "".join(f" {shlex.quote(word)}" for word in words)


def _show_end(
    finished: "steelyard.EndedRun", options: ReportOptions, destinations: Outputs, *, resume_options: str
) -> Report | None:
    """Summarize a run; show its report if it is complete."""
    report = finished.report(options=options) if finished.result.is_complete else None
    if report is not None:
        show_result(report, destinations, finished.samples)
    note(run_summary(finished.result, address_here(finished.result.address), again=resume_options))
    return report
