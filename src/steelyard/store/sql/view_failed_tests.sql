-- Which tests may have failed in the samples of one case?
-- What stands before the first colon of a line of the check's output, and in how many samples.
WITH lines AS (
    SELECT
        attempt,
        unnest(string_split(detail, chr(10))) AS line
    FROM outcomes
    WHERE case_key = $key AND tests_failed > 0
),
named AS (
    SELECT
        attempt,
        split_part(line, ': ', 1) AS test
    FROM lines
    WHERE contains(line, ': ')
)
SELECT
    test,
    count(DISTINCT attempt) AS samples
FROM named
WHERE length(test) BETWEEN 1 AND $longest AND test = trim(test)
GROUP BY test
ORDER BY samples DESC, test ASC
LIMIT $most
