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
        generated_at_us - lag(generated_at_us) OVER (PARTITION BY model, tier ORDER BY generated_at_us) AS gap_us
    FROM rows
    WHERE error IS NULL
),
generated AS (
    SELECT
        model,
        tier,
        count(*) AS answers,
        avg(tokens_in) AS tokens_in,
        avg(tokens_out) AS tokens_out,
        avg(cost_nano_usd) AS cost_nano_usd,
        (coalesce(sum(gap_us) FILTER (WHERE gap_us < 600000000), 0) + coalesce(avg(latency_us), 0)) / 1e6 AS generate_s
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
    generated.model,
    generated.tier,
    generated.answers,
    generated.tokens_in,
    generated.tokens_out,
    generated.cost_nano_usd,
    generated.generate_s,
    checked.check_s
FROM generated
LEFT JOIN checked USING (model, tier)
ORDER BY generated.model, generated.tier
