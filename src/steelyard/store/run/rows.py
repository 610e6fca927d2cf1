"""Turn samples and outcomes into rows of a run's tables.

The scoring rule is applied here, once, so that a report only has to add up; the facts are kept beside it.
"""

from collections.abc import Sequence
from operator import attrgetter

from arro3.core import Array, Table

from steelyard.metrics.appraisal import Appraisal, Appraiser, ScoringRule
from steelyard.model.judgement import judgement_json
from steelyard.model.outcome import Facts, Outcome
from steelyard.model.run import case_key
from steelyard.model.sample import Sample
from steelyard.model.units import MICRO_POINTS
from steelyard.store.run.columns import (
    OUTCOME_COLUMNS,
    SAMPLE_COLUMNS,
    StoredColumn,
    arrow_schema,
    arrow_type,
)

Checked = tuple[Sample, Outcome]
NOTHING = Facts()

Columns = dict[str, list[object]]

_RENAMED = {
    "case_id": "case",
    "case_digest": "digest",
    "classification": "kind",
    "is_shared": "is_repeat",  # the column is older than the other meaning of "shared"
}
_case_name = attrgetter("model", "tier", "suite", "case", "digest")


def sample_rows(samples: Sequence[Sample]) -> Table:
    """Return the rows of generated samples."""
    return _table(SAMPLE_COLUMNS, {**_held(SAMPLE_COLUMNS, Sample, samples), **_case_keys(samples)})


def outcome_rows(
    checked: Sequence[Checked], rule: ScoringRule, scores: Sequence[int | None] | None = None
) -> Table:
    """Return the rows of checked samples, scored by the run's rule, or with scores given in millionths."""
    samples, outcomes = [sample for sample, _ in checked], [outcome for _, outcome in checked]
    facts, appraiser = [outcome.facts for outcome in outcomes], Appraiser(rule)
    appraisals = [appraiser.of(each) for each in facts]
    # The last value wins.
    columns: Columns = {
        **_held(OUTCOME_COLUMNS, Sample, samples),
        **_held(OUTCOME_COLUMNS, Facts, facts),
        **_held(OUTCOME_COLUMNS, Outcome, outcomes),
        **_held(OUTCOME_COLUMNS, Appraisal, appraisals),
        **_case_keys(samples),
        **_evidence(facts, appraisals),
        "judgement": [each.judgement and judgement_json(each.judgement) for each in outcomes],
    }
    if scores is not None:
        columns["score_micro"] = list(scores)
    return _table(OUTCOME_COLUMNS, columns)


def _table(columns: tuple[StoredColumn, ...], values: Columns) -> Table:
    arrays = [Array(values[column.name], type=arrow_type(column)) for column in columns]
    return Table.from_arrays(arrays, schema=arrow_schema(columns))


def _held(columns: tuple[StoredColumn, ...], kind: type, records: Sequence[object]) -> Columns:
    """Return the columns that records of a kind hold under the same name, or under another one."""
    names = {column.name: _RENAMED.get(column.name, column.name) for column in columns}
    return {
        column: list(map(attrgetter(name), records)) for column, name in names.items() if hasattr(kind, name)
    }


def _case_keys(samples: Sequence[Sample]) -> Columns:
    names = [_case_name(sample) for sample in samples]
    keys = {name: case_key(*name) for name in set(names)}
    return {"case_key": [keys[name] for name in names]}


def _evidence(facts: Sequence[Facts], appraisals: Sequence[Appraisal]) -> Columns:
    """Return what only evidence has; see EVIDENCE_COLUMNS.

    After an infrastructure error all results are null, even that of an earlier build.
    """
    seen = [
        NOTHING if appraisal.passed is None else each
        for each, appraisal in zip(facts, appraisals, strict=True)
    ]
    rates = [each.impl_rate for each in seen]
    return {
        "built": [each.built for each in seen],
        "impl_micro": [None if rate is None else round(rate * MICRO_POINTS) for rate in rates],
    }
