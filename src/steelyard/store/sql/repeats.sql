-- How many samples of each case repeat the answer and the result of another, and how many of those passed?
SELECT
    model,
    tier,
    suite,
    case_id,
    CAST(sum(times - 1) AS BIGINT) AS repeats,
    CAST(coalesce(sum(times - 1) FILTER (passed), 0) AS BIGINT) AS repeats_passed
FROM (
    SELECT model, tier, suite, case_id, passed, count(*) AS times
    FROM known_outcomes
    WHERE answer_digest IS NOT NULL AND passed IS NOT NULL
    GROUP BY model, tier, suite, case_id, passed, answer_digest
    HAVING count(*) > 1
)
GROUP BY model, tier, suite, case_id
