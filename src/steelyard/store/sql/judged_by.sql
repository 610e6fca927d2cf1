-- How many replies of each judge cannot be used, and for how many different answers has it no other?
SELECT
    judge,
    CAST(sum(unusable) AS BIGINT),
    CAST(sum(missing) AS BIGINT)
FROM (
    SELECT
        unnest(unusable) AS judge,
        1 AS unusable,
        0 AS missing
    FROM judged
    WHERE is_first
    UNION ALL
    SELECT
        unnest(missing) AS judge,
        0 AS unusable,
        1 AS missing
    FROM judged
    WHERE is_first
)
GROUP BY judge
ORDER BY judge
