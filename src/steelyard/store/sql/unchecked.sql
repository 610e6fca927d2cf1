-- Which answers were committed and never checked?
SELECT rows.*
FROM rows
ANTI JOIN outcomes
    ON rows.case_key = outcomes.case_key AND rows.attempt = outcomes.attempt
WHERE rows.error IS NULL
ORDER BY model, tier, suite, case_id, attempt
