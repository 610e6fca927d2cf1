-- How often did each score come up in each case?
SELECT
    model,
    tier,
    suite,
    case_id,
    CAST(score_micro AS BIGINT) AS score,
    count(*) AS times
FROM known_outcomes
WHERE score_micro IS NOT NULL
GROUP BY model, tier, suite, case_id, score
ORDER BY model, tier, suite, case_id, score
