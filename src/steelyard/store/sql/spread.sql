-- How does a quantity spread over the samples of each model and tier?
-- Whole numbers only: the two values in the middle, the one that 95 % do not exceed, the most frequent one, the extremes and the sums.
WITH tallied AS (
    SELECT
        model,
        tier,
        CAST(VALUE_COLUMN AS BIGINT) AS value,
        count(*) AS times
    FROM known_outcomes
    WHERE VALUE_COLUMN IS NOT NULL
    GROUP BY model, tier, value
),
summed AS (
    SELECT
        model,
        tier,
        sum(times) AS n,
        sum(CAST(value AS HUGEINT) * times) AS sum,
        sum(CAST(value AS HUGEINT) * value * times) AS sum_sq,
        min(value) AS lowest,
        max(value) AS highest,
        -- Of several values that are equally frequent, the smallest.
        -max({'times': times, 'downwards': -value}).downwards AS mode
    FROM tallied
    GROUP BY model, tier
),
middles AS (
    SELECT
        model,
        tier,
        quantile_disc(CAST(VALUE_COLUMN AS BIGINT), [0.5, 0.95]) AS ranked,
        -- The lower middle seen from the other end.
        -quantile_disc(-CAST(VALUE_COLUMN AS BIGINT), 0.5) AS upper_middle
    FROM known_outcomes
    WHERE VALUE_COLUMN IS NOT NULL
    GROUP BY model, tier
)
SELECT
    model,
    tier,
    n,
    sum,
    sum_sq,
    lowest,
    highest,
    ranked[1] AS lower_middle,
    upper_middle,
    mode,
    ranked[2] AS p95
FROM summed
JOIN middles USING (model, tier)
