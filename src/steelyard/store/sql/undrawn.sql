-- Which samples were planned and never committed?
SELECT
    planned.place,
    attempts.attempt
FROM planned
CROSS JOIN (SELECT CAST(range AS INTEGER) AS attempt FROM range(CAST($attempts AS BIGINT))) AS attempts
ANTI JOIN rows
    ON planned.case_key = rows.case_key AND attempts.attempt = rows.attempt
ORDER BY planned.place, attempts.attempt
