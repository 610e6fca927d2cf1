-- How far is each case: generated, failed by an infrastructure error, priced, checked, passed?
SELECT
    generated.case_key,
    generated.samples,
    generated.cost_nano_usd,
    generated.unpriced,
    coalesce(checked.evidence, 0) AS evidence,
    coalesce(checked.passes, 0) AS passes,
    coalesce(checked.errors, 0) AS errors,
    generated.errored
FROM (
    SELECT
        case_key,
        count(*) AS samples,
        CAST(coalesce(sum(cost_nano_usd), 0) AS BIGINT) AS cost_nano_usd,
        count(*) FILTER (WHERE cost_nano_usd IS NULL AND error IS NULL) AS unpriced,
        count(*) FILTER (WHERE error IS NOT NULL) AS errored
    FROM rows
    GROUP BY case_key
) AS generated
LEFT JOIN (
    SELECT
        case_key,
        count(passed) AS evidence,
        count(*) FILTER (WHERE passed) AS passes,
        count(*) FILTER (WHERE classification = 'error') AS errors
    FROM outcomes
    GROUP BY case_key
) AS checked USING (case_key)
