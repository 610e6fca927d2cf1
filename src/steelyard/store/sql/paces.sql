-- How long are the answers of each subject, and how quickly did they come?
-- A pause above ten minutes was no work.
WITH spaced AS (
    SELECT
        model,
        tier,
        tokens_in,
        tokens_out,
        cost_nano_usd,
        latency_us,
        drawn_at_us - lag(drawn_at_us) OVER (PARTITION BY model, tier ORDER BY drawn_at_us) AS gap_us
    FROM rows
    WHERE error IS NULL
),
drawn AS (
    SELECT
        model,
        tier,
        count(*) AS answers,
        avg(tokens_in) AS tokens_in,
        avg(tokens_out) AS tokens_out,
        avg(cost_nano_usd) AS cost_nano_usd,
        (coalesce(sum(gap_us) FILTER (WHERE gap_us < 600000000), 0) + coalesce(avg(latency_us), 0)) / 1e6 AS draw_s
    FROM spaced
    GROUP BY model, tier
),
checked AS (
    SELECT
        model,
        tier,
        avg(check_us) / 1e6 AS check_s
    FROM outcomes
    GROUP BY model, tier
)
SELECT
    drawn.model,
    drawn.tier,
    drawn.answers,
    drawn.tokens_in,
    drawn.tokens_out,
    drawn.cost_nano_usd,
    drawn.draw_s,
    checked.check_s
FROM drawn
LEFT JOIN checked USING (model, tier)
ORDER BY drawn.model, drawn.tier
