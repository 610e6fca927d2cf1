-- How did checks end before, and how do they end now?
-- `wanted` holds, for each case key, the key that the case has now. An outcome that is there under the key of
-- now is older than the one that waits; else the answer was checked under its key of before.
SELECT
    staged.model,
    staged.tier,
    staged.suite,
    staged.case_id,
    coalesce(same.classification, earlier.classification) AS was,
    staged.classification AS now,
    coalesce(same.passed, earlier.passed) AS was_passed,
    staged.passed AS now_passed,
    count(*) AS samples,
    count(*) FILTER (
        WHERE
        staged.score_micro IS NOT NULL
        AND coalesce(same.score_micro, earlier.score_micro) IS DISTINCT FROM staged.score_micro
    ) AS rescored,
    min(staged.detail) AS detail,
    count(*) FILTER (
        WHERE
        (staged.score_micro IS NULL AND coalesce(same.score_micro, earlier.score_micro) IS NOT NULL)
        OR (staged.impl_micro IS NULL AND coalesce(same.impl_micro, earlier.impl_micro) IS NOT NULL)
    ) AS lost
FROM staged
LEFT JOIN outcomes AS same
    ON staged.case_key = same.case_key AND staged.attempt = same.attempt
LEFT JOIN (SELECT * FROM wanted WHERE case_key <> now_key) AS moved
    ON staged.case_key = moved.now_key
LEFT JOIN outcomes AS earlier
    ON
        moved.case_key = earlier.case_key
        AND staged.attempt = earlier.attempt
        AND same.case_key IS NULL
GROUP BY ALL
ORDER BY ALL
