-- Which different answers did one case get, how often, and how did they end?
-- An answer without an outcome is waiting for its check; an outcome without an answer was imported.
WITH attempts AS (
    SELECT
        coalesce(outcomes.attempt, samples.attempt) AS attempt,
        outcomes.classification AS kind,
        outcomes.score_micro,
        outcomes.tests_passed,
        outcomes.tests_failed,
        coalesce(outcomes.cost_nano_usd, samples.cost_nano_usd) AS cost_nano_usd,
        coalesce(outcomes.latency_us, samples.latency_us) AS latency_us,
        coalesce(outcomes.tokens_out, samples.tokens_out) AS tokens_out,
        left(outcomes.detail, $detail) AS detail,
        samples.error,
        -- Where nothing is known about the answer, every attempt stands for itself.
        coalesce(
            outcomes.answer_digest, samples.answer_digest, CAST(coalesce(outcomes.attempt, samples.attempt) AS VARCHAR)
        ) AS answer
    FROM (
        SELECT * FROM outcomes
        WHERE
            case_key = $key
            AND ($failed IS NULL OR (tests_failed > 0 AND contains(chr(10) || detail, $failed)))
    ) AS outcomes
    FULL JOIN (
        SELECT attempt, cost_nano_usd, latency_us, tokens_out, error, answer_digest FROM samples WHERE case_key = $key
    ) AS samples
        ON outcomes.attempt = samples.attempt
    WHERE $failed IS NULL OR outcomes.attempt IS NOT NULL
),
grouped AS (
    SELECT
        list_slice(list(attempt ORDER BY attempt), 1, $listed) AS attempts,
        count(*) AS equal,
        kind,
        min(score_micro) AS score_micro,
        min(tests_passed) AS tests_passed,
        min(tests_failed) AS tests_failed,
        CAST(sum(cost_nano_usd) AS BIGINT) AS cost_nano_usd,
        count(cost_nano_usd) AS priced,
        avg(latency_us) AS latency_us,
        avg(tokens_out) AS tokens_out,
        coalesce(arg_min(detail, attempt), '') AS detail,
        min(error) AS error,
        min(attempt) AS first_attempt
    FROM attempts
    GROUP BY answer, kind
)
SELECT
    count(*) OVER () AS different,
    * EXCLUDE (first_attempt)
FROM grouped
QUALIFY first_attempt >= $start
ORDER BY first_attempt
LIMIT $size
