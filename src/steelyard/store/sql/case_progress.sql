-- How far is each case: drawn, failed by our own error, priced, checked, passed?
SELECT
    drawn.case_key,
    drawn.samples,
    drawn.cost_nano_usd,
    drawn.unpriced,
    coalesce(checked.evidence, 0) AS evidence,
    coalesce(checked.passes, 0) AS passes,
    coalesce(checked.errors, 0) AS errors,
    drawn.errored
FROM (
    SELECT
        case_key,
        count(*) AS samples,
        CAST(coalesce(sum(cost_nano_usd), 0) AS BIGINT) AS cost_nano_usd,
        count(*) FILTER (WHERE cost_nano_usd IS NULL AND error IS NULL) AS unpriced,
        count(*) FILTER (WHERE error IS NOT NULL) AS errored
    FROM rows
    GROUP BY case_key
) AS drawn
LEFT JOIN (
    SELECT
        case_key,
        count(passed) AS evidence,
        count(*) FILTER (WHERE passed) AS passes,
        count(*) FILTER (WHERE classification = 'error') AS errors
    FROM outcomes
    GROUP BY case_key
) AS checked USING (case_key)
