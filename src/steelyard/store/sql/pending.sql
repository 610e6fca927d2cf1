-- Which samples were planned and never committed?
WITH attempts AS (
    SELECT
        place,
        case_key,
        CAST(unnest(range(samples)) AS INTEGER) AS attempt
    FROM planned
)
SELECT
    attempts.place,
    attempts.attempt
FROM attempts
ANTI JOIN rows
    ON attempts.case_key = rows.case_key AND attempts.attempt = rows.attempt
ORDER BY attempts.place, attempts.attempt
