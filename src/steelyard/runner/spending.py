"""Read a run's progress and spend from its tables, outside a session."""

from steelyard.model.evalset import EvalSet
from steelyard.model.progress import JudgeSpend, RunProgress, RunResult
from steelyard.runner.judge.replies import JudgeReplies
from steelyard.runner.resources import RunResources
from steelyard.runner.work import tally_of
from steelyard.store.run.replies import ReplyFiles
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.unbillable_spend import read_unbillable_spend


class Spending:
    """The stored progress and spend of a run."""

    def __init__(self, store: RunStore, eval_set: EvalSet, resources: RunResources) -> None:
        self._store, self._cap = store, resources.settings.max_nano_usd
        self._has_judges = eval_set.judge is not None
        self._judges: JudgeSpend = JudgeReplies(ReplyFiles(store.location)).spend

    def left(self) -> int | None:
        """Return the remaining budget; None: no cap."""
        return None if self._cap is None else self._cap - self.snapshot().spent_nano_usd

    def snapshot(self, waiting: int = 0) -> RunProgress:
        """Return the progress; `waiting` answers are in open batches."""
        tally, unanswered = tally_of(self._store), read_unbillable_spend(self._store.location)
        return RunProgress(
            subjects=tally.snapshot(),
            spent_nano_usd=tally.cost_nano_usd + self._judges.cost_nano_usd + unanswered,
            max_nano_usd=self._cap,
            judges=self._judges if self._has_judges else None,
            under_way=waiting,
        )

    def stopped(self) -> RunResult:
        """Return the result of a run stopped outside a session."""
        return RunResult(
            address=self._store.location.address, progress=self.snapshot(), stopped={}, was_stopped=True
        )
