-- Which answers does a person rate?
-- The first ones in an order that has nothing to do with what they hold.
SELECT
    case_key,
    attempt
FROM samples
WHERE error IS NULL AND case_digest IN (SELECT unnest(CAST($digests AS VARCHAR[])))
ORDER BY hash(case_key, attempt), case_key, attempt
LIMIT $number
