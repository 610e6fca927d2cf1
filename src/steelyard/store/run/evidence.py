"""Make evidence of a run: its case states and how values spread, by the run's own rule or by another.

The scores that the run was kept with only have to be added up; another rule appraises the facts again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from steelyard.metrics.rules import rule_for
from steelyard.model.options import Errors, RuleChoice, StatisticsLimit
from steelyard.model.run import Manifest, RunCase
from steelyard.model.state import CaseState, Evidence, ExpectedCase
from steelyard.store.database import sql_text
from steelyard.store.outcomes import Counting, evidence_of
from steelyard.store.run.files import reading
from steelyard.store.run.progress import planned_cases
from steelyard.store.run.run_store import RunStore, no_outcomes
from steelyard.store.run.states import Counter, case_states, count_here, shares
from steelyard.store.spreads import are_wanted, repeats, runs, score_counts, spreads

# The columns of a run by the names of outcome files.
_ALIASES = {
    "digest": "case_digest",
    "kind": "classification",
    "cost_nano": "cost_nano_usd",
    "attempt_number": "CAST(attempt AS BIGINT)",
}
_FACTS = (
    *("model", "tier", "suite", "case_id", "attempt", "passed", "built", "tests_passed", "tests_failed"),
    *("lint_warnings", "impl_micro", "latency_us", "tokens_in", "tokens_out", "integrity"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCounting:
    """How to count a run: the rule, the number of parts and the counting function.

    `by_pass` adds up the passes and the failures apart, which only a stop rule needs; where the run has one,
    it is done in any case.
    """

    rule: RuleChoice | None = None  # None: the scores that the run was kept with
    errors: Errors = Errors.EXCLUDE
    spread: StatisticsLimit = StatisticsLimit.AUTO
    count_scores: bool = False  # whether to count how often each score came up in each case
    by_pass: bool = True
    parts: int = 1
    counter: Counter = count_here
    threads: int | None = None


def run_evidence(store: RunStore, counting: RunCounting) -> Evidence:
    """Return the evidence of a run's outcomes on each case."""
    if not store.outcomes.files():
        raise no_outcomes(store)
    by_pass = counting.by_pass or store.manifest.stop_rule is not None
    dealt = shares(store.outcomes, parts=counting.parts, threads=counting.threads, by_pass=by_pass)
    # Counted even if another rule counts again: this refuses repeated and unplanned rows.
    states = case_states(store, counting.counter, dealt)
    if counting.rule is not None:
        return _appraised_again(store, counting, counting.rule)
    counted, honeypots = _sorted_out(states, store.manifest.honeypots())
    bare = Evidence(
        states=counted,
        honeypots=honeypots,
        scoring=store.manifest.scoring,
        spreads=None,
        names_refusals=store.manifest.names_refusals,
        clusters=store.manifest.clusters(),
    )
    return _with_single_values(bare, store, counting)


def _sorted_out(
    states: Iterable[CaseState], honeypots: frozenset[ExpectedCase]
) -> tuple[tuple[CaseState, ...], tuple[CaseState, ...]]:
    """Return the states of the cases that count, and those of honeypots."""
    if not honeypots:
        return tuple(states), ()
    counted: list[CaseState] = []
    apart: list[CaseState] = []
    for state in states:
        (apart if ExpectedCase(state.suite, state.case) in honeypots else counted).append(state)
    return tuple(counted), tuple(apart)


def _with_single_values(evidence: Evidence, store: RunStore, counting: RunCounting) -> Evidence:
    """Add per-sample statistics: spreads and runs up to a limit, scores on request."""
    is_small = are_wanted(counting.spread, sum(state.n + state.n_error for state in evidence.states))
    if not is_small and not counting.count_scores:
        return evidence
    measured = {name for name, count in store.outcomes.counts().items() if count.nulls < _rows(store)}
    columns = frozenset({"cost_nano" if name == "cost_nano_usd" else name for name in measured})
    answer = _answer(store)
    columns |= {"answer_digest"} if answer else frozenset()
    with reading(store.outcomes, threads=counting.threads) as connection:
        score = (
            "CASE WHEN passed IS NULL THEN 0 ELSE score_micro END"
            if counting.errors is Errors.FAIL
            else "score_micro"
        )
        connection.execute(
            f"CREATE TEMP VIEW known_outcomes AS SELECT model, tier, suite, case_id, attempt, passed, "
            f"{score} AS score_micro, impl_micro, cost_nano_usd AS cost_nano, "
            f"CASE WHEN passed IS NOT NULL THEN latency_us END AS latency_us, tokens_out"
            f"{f', {answer} AS answer_digest' if answer else ''} "
            f"FROM rows{_only(store, _counted_cases(store.manifest))}"
        )
        return replace(
            evidence,
            spreads=spreads(connection, columns) if is_small else None,
            runs=runs(connection, columns) if is_small and _knows_attempts(store.manifest) else {},
            scores=score_counts(connection, columns) if counting.count_scores else {},
            repeats=repeats(connection, columns) if is_small else {},
        )


def _knows_attempts(manifest: Manifest) -> bool:
    """Whether equal attempts belong together; some logs contain only counts."""
    return manifest.attempts_known and (manifest.imported is None or manifest.imported.attempts_known)


def _answer(store: RunStore) -> str:
    """Return SQL for the identity of repeated answers: the digest, constant at temperature 0."""
    if "answer_digest" not in store.outcomes.present():
        return ""
    cold = [
        subject for subject in store.manifest.subjects if float(subject.parameters.get("temperature", 1)) == 0
    ]
    names = ", ".join(f"({sql_text(subject.model)}, {sql_text(subject.tier)})" for subject in cold)
    return (
        f"CASE WHEN (model, tier) NOT IN ({names}) THEN answer_digest ELSE '' END"
        if cold
        else "answer_digest"
    )


def _rows(store: RunStore) -> int:
    return sum(file.rows for file in store.outcomes.files())


def _counted_cases(manifest: Manifest) -> tuple[RunCase, ...]:
    return tuple(case for case in manifest.current_cases() if not case.honeypot)


def _only(store: RunStore, cases: tuple[RunCase, ...]) -> str:
    """Return SQL that keeps current forms of cases only."""
    if len(cases) == len(store.manifest.cases):
        return ""
    keys = ", ".join(map(str, planned_cases(store.manifest, cases))) or "NULL"
    return f" WHERE case_key IN ({keys})"


def _appraised_again(store: RunStore, counting: RunCounting, rule: RuleChoice) -> Evidence:
    names = {name: name for name in _FACTS} | _ALIASES
    if rule.name is None or rule.name == "given":
        names["score_micro"] = "score_micro"
    if answer := _answer(store):
        names["answer_digest"] = answer
    listed = ", ".join(f"{sql} AS {name}" for name, sql in names.items())
    with reading(store.outcomes, threads=counting.threads) as connection:
        evidence = evidence_of(
            connection,
            f"SELECT {listed} FROM rows{_only(store, store.manifest.current_cases())}",
            frozenset(names),
            Counting(
                rule_for=partial(rule_for, choice=rule),
                errors=counting.errors,
                spread=counting.spread,
                count_scores=counting.count_scores,
                expected=store.manifest.expected(),
            ),
            where=store.outcomes.location.address,
        )
    # Tables contain only planned cases, so an unexpected one is a honeypot.
    is_named = store.manifest.names_refusals
    again = replace(evidence, honeypots=evidence.unknown, unknown=(), names_refusals=is_named)
    return again if _knows_attempts(store.manifest) else replace(again, runs={})
