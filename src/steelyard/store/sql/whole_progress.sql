-- What does a whole run come to: generated, paid, without a price, failed by an infrastructure error, checked, passed?
-- Rows that do not count were paid for all the same; honeypots are in no pass rate.
SELECT *
FROM (
    SELECT
        count(*) FILTER (WHERE counts) AS samples,
        CAST(coalesce(sum(cost_nano_usd), 0) AS BIGINT) AS cost_nano_usd,
        count(*) FILTER (WHERE counts AND cost_nano_usd IS NULL AND error IS NULL) AS unpriced,
        count(*) FILTER (WHERE counts AND error IS NOT NULL) AS errored
    FROM samples
) AS generated
CROSS JOIN (
    SELECT
        count(*) AS checked,
        count(passed) FILTER (WHERE NOT is_honeypot) AS rated,
        count(*) FILTER (WHERE passed AND NOT is_honeypot) AS passes
    FROM outcomes
    WHERE counts
) AS checked
