-- What did judges say about each answer, and is it the first of its equals?
-- Equal answers to one case are judged once; which of them came first in time says nothing, so that the first by name does.
SELECT
    model,
    tier,
    suite,
    case_id,
    case_digest,
    attempt,
    judgement,
    row_number() OVER (
        PARTITION BY suite, case_id, case_digest, answer_digest
        ORDER BY model, tier, attempt
    ) = 1 AS is_first
FROM rows
WHERE judgement IS NOT NULL
ORDER BY model, tier, suite, case_id, case_digest, attempt
