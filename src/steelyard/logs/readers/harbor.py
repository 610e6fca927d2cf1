"""Read job folders of Harbor: one folder per trial, beside the result of the job.

A trial that ended with an exception is an infrastructure error (Harbor: reward 0), unless the agent only
timed out and was graded. Trials of a task in several jobs are repeats.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, Trials, excerpt, is_pass
from steelyard.logs.files import document, head, top
from steelyard.logs.record import Record, clean
from steelyard.model.log import Log, LogOptions, LogRow
from steelyard.model.outcome import Classification

RESULT = "result.json"
GRADED_ANYWAY = "AgentTimeoutError"
MOST_TRIALS = 1_000_000


class HarborReader:
    """Reads job folders of Harbor."""

    def recognise(self, path: Path) -> bool:
        """Whether a folder has the result of a job."""
        return path.is_dir() and {"n_total_trials", "stats"} <= top(path / RESULT).keys()

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read jobs."""
        collector, numbers = Collector(), Trials()
        for path in paths:
            numbers.begin(path)
            job = Record(document(path / RESULT), str(path / RESULT))
            trials = sorted(_trials(path, collector), key=lambda trial: trial.text("started_at") or "")
            for trial in trials:
                collector.rows.extend(_rows(trial, collector, numbers, options))
            missing = (job.count("n_total_trials") or 0) - len(trials)
            collector.leave_out("trials", "no result in the job folder", missing)
            collector.leave_out("answers", "Harbor records the agent's actions, not an answer", len(trials))
        numbers.note_repeats(collector, "names of jobs")
        return collector.log("Harbor")


def _trials(folder: Path, collector: Collector) -> Iterator[Record]:
    """Yield the results of trials; symbolic links are ignored."""
    for number, inner in enumerate(sorted(folder.iterdir())):
        if number > MOST_TRIALS:
            raise InputError(f"{folder}: too many entries for a job (more than {MOST_TRIALS})")
        file = inner / RESULT
        if inner.is_dir() and not inner.is_symlink() and file.is_file() and not file.is_symlink():
            trial = Record(document(file), str(file))
            if "trial_name" in trial:
                yield trial
            else:
                collector.leave_out("folders", "the result is not of a trial")


def _rows(trial: Record, collector: Collector, numbers: Trials, options: LogOptions) -> Iterator[LogRow]:
    exception = trial.record("exception_info")
    kind = exception.text("exception_type")
    rewards = trial.record("verifier_result").record("rewards")
    reward = _reward(rewards, options)
    error = None
    if reward is None or (kind is not None and kind != GRADED_ANYWAY):
        text = f"{kind}: {exception.text('exception_message') or ''}".strip()
        error = collector.no_verdict("trials", "neither a reward nor an exception") if kind is None else text
    elif not 0 <= reward <= 1:
        error = collector.no_verdict("trials", "the reward is not between 0 and 1")
    agent, usage = trial.record("agent_info"), trial.record("agent_result")
    model, tier = _subject(agent, options)
    case = trial.name("task_name")
    passed = None if error is not None or reward is None else is_pass(reward, options)
    yield LogRow(
        model=model,
        tier=tier,
        suite=trial.text("source") or options.suite or "harbor",
        case=case,
        attempt=numbers.number(trial, model, tier, trial.text("source"), case),
        passed=passed,
        classification=Classification.TIMEOUT if kind and passed is False else None,
        score=None if error is not None else reward,
        error=error,
        cost_usd=usage.amount("cost_usd"),
        latency_s=_duration(trial.record("agent_execution")),
        tokens_in=usage.count("n_input_tokens"),
        tokens_out=usage.count("n_output_tokens"),
        tokens_cached=usage.count("n_cache_tokens"),
        output=excerpt([error, _verifier_output(trial)]),
    )


def _subject(agent: Record, options: LogOptions) -> tuple[str, str]:
    """Return the model and, as tier, the agent; an agent without a model is the model."""
    info = agent.record("model_info")
    name, provider = info.text("name"), info.text("provider")
    if not name:
        return agent.name("name"), options.tier
    return f"{provider}/{name}" if provider else name, agent.name("name")


def _reward(rewards: Record, options: LogOptions) -> float | None:
    """Return the chosen reward, the one named `reward`, or the only one."""
    names = list(rewards)
    chosen = options.scorer or ("reward" if "reward" in names else names[0] if len(names) == 1 else None)
    if not names:
        return None
    if chosen not in names:
        raise InputError(
            f"{rewards.where}: several rewards; choose one with --scorer: {', '.join(names)[:200]}"
        )
    return rewards.number(chosen)


def _duration(part: Record) -> float | None:
    begin, end = part.text("started_at"), part.text("finished_at")
    if begin is None or end is None:
        return None
    try:
        seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds()
    except (ValueError, TypeError):
        return None
    return max(seconds, 0.0)


def _verifier_output(trial: Record) -> str | None:
    folder = Path(trial.where).parent / "verifier"
    file = folder / "test-stdout.txt"
    if folder.is_symlink() or file.is_symlink():
        return None
    return clean(head(file).decode("utf-8", "replace"))
