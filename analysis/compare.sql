-- What `jitcost compare` answers, asked of a dataset that need not fit into memory (analysis/RESULTS.md):
--
--   CREATE VIEW cells AS FROM read_parquet(
--       'cells/**/*.parquet', hive_partitioning = true, hive_types_autocast = false);
--   SET VARIABLE baseline = 'numba';  -- optional
--   .read analysis/compare.sql
--
-- A row for each cell in steady state, from the newest commit of each machine and environment. It goes by
-- asv's median and interval of samples, as `jitcost compare` does where the processes are not known; where
-- they are, that tests them, which no query can.
WITH newest AS (
    SELECT machine, environment, env_vars, arg_max("commit", ("date", "commit")) AS "commit"
    FROM cells
    GROUP BY ALL
),
times AS (
    SELECT
        machine, environment, env_vars, "commit", workload, params, benchmark, version, n, backend,
        value AS time,
        ci_low AS low,
        coalesce(ci_high, 'inf') AS high,
        coalesce(
            getvariable('baseline'),
            if(
                -- those with baseline="python" in backends/workloads/; of a person's own, name another
                -- baseline where NumPy was not timed
                workload IN ('recursion', 'metropolis', 'metropolis_cond', 'kalman')
                    AND NOT starts_with(benchmark, 'own.'),
                'python',
                'numpy'
            )
        ) AS baseline
    FROM cells
    JOIN newest USING (machine, environment, env_vars, "commit")
    WHERE kind = 'SteadyState' AND state = 'value' AND n IS NOT NULL
)
SELECT
    *,
    -- a ratio is one of times above zero and finite
    if(time > 0 AND isfinite(time), time, NULL)
        / max(if(backend = baseline AND time > 0 AND isfinite(time), time, NULL)) OVER same_size
        AS ratio,
    -- without an interval, only the smallest number is starred, provisionally
    time = min(time) OVER same_size
        OR coalesce(
            low <= arg_min(high, (time, high)) OVER same_size
            AND isfinite(arg_min(high, (time, high)) OVER same_size),
            false
        ) AS best
FROM times
WINDOW same_size AS (
    PARTITION BY
        machine, environment, env_vars, "commit", workload, params, benchmark, version, n
)
QUALIFY backend IS NOT NULL
ORDER BY machine, environment, env_vars, "commit", benchmark, version, params, n, backend;
