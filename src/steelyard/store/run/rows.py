"""Turn samples and outcomes into rows of a run's tables.

The scoring rule is applied here, once, so that a report only has to add up; the facts are kept beside it.
"""

from collections.abc import Callable, Mapping, Sequence

from arro3.core import Array, Table

from steelyard.metrics.appraisal import ScoringRule, appraise
from steelyard.model.facts import Outcome
from steelyard.model.run import case_key
from steelyard.model.sample import Sample
from steelyard.model.units import MICRO_POINTS
from steelyard.store.run.columns import (
    OUTCOME_COLUMNS,
    SAMPLE_COLUMNS,
    Column,
    arrow_schema,
    arrow_type,
)

Checked = tuple[Sample, Outcome]

_RENAMED = {"case_id": "case", "case_digest": "digest"}


def sample_rows(samples: Sequence[Sample]) -> Table:
    """Return the rows of drawn samples."""
    return _table(SAMPLE_COLUMNS, [_sample_row(sample) for sample in samples])


def outcome_rows(checked: Sequence[Checked], rule: ScoringRule) -> Table:
    """Return the rows of checked samples, scored by the run's rule."""
    return _table(OUTCOME_COLUMNS, [_outcome_row(sample, outcome, rule) for sample, outcome in checked])


def _table(columns: tuple[Column, ...], rows: Sequence[Callable[[str], object]]) -> Table:
    arrays = [Array([row(column.name) for row in rows], type=arrow_type(column)) for column in columns]
    return Table.from_arrays(arrays, schema=arrow_schema(columns))


def _sample_row(sample: Sample) -> Callable[[str], object]:
    key = case_key(sample.model, sample.tier, sample.suite, sample.case, sample.digest)

    def value(column: str) -> object:
        return key if column == "case_key" else getattr(sample, _RENAMED.get(column, column))

    return value


def _outcome_row(sample: Sample, outcome: Outcome, rule: ScoringRule) -> Callable[[str], object]:
    of_sample = _sample_row(sample)
    appraised = _appraised(outcome, rule)

    def value(column: str) -> object:
        if column in appraised:
            return appraised[column]
        for holder in (outcome, outcome.facts):
            if hasattr(holder, column):
                return getattr(holder, column)
        return of_sample(column)

    return value


def _appraised(outcome: Outcome, rule: ScoringRule) -> Mapping[str, object]:
    appraisal = appraise(outcome.facts, rule)
    rate = outcome.facts.impl_rate
    is_evidence = appraisal.passed is not None
    return {
        "classification": appraisal.kind,
        "passed": appraisal.passed,
        "score_micro": appraisal.score_micro,
        "tests_micro": appraisal.tests_micro,
        "untested": appraisal.untested,
        "unlinted": appraisal.unlinted,
        # A check that we broke says nothing, not even that the answer built before; see EVIDENCE_COLUMNS.
        "built": outcome.facts.built if is_evidence else None,
        "impl_micro": None if rate is None or not is_evidence else round(rate * MICRO_POINTS),
    }
