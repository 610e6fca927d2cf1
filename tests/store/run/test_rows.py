"""Samples and outcomes as rows of the tables."""

from fractions import Fraction

from steelyard.metrics.scoring import BuildTestLint, Composite
from steelyard.model.judgement import Judgement, Reading, judgement_of
from steelyard.model.outcome import Classification, Facts, NoTests, Outcome
from steelyard.model.run import case_key
from steelyard.model.sample import Sample, text_digest
from steelyard.store.run.columns import EVIDENCE_COLUMNS, OUTCOME_COLUMNS, SAMPLE_COLUMNS, arrow_schema
from steelyard.store.run.rows import outcome_rows, sample_rows

SAMPLE = Sample(
    model="acme/one",
    suite="basics",
    case="case-0",
    digest="d1",
    attempt=2,
    text="fn main() {}",
    cost_nano_usd=1_500,
    latency_us=2_000,
    tokens_out=20,
    request_id="r-1",
    egress='[{"host":"api.example"}]',
)


def row_of_outcome(**facts: object) -> dict[str, object]:
    """Return the one row of an outcome with such facts."""
    outcome = Outcome(facts=Facts(**facts), check_us=7, detail="ok")  # type: ignore[arg-type]
    table = outcome_rows([(SAMPLE, outcome)], BuildTestLint())
    return {name: table[name].to_pylist()[0] for name in table.column_names}


def test_a_sample_is_a_row_with_the_number_of_its_case() -> None:
    table = sample_rows([SAMPLE])
    row = {name: table[name].to_pylist()[0] for name in table.column_names}

    assert table.schema == arrow_schema(SAMPLE_COLUMNS)
    assert row["case_key"] == case_key("acme/one", "T0", "basics", "case-0", "d1")
    assert (row["case_id"], row["case_digest"], row["attempt"]) == ("case-0", "d1", 2)
    assert (row["cost_nano_usd"], row["tokens_in"], row["request_id"]) == (1_500, None, "r-1")
    assert row["egress"] == '[{"host":"api.example"}]'
    assert (row["text"], row["answer_digest"]) == ("fn main() {}", text_digest("fn main() {}"))


def test_an_outcome_is_scored_by_the_rule_and_keeps_its_facts() -> None:
    row = row_of_outcome(built=True, tests_passed=3, tests_failed=1, lint_warnings=2)

    assert (row["classification"], row["passed"]) == ("fail", False)
    assert (row["score_micro"], row["tests_micro"]) == (400_000 + 375_000 + 80_000, 750_000)
    assert (row["tests_passed"], row["tests_failed"], row["lint_warnings"]) == (3, 1, 2)
    assert (row["check_us"], row["detail"], row["is_shared"]) == (7, "ok", False)


def test_an_outcome_carries_the_bill_of_its_sample() -> None:
    row = row_of_outcome(built=True, tests_passed=1, tests_failed=0)

    assert (row["cost_nano_usd"], row["latency_us"], row["tokens_out"]) == (1_500, 2_000, 20)
    assert row["answer_digest"] == text_digest("fn main() {}")


def test_our_own_error_is_no_evidence_even_if_the_answer_built_before() -> None:
    row = row_of_outcome(classification=Classification.ERROR, built=True, impl_rate=Fraction(1, 2))

    assert row["passed"] is None
    assert {row[name] for name in EVIDENCE_COLUMNS} == {None}


def test_a_judged_rate_is_kept_in_millionths() -> None:
    row = row_of_outcome(built=True, tests_passed=1, tests_failed=0, impl_rate=Fraction(2, 3))

    assert row["impl_micro"] == 666_667


def test_a_judgement_is_kept_as_json_and_comes_back_the_same() -> None:
    judgement = Judgement(
        rubric="quality",
        rubric_digest="d",
        score=Fraction(2, 3),
        readings=(Reading(judge="a/one", number=0, ratings=(Fraction(2, 3), None)),),
    )
    outcome = Outcome(facts=Facts(passed=True, impl_rate=judgement.score), judgement=judgement)

    kept = outcome_rows([(SAMPLE, outcome)], Composite())["judgement"].to_pylist()[0]

    assert judgement_of(kept) == judgement
    assert row_of_outcome(built=True)["judgement"] is None


def test_why_no_test_ran_is_kept() -> None:
    row = row_of_outcome(built=True, tests_passed=0, tests_failed=0, no_tests=NoTests.NONE_COLLECTED)

    assert (row["no_tests"], row["untested"]) == ("none_collected", True)


def test_no_rows_are_a_table_too() -> None:
    assert outcome_rows([], BuildTestLint()).schema == arrow_schema(OUTCOME_COLUMNS)
    assert sample_rows([]).num_rows == 0
