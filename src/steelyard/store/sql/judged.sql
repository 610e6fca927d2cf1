-- What did judges say about each answer, in numbers, and is it the first of its equals?
-- Equal answers to one case are judged once; the first by name counts, since the order in time is arbitrary.
-- The texts are long, and are left behind here; `place` finds them again, and has nothing to do with what they hold.
CREATE TEMP VIEW judged_rows AS
SELECT
    *,
    md5(concat_ws(chr(31), model, tier, suite, case_id, case_digest, attempt)) AS place
FROM rows
WHERE judgement IS NOT NULL;

CREATE TEMP TABLE judged AS
WITH parsed AS (
    SELECT
        * EXCLUDE (judgement),
        from_json(judgement, '{
            "disagreements": ["VARCHAR"],
            "readings": [{
                "judge": "VARCHAR", "problem": "VARCHAR", "cost_nano_usd": "BIGINT",
                "is_total_off": "BOOLEAN", "saw_tampering": "BOOLEAN"
            }]
        }') AS judgement_record
    FROM judged_rows
),

sorted AS (
    SELECT
        * EXCLUDE (judgement_record),
        coalesce(judgement_record.disagreements, []) AS disagreements,
        coalesce(judgement_record.readings, []) AS readings,
        [reading.judge FOR reading IN readings IF coalesce(reading.problem, '') = ''] AS used,
        [reading.judge FOR reading IN readings IF coalesce(reading.problem, '') <> ''] AS unusable
    FROM parsed
)

SELECT
    place,
    model,
    tier,
    unusable,
    list_distinct([judge FOR judge IN unusable IF NOT list_contains(used, judge)]) AS missing,
    -- Judgements of earlier versions do not name a judge that is missing.
    len(disagreements) > 0 OR (len(missing) > 0 AND len(used) > 0) AS is_disagreeing,
    impl_micro IS NULL AS is_unrated,
    len([1 FOR reading IN readings IF reading.saw_tampering]) > 0 AS saw_tampering,
    len([1 FOR reading IN readings IF reading.is_total_off]) AS totals_off,
    len(readings) AS replies,
    len([1 FOR reading IN readings IF reading.cost_nano_usd IS NULL]) AS unpriced,
    coalesce(list_sum([reading.cost_nano_usd FOR reading IN readings]), 0) AS cost_nano_usd,
    row_number() OVER (
        PARTITION BY suite, case_id, case_digest, answer_digest
        ORDER BY model, tier, attempt
    ) = 1 AS is_first
FROM sorted;
