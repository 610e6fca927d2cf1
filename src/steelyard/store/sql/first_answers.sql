-- Which answer came first to each case in each of its forms, and under what name was it checked?
SELECT rows.*
FROM rows
WHERE rows.error IS NULL AND rows.case_key IN (SELECT unnest(CAST($keys AS BIGINT[])))
QUALIFY row_number() OVER (PARTITION BY suite, case_id, case_digest ORDER BY model, tier, attempt) = 1
ORDER BY suite, case_id
