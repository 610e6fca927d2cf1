-- Which answers are to be checked again, and under which form of their case?
-- `wanted` holds, for each case key: the key and the digest that the case has now, the name of the check that
-- is made now, and whether every answer is checked, however it was checked before. An answer whose place in
-- the form of now is taken by another answer is left where it is. A call that failed is checked only where its
-- case has a new form: its outcome, an error, has to move along, or it would be counted nowhere.
SELECT
    rows.*,
    wanted.now_digest
FROM rows
INNER JOIN wanted ON rows.case_key = wanted.case_key
LEFT JOIN outcomes
    ON rows.case_key = outcomes.case_key AND rows.attempt = outcomes.attempt
ANTI JOIN staged
    ON wanted.now_key = staged.case_key AND rows.attempt = staged.attempt
ANTI JOIN (SELECT case_key, attempt FROM rows) AS taken
    ON
        wanted.now_key = taken.case_key
        AND rows.attempt = taken.attempt
        AND wanted.case_key <> wanted.now_key
WHERE
    (rows.error IS NULL OR wanted.case_key <> wanted.now_key)
    AND (
        wanted.is_every
        OR outcomes.case_key IS NULL
        OR outcomes.check_digest IS DISTINCT FROM wanted.check_digest
    )
ORDER BY rows.model, rows.tier, rows.suite, rows.case_id, rows.attempt
