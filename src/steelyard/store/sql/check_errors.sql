-- For which reasons could answers not be checked, and how often?
-- The reason is null for answers that were checked; one that never came has no check.
SELECT
    CASE WHEN classification = 'error' THEN split_part(coalesce(detail, ''), chr(10), 1) END AS reason,
    count(*) AS answers
FROM outcomes
LEFT JOIN (SELECT case_key, attempt, error FROM samples) AS generated USING (case_key, attempt)
WHERE error IS NULL
GROUP BY reason
ORDER BY answers DESC, reason
