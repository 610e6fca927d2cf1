"""Carry out what the user ordered: a new run, or one that goes on."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import steelyard
from steelyard.cli import arguments, output
from steelyard.cli.evalset import refuse_unchecked
from steelyard.cli.progress.watch import watching
from steelyard.cli.run_ending import code_of, last_words
from steelyard.errors import UserError
from steelyard.model.config import Config
from steelyard.model.evalset import EvalSet, JudgePlan
from steelyard.model.options import ReportOptions
from steelyard.model.price import Price
from steelyard.model.request import Parameters
from steelyard.ports import ReportRenderer
from steelyard.providers.limiter import MOST
from steelyard.providers.prices.price_list import PriceList
from steelyard.providers.replay import ReplayProvider
from steelyard.runner.draw.retries import Retries
from steelyard.runner.plan import RunPlan, Wishes, grown, planned
from steelyard.runner.resources import RunSettings, Workshop
from steelyard.runner.session import Ended, begin_run, carry_out, grow_run
from steelyard.sources.answers.read import Answers, read_answers
from steelyard.sources.config.read import read_config
from steelyard.sources.rubric.read import read_rubric
from steelyard.store.run.regrade.apply import settle_begun
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.stored_set import read_stored_set

__all__ = ["MOST", "Order", "RunSettings", "carried_out", "read_answers", "read_config", "wishes_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to run, where to keep it, and what the user says once for all runs."""

    eval_set: str | None = None
    resume: str | None = None
    address: str | None = None
    config: Config = field(default_factory=Config)
    recorded: Answers | None = None
    judges: tuple[str, ...] = ()
    options: ReportOptions = field(default_factory=ReportOptions)
    places: output.Places[ReportRenderer]
    quiet: bool = False

    def judged(self, eval_set: EvalSet) -> EvalSet:
        """Return the set with the judges that the user names: by its own rubric, or by the default one."""
        if not self.judges:
            return eval_set
        plan = eval_set.judge or JudgePlan(models=(), rubric=read_rubric())
        return replace(eval_set, judge=replace(plan, models=tuple(dict.fromkeys(self.judges))))

    def prices(self, told: Sequence[Price]) -> PriceList:
        """Return all prices: those of the command line go first."""
        return PriceList((*told, *self.config.prices), providers=self.config.providers)

    def retries(self, told: int | None) -> Retries:
        """Return how often a call is repeated."""
        return Retries(most=self.config.limits.retries if told is None else told)

    def wishes(self, told: Wishes) -> Wishes:
        """Return the user's wishes, with whom to ask if neither they nor the set says so."""
        if self.recorded is None:
            return replace(told, default_models=self.config.models)
        return replace(
            told, default_models=self.recorded.models(), default_samples=self.recorded.fewest_attempts()
        )

    def settings(self, told: RunSettings) -> RunSettings:
        """Return how the run is carried out: the command line goes before the configuration."""
        limits, recorded = self.config.limits, self.recorded
        return replace(
            told,
            providers=self.config.providers,
            instead=None if recorded is None else ReplayProvider(recorded.find, where=str(recorded.path)),
            max_nano_usd=limits.max_nano_usd if told.max_nano_usd is None else told.max_nano_usd,
        )


def wishes_of(
    models: str | None, tiers: str | None, samples: int | None, pass_k: str, parameters: Parameters
) -> Wishes:
    """Read what the user asks for."""
    return Wishes(
        models=arguments.words(models),
        tiers=arguments.words(tiers),
        samples=samples,
        pass_k=arguments.ks([pass_k], option="--pass-k"),
        parameters=parameters,
    )


def carried_out(order: Order, wishes: Wishes, settings: RunSettings) -> int:
    """See a run through, report on it if it is complete, and return the exit code."""
    store, ended = _run(order, order.wishes(wishes), order.settings(settings))
    if ended.is_complete:
        report = steelyard.report_run(store.place.address, options=order.options)
        output.show_report(report, order.places)
    output.note(last_words(ended, store))
    return code_of(ended)


def _run(order: Order, wishes: Wishes, settings: RunSettings) -> tuple[RunStore, Ended]:
    """Run; whatever is missing is said before anything is asked or written."""
    if order.resume:
        store, plan = _resumed(order, order.resume, wishes)
    else:
        store, plan = None, planned(order.judged(_eval_set(order.eval_set)), wishes)
    for warning in plan.warnings(wishes.pass_k):
        output.note(f"warning: {warning}")
    workshop = Workshop(plan.eval_set, plan.subjects, settings)
    if store is None:
        store = begin_run(plan, order.address, root=order.config.runs)
    else:
        grow_run(store.hold(), plan)
    with watching(quiet=order.quiet, stops_early=plan.stop_rule is not None) as watch:
        return store, carry_out(store, plan.eval_set, workshop, watch=watch)


def _resumed(order: Order, address: str, wishes: Wishes) -> tuple[RunStore, RunPlan]:
    """Open a run that goes on, and plan what is wished for on top of what it has."""
    store = settle_begun(open_run(address))
    known = read_stored_set(store.place) if order.eval_set is None else _eval_set(order.eval_set)
    asked = order.judged(known)
    _refuse_other_judges(store, asked)
    return store, grown(store.manifest, asked, wishes)


def _refuse_other_judges(store: RunStore, asked: EvalSet) -> None:
    """Refuse judges, or a rubric, that the run did not begin with: its scores would mean two things."""
    known, wanted = store.manifest.judges, None if asked.judge is None else asked.judge.record
    if known != wanted:
        by = "nobody" if known is None else f"{', '.join(known.models)} by the rubric {known.rubric!r}"
        raise UserError(
            f"{store.place.address}: the answers of this run are judged by {by}, and the set or --judges "
            f"now says otherwise; have all of them judged anew with `steelyard regrade`, or begin a new run"
        )


def _eval_set(place: str | None) -> EvalSet:
    if place is None:
        raise UserError("say what to ask with --eval-set PATH, or which run to go on with: --resume RUN")
    eval_set = steelyard.read_eval_set(place)
    refuse_unchecked(eval_set)
    return eval_set
