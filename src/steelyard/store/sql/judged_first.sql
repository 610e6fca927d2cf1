-- What did it take to judge the different answers?
SELECT
    count(*),
    CAST(coalesce(sum(replies), 0) AS BIGINT),
    CAST(coalesce(sum(len(unusable)), 0) AS BIGINT),
    count_if(is_disagreeing),
    CAST(coalesce(sum(totals_off), 0) AS BIGINT),
    CASE WHEN coalesce(sum(unpriced), 0) = 0 THEN CAST(coalesce(sum(cost_nano_usd), 0) AS BIGINT) END
FROM judged
WHERE is_first
