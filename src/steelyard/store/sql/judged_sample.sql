-- Which judgements belong to a sample of different answers, chosen by a hash of their keys?
SELECT
    model,
    tier,
    suite,
    case_id,
    case_digest,
    attempt,
    judgement
FROM judged_rows
WHERE place IN (SELECT place FROM judged WHERE is_first ORDER BY place LIMIT $most)
ORDER BY model, tier, suite, case_id, case_digest, attempt
