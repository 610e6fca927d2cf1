-- In which cluster is each case, by its first and its last name, which differ where rows disagree?
SELECT suite, case_id, min(cluster) AS cluster, max(cluster) AS cluster_max
FROM (SELECT suite, case_id, nullif(trim(CAST(cluster AS VARCHAR)), '') AS cluster FROM outcomes)
WHERE cluster IS NOT NULL
GROUP BY suite, case_id
