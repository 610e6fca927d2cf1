-- What did each run of a subject come to: the samples of the same attempt over all of its cases?
SELECT
    model,
    tier,
    CAST(attempt AS VARCHAR) AS run,
    count(passed) AS n,
    coalesce(CAST(count_if(passed) AS BIGINT), 0) AS c,
    count(*) - count(passed) AS n_error,
    count(score_micro) AS score_n, -- needs score_micro
    coalesce(CAST(sum(score_micro) AS BIGINT), 0) AS score_sum, -- needs score_micro
    count(impl_micro) AS impl_n, -- needs impl_micro
    coalesce(CAST(sum(impl_micro) AS BIGINT), 0) AS impl_sum, -- needs impl_micro
    count(cost_nano) AS cost_n, -- needs cost_nano
    coalesce(CAST(sum(cost_nano) AS BIGINT), 0) AS cost_sum, -- needs cost_nano
    count(latency_us) AS latency_n, -- needs latency_us
    coalesce(CAST(sum(latency_us) AS BIGINT), 0) AS latency_sum, -- needs latency_us
    coalesce(CAST(count_if(passed IS NOT NULL AND cost_nano IS NULL) AS BIGINT), 0) AS n_unpriced -- needs cost_nano
FROM known_outcomes
GROUP BY model, tier, run
QUALIFY count(*) OVER (PARTITION BY model, tier) <= $most
ORDER BY model, tier, TRY_CAST(run AS BIGINT), run
