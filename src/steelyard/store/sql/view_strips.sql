-- How did the first attempts of some cases end?
SELECT
    case_key,
    attempt,
    classification
FROM outcomes
WHERE
    case_key IN (SELECT unnest(CAST($keys AS BIGINT[])))
    AND model BETWEEN $first_model AND $last_model
    AND suite BETWEEN $first_suite AND $last_suite
    AND case_id BETWEEN $first_case AND $last_case
    AND attempt < $most
ORDER BY case_key, attempt
