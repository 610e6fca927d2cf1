-- How many samples of each case repeat the answer and the result of another, and how many of those passed?
-- Independent samples may agree on a short answer such as "yes", and differ in their tokens of reasoning.
SELECT
    model,
    tier,
    suite,
    case_id,
    CAST(sum(times - 1) AS BIGINT) AS repeats,
    CAST(coalesce(sum(times - 1) FILTER (passed), 0) AS BIGINT) AS repeats_passed
FROM (
    SELECT model, tier, suite, case_id, passed, count(*) AS times
    FROM (SELECT *, CASE WHEN answer_digest <> '' THEN TOKENS END AS tokens FROM known_outcomes)
    WHERE answer_digest IS NOT NULL AND passed IS NOT NULL AND coalesce(tokens > SHORT, true)
    GROUP BY model, tier, suite, case_id, passed, answer_digest, tokens
    HAVING count(*) > 1
)
GROUP BY model, tier, suite, case_id
