-- Which scores did the samples of each model and tier get, one by one?
SELECT
    model,
    tier,
    list(score_micro ORDER BY score_micro) AS scores
FROM known_outcomes
WHERE score_micro IS NOT NULL
GROUP BY model, tier
HAVING count(*) <= $most
