-- What does the list of cases show of each planned case?
-- The parts were counted at different times. By a stop rule, no more is planned than was generated.
CREATE OR REPLACE TABLE cases AS
WITH summed AS (
    SELECT
        case_key,
        CAST(sum(n) AS BIGINT) AS n,
        CAST(sum(c) AS BIGINT) AS c,
        CAST(sum(n_error) AS BIGINT) AS n_error,
        CAST(sum(n_build_error) AS BIGINT) AS build_error,
        CAST(sum(n_timeout) AS BIGINT) AS timeout,
        CAST(sum(n_crash) AS BIGINT) AS crash,
        CAST(sum(n_refusal) AS BIGINT) AS refusal,
        CAST(sum(n_wrong_format) AS BIGINT) AS wrong_format,
        CAST(sum(n_policy_violation) AS BIGINT) AS policy_violation,
        CAST(sum(cost_n) AS BIGINT) AS cost_n,
        CAST(sum(cost_sum) AS BIGINT) AS cost_sum,
        CAST(sum(latency_n) AS BIGINT) AS latency_n,
        CAST(sum(latency_sum) AS BIGINT) AS latency_sum,
        CAST(sum(tokens_n) AS BIGINT) AS tokens_n,
        CAST(sum(tokens_out_sum) AS BIGINT) AS tokens_out_sum
    FROM counted
    GROUP BY case_key
)
SELECT
    names.* EXCLUDE (planned),
    coalesce(names.planned, generated.answers, 0) AS planned,
    coalesce(n, 0) AS n,
    coalesce(c, 0) AS c,
    coalesce(n_error, 0) AS n_error,
    coalesce(greatest(n - c - build_error - timeout - crash - refusal - wrong_format - policy_violation, 0), 0) AS fail,
    coalesce(build_error, 0) AS build_error,
    coalesce(timeout, 0) AS timeout,
    coalesce(crash, 0) AS crash,
    coalesce(refusal, 0) AS refusal,
    coalesce(wrong_format, 0) AS wrong_format,
    coalesce(policy_violation, 0) AS policy_violation,
    coalesce(cost_n, 0) AS cost_n,
    coalesce(cost_sum, 0) AS cost_sum,
    coalesce(latency_n, 0) AS latency_n,
    coalesce(latency_sum, 0) AS latency_sum,
    coalesce(tokens_n, 0) AS tokens_n,
    coalesce(tokens_out_sum, 0) AS tokens_out_sum,
    CASE WHEN n > 0 THEN c / n END AS rate
FROM names
LEFT JOIN summed USING (case_key)
LEFT JOIN generated USING (case_key)
