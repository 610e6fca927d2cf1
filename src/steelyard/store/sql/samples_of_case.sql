-- What did a subject answer to one case, and what came of each answer?
-- The page is cut before the join: only its own rows are looked up among the outcomes.
WITH page AS (
    SELECT *
    FROM rows
    ORDER BY case_digest, attempt
    LIMIT $count OFFSET $first
)
SELECT
    page.*,
    SEEN_COLUMNS
FROM page
LEFT JOIN outcomes
    ON page.case_key = outcomes.case_key AND page.attempt = outcomes.attempt
ORDER BY page.case_digest, page.attempt
