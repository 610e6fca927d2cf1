-- What do other tools get of a run: each outcome with its answer, if there is one?
SELECT
    outcomes.model, outcomes.tier, outcomes.suite, outcomes.case_id, outcomes.case_digest, outcomes.attempt,
    outcomes.classification, outcomes.passed, outcomes.score_micro,
    outcomes.tests_passed, outcomes.tests_failed,
    outcomes.cost_nano_usd, outcomes.latency_us, outcomes.tokens_in, outcomes.tokens_out,
    answers.tokens_cached, answers.tokens_reasoning, answers.finish_reason, answers.error, answers.text,
    outcomes.detail
FROM outcomes
LEFT JOIN rows AS answers
    ON outcomes.case_key = answers.case_key AND outcomes.attempt = answers.attempt
ORDER BY outcomes.model, outcomes.tier, outcomes.suite, outcomes.case_id, outcomes.attempt
