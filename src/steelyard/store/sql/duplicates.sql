-- Which attempts were claimed by more than one row, and do those rows agree?
SELECT
    model,
    tier,
    suite,
    case_id,
    attempt,
    count(*) AS copies,
    count(DISTINCT content) AS variants
FROM identified
GROUP BY model, tier, suite, case_id, attempt
HAVING count(*) > 1
ORDER BY model, tier, suite, case_id, attempt
