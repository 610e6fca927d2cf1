"""Audit an eval set: whether the verdicts of its tests can be trusted."""

import warnings
from collections.abc import Callable
from pathlib import Path

from steelyard.app.validate import EvalSetSource, load_eval_set, require_gradable
from steelyard.auditing.audit import AuditPlan, Progress, audit_set
from steelyard.auditing.checks import AnswerChecks
from steelyard.auditing.rules import RULES
from steelyard.checks.environments import install_environments
from steelyard.errors import InputError, UserError
from steelyard.model.audit import Audit, Waiver
from steelyard.model.nearest_name import did_you_mean
from steelyard.runner.check import sandboxes
from steelyard.runner.check.references import THREADS
from steelyard.runner.tasks.solutions import with_solutions
from steelyard.sources.waivers import read_waivers, waivers_path

RUNS, MUTANTS = AuditPlan().runs, AuditPlan().mutants


def audit(  # noqa: PLR0913  # one parameter for each option of the command
    eval_set: EvalSetSource,
    *,
    runs: int = RUNS,
    mutants: int = MUTANTS,
    waivers: str | Path | None = None,
    sandbox: str = sandboxes.DEFAULT,
    threads: int = THREADS,
    progress: Progress | None = None,
    notify: Callable[[str], None] = warnings.warn,
) -> Audit:
    """Audit an eval set: soundness, integrity, strength and fairness of its tests.

    Args:
        eval_set: A set, a TOML file, a folder of them, or the name of a shipped set.
        runs: Runs of each reference under the same conditions; one fewer under others.
        mutants: At most so many mutants of each Python reference.
        waivers: A file of accepted findings. Default: the one beside the set, if it exists.
        sandbox: The sandbox of answers: `bubblewrap`, `oci` or `gvisor`.
        threads: Concurrently audited cases.
        progress: Called with the number of audited cases and of all cases.
        notify: Called with a message before packages are installed.

    Raises:
        InputError: The set or the file of waivers is invalid.
    """
    if runs < 1 or mutants < 0 or threads < 1:
        raise UserError("`runs` and `threads` must be at least 1, and `mutants` at least 0")
    loaded = load_eval_set(eval_set)
    require_gradable(loaded)
    accepted = _read_waivers(eval_set, waivers)
    install_environments(loaded.cases, notify)
    return audit_set(
        with_solutions(loaded, notify),
        AnswerChecks(sandboxes.make_sandbox(sandbox)),
        AuditPlan(runs=runs, mutants=mutants),
        threads=threads,
        waivers=accepted,
        progress=progress,
    )


def _read_waivers(eval_set: EvalSetSource, path: str | Path | None) -> tuple[Waiver, ...]:
    """Read the given file of waivers, or the one beside the set."""
    if path is None:
        is_place = isinstance(eval_set, str | Path) and Path(eval_set).exists()
        beside = waivers_path(Path(str(eval_set))) if is_place else None
        if beside is None or not beside.is_file():
            return ()
        path = beside
    waivers = read_waivers(Path(path))
    names = [rule.name for rule in RULES]
    for waiver in waivers:
        if waiver.rule not in names:
            raise InputError(f"{path}: unknown rule {waiver.rule!r}; {did_you_mean(waiver.rule, names)}")
    return waivers
