-- Does any attempt stand in a table twice?
SELECT
    case_key,
    attempt
FROM rows
WHERE case_key IN (SELECT unnest(CAST($suspects AS BIGINT[])))
GROUP BY case_key, attempt
HAVING count(*) > 1
LIMIT 1
