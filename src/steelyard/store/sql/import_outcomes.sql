-- How do outcomes from files look as rows of a run?
-- The columns are those of the table `outcomes`, in order.
SELECT
    imported.model,
    imported.tier,
    imported.suite,
    imported.case_id,
    CAST(imported.place AS INTEGER) AS attempt,
    cases.case_digest,
    cases.case_key,
    CASE
        WHEN passed IS NULL THEN 'error'
        ELSE coalesce(kind, CASE WHEN passed THEN 'pass' ELSE 'fail' END)
    END AS classification,
    passed,
    CAST(CASE WHEN passed IS NOT NULL THEN score_micro END AS INTEGER) AS score_micro,
    CAST(CASE WHEN passed IS NOT NULL THEN tests_micro END AS INTEGER) AS tests_micro,
    coalesce(untested, false) AS untested,
    coalesce(unlinted, false) AS unlinted,
    CASE WHEN passed IS NOT NULL THEN built END AS built,
    CAST(tests_passed AS INTEGER) AS tests_passed,
    CAST(tests_failed AS INTEGER) AS tests_failed,
    CAST(NULL AS INTEGER) AS tests_ignored,
    CAST(NULL AS VARCHAR) AS no_tests,
    CAST(lint_warnings AS INTEGER) AS lint_warnings,
    CAST(NULL AS INTEGER) AS diagnostic_errors,
    CAST(NULL AS INTEGER) AS diagnostic_warnings,
    CAST(CASE WHEN passed IS NOT NULL THEN impl_micro END AS INTEGER) AS impl_micro,
    CAST(cost_nano AS BIGINT) AS cost_nano_usd,
    CAST(latency_us AS BIGINT) AS latency_us,
    CAST(tokens_in AS BIGINT) AS tokens_in,
    CAST(tokens_out AS BIGINT) AS tokens_out,
    CAST(NULL AS BIGINT) AS check_us,
    CAST(NULL AS BIGINT) AS peak_memory_bytes,
    false AS is_shared,
    CAST(NULL AS VARCHAR) AS check_digest,
    CAST(NULL AS VARCHAR) AS answer_digest,
    '' AS detail,
    CAST(NULL AS VARCHAR) AS judgement,
    integrity,
    CAST(sealed_assertions AS INTEGER) AS sealed_assertions,
    CAST(open_assertions AS INTEGER) AS open_assertions
FROM imported
JOIN cases USING (model, tier, suite, case_id)
ORDER BY imported.model, imported.tier, imported.suite, imported.case_id, attempt
