-- What did each model do on each case?
-- One pass over the outcomes; one row for each model, tier, suite and case; integers only.
SELECT
    model,
    tier,
    suite,
    case_id,
    min(digest) AS digest, -- needs digest
    count(passed) AS n,
    count(*) FILTER (passed) AS c,
    count(*) - count(passed) AS n_error,
    count(*) FILTER (kind = 'build_error') AS n_build_error, -- needs kind
    count(*) FILTER (kind = 'timeout') AS n_timeout, -- needs kind
    count(*) FILTER (kind = 'crash') AS n_crash, -- needs kind
    count(*) FILTER (kind = 'refusal') AS n_refusal, -- needs kind
    count(*) FILTER (kind = 'wrong_format') AS n_wrong_format, -- needs kind
    count(*) FILTER (kind = 'policy_violation') AS n_policy_violation, -- needs kind
    count(*) FILTER (untested) AS n_untested, -- needs untested
    count(*) FILTER (unlinted) AS n_unlinted, -- needs unlinted
    count(*) FILTER (passed IS NOT NULL AND cost_nano IS NULL) AS n_unpriced, -- needs cost_nano
    count(score_micro) AS score_n, -- needs score_micro
    sum(score_micro) AS score_sum, -- needs score_micro
    sum(CAST(score_micro AS BIGINT) * CAST(score_micro AS BIGINT)) AS score_sq, -- needs score_micro
    count(impl_micro) AS impl_n, -- needs impl_micro
    sum(impl_micro) AS impl_sum, -- needs impl_micro
    count(built) AS built_n, -- needs built
    count(*) FILTER (built) AS built_sum, -- needs built
    count(tests_micro) AS tests_n, -- needs tests_micro
    sum(tests_micro) AS tests_sum, -- needs tests_micro
    count(cost_nano) AS cost_n, -- needs cost_nano
    sum(cost_nano) AS cost_sum, -- needs cost_nano
    count(latency_us) FILTER (passed IS NOT NULL) AS latency_n, -- needs latency_us
    sum(latency_us) FILTER (passed IS NOT NULL) AS latency_sum, -- needs latency_us
    sum(tokens_in) AS tokens_in_sum, -- needs tokens_in
    sum(tokens_out) AS tokens_out_sum, -- needs tokens_out
    count(*) FILTER (passed IS NOT NULL AND integrity = 'sealed') AS n_sealed, -- needs integrity
    count(*) FILTER (passed IS NOT NULL AND integrity = 'partial') AS n_partial, -- needs integrity
    count(*) FILTER (passed IS NOT NULL AND integrity = 'open') AS n_open, -- needs integrity
    sum(score_micro) FILTER (passed) AS score_pass_sum, -- needs score_micro
    sum(cost_nano) FILTER (passed) AS cost_pass_sum, -- needs cost_nano
    sum(cost_nano) FILTER (NOT passed) AS cost_fail_sum, -- needs cost_nano
    -- What follows never leaves the store: it proves that the rows are sound, or shows where to look.
    max(digest) AS digest_max, -- needs digest
    max(score_micro) AS score_max, -- needs score_micro
    min(score_micro) AS score_min, -- needs score_micro
    min(cost_nano) AS cost_min, -- needs cost_nano
    min(latency_us) AS latency_min, -- needs latency_us
    min(tokens_in) AS tokens_in_min, -- needs tokens_in
    min(tokens_out) AS tokens_out_min, -- needs tokens_out
    count(attempt) AS attempt_n, -- needs attempt
    count(attempt_number) AS attempt_number_n, -- needs attempt
    min(attempt_number) AS attempt_min, -- needs attempt
    max(attempt_number) AS attempt_max, -- needs attempt
    bit_xor(hash(attempt_number)) AS attempt_mark -- needs attempt
FROM outcomes
GROUP BY model, tier, suite, case_id
