-- Which samples are worth showing, and how do they begin?
-- Of every case one comes first, then a second of every case, and so on, until there are characters enough;
-- of one case the failed ones come first.
WITH found AS (
    SELECT
        outcomes.model, outcomes.tier, outcomes.suite, outcomes.case_id, outcomes.attempt,
        outcomes.classification, outcomes.passed, outcomes.score_micro,
        outcomes.tests_passed, outcomes.tests_failed, outcomes.lint_warnings, outcomes.diagnostic_errors,
        outcomes.cost_nano_usd, outcomes.latency_us,
        left(answers.text, $longest) AS text,
        coalesce(length(answers.text), 0) AS text_length,
        left(outcomes.detail, $longest) AS detail,
        length(outcomes.detail) AS detail_length,
        outcomes.integrity, outcomes.sealed_assertions, outcomes.open_assertions,
        row_number() OVER (
            PARTITION BY outcomes.case_key ORDER BY coalesce(outcomes.passed, false), outcomes.attempt
        ) AS turn
    FROM outcomes
    LEFT JOIN rows AS answers
        ON outcomes.case_key = answers.case_key AND outcomes.attempt = answers.attempt
    QUALIFY turn <= $turns
)
SELECT * EXCLUDE (turn)
FROM found
QUALIFY
    sum($cost_of_a_row + coalesce(length(text), 0) + length(detail)) OVER (
        ORDER BY turn, suite, case_id, model, tier ROWS UNBOUNDED PRECEDING
    ) <= $characters
ORDER BY turn, suite, case_id, model, tier
