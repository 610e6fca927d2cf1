-- Where do the rows stand that claim one attempt?
WITH starts AS (
    SELECT
        __steelyard_file AS file,
        min(place) AS first_place
    FROM numbered
    GROUP BY file
)
SELECT
    file,
    place - first_place + 1 AS row_in_file
FROM identified
JOIN starts USING (file)
WHERE model = $model AND tier = $tier AND suite = $suite AND case_id = $case_id AND attempt = $attempt
ORDER BY place
LIMIT 4
