-- What did each subject do on each case of a run?
-- One row for each case key; integers only. The columns are those of a case state, in order. They are of 64
-- bits where that is enough: wider ones take four times as long to become Python's.
-- Kinds of failure are counted apart: few samples end in one, and a filter on a column of few different
-- values is much cheaper than six conditions on every row.
WITH kinds AS (
    SELECT
        case_key,
        coalesce(CAST(count_if(classification = 'build_error') AS BIGINT), 0) AS n_build_error,
        coalesce(CAST(count_if(classification = 'timeout') AS BIGINT), 0) AS n_timeout,
        coalesce(CAST(count_if(classification = 'crash') AS BIGINT), 0) AS n_crash,
        coalesce(CAST(count_if(classification = 'refusal') AS BIGINT), 0) AS n_refusal,
        coalesce(CAST(count_if(classification = 'wrong_format') AS BIGINT), 0) AS n_wrong_format,
        coalesce(CAST(count_if(classification = 'policy_violation') AS BIGINT), 0) AS n_policy_violation
    FROM rows
    WHERE classification NOT IN ('pass', 'fail', 'error')
    GROUP BY case_key
),
states AS (
    SELECT
        case_key,
        count(passed) AS n,
        coalesce(CAST(count_if(passed) AS BIGINT), 0) AS c,
        count(*) - count(passed) AS n_error,
        coalesce(CAST(count_if(untested) AS BIGINT), 0) AS n_untested, -- needs untested
        coalesce(CAST(count_if(unlinted) AS BIGINT), 0) AS n_unlinted, -- needs unlinted
        coalesce(CAST(count_if(passed IS NOT NULL AND cost_nano_usd IS NULL) AS BIGINT), 0) AS n_unpriced, -- needs unpriced
        count(score_micro) AS score_n, -- needs score_micro
        coalesce(CAST(sum(score_micro) AS BIGINT), 0) AS score_sum, -- needs score_micro
        coalesce(sum(CAST(score_micro AS BIGINT) * CAST(score_micro AS BIGINT)), 0) AS score_sq, -- needs score_micro
        count(impl_micro) AS impl_n, -- needs impl_micro
        coalesce(CAST(sum(impl_micro) AS BIGINT), 0) AS impl_sum, -- needs impl_micro
        count(built) AS built_n, -- needs built
        coalesce(CAST(count_if(built) AS BIGINT), 0) AS built_sum, -- needs built
        count(tests_micro) AS tests_n, -- needs tests_micro
        coalesce(CAST(sum(tests_micro) AS BIGINT), 0) AS tests_sum, -- needs tests_micro
        count(cost_nano_usd) AS cost_n, -- needs cost_nano_usd
        coalesce(CAST(sum(cost_nano_usd) AS BIGINT), 0) AS cost_sum, -- needs cost_nano_usd
        count(latency_us) FILTER (passed IS NOT NULL) AS latency_n, -- needs latency_us
        coalesce(CAST(sum(latency_us) FILTER (passed IS NOT NULL) AS BIGINT), 0) AS latency_sum, -- needs latency_us
        coalesce(CAST(sum(tokens_in) AS BIGINT), 0) AS tokens_in_sum, -- needs tokens_in
        coalesce(CAST(sum(tokens_out) AS BIGINT), 0) AS tokens_out_sum, -- needs tokens_out
        coalesce(CAST(count_if(passed IS NOT NULL AND integrity = 'sealed') AS BIGINT), 0) AS n_sealed, -- needs integrity
        coalesce(CAST(count_if(passed IS NOT NULL AND integrity = 'partial') AS BIGINT), 0) AS n_partial, -- needs integrity
        coalesce(CAST(count_if(passed IS NOT NULL AND integrity = 'open') AS BIGINT), 0) AS n_open, -- needs integrity
        coalesce(CAST(sum(score_micro) FILTER (passed) AS BIGINT), 0) AS score_pass_sum, -- needs score_by_pass
        coalesce(CAST(sum(cost_nano_usd) FILTER (passed) AS BIGINT), 0) AS cost_pass_sum, -- needs cost_by_pass
        coalesce(CAST(sum(cost_nano_usd) FILTER (NOT passed) AS BIGINT), 0) AS cost_fail_sum, -- needs cost_by_pass
        -- Never leaves the store: it proves that no attempt was counted twice.
        bit_xor(hash(attempt)) AS attempt_mark
    FROM rows
    GROUP BY case_key
)
SELECT
    case_key,
    n,
    c,
    n_error,
    coalesce(n_build_error, 0) AS n_build_error,
    coalesce(n_timeout, 0) AS n_timeout,
    coalesce(n_crash, 0) AS n_crash,
    coalesce(n_refusal, 0) AS n_refusal,
    coalesce(n_wrong_format, 0) AS n_wrong_format,
    coalesce(n_policy_violation, 0) AS n_policy_violation,
    states.* EXCLUDE (case_key, n, c, n_error)
FROM states
LEFT JOIN kinds USING (case_key)
