-- How were the answers of each subject judged, equal ones each?
SELECT
    model,
    tier,
    count(*) AS answers,
    count_if(is_unrated) AS unrated,
    count_if(is_disagreeing) AS disagreeing,
    count_if(saw_tampering) AS saw_tampering,
    CAST(sum(len(unusable)) AS BIGINT) AS unusable
FROM judged
GROUP BY model, tier
ORDER BY model, tier
