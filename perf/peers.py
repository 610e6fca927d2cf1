"""Do the reduction of a report with other engines: counts and sums by model, tier, suite and case.

Each in the way its manual recommends. Needs polars, pyspark or ray[data], which live in an environment of
their own. Run: python perf/peers.py polars|pyspark|raydata FILE…
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

KEYS = ["model", "tier", "suite", "case_id"]
SUMS = ["score_micro", "cost_nano_usd", "latency_us", "tokens_in", "tokens_out"]
Totals = list[int]  # groups, n, c, then the sums, over all groups: proof that the same was computed


def polars(files: Sequence[str]) -> Totals:
    """Use Polars' streaming engine."""
    pl: Any = import_module("polars")
    groups = (
        pl.scan_parquet(list(files))
        .group_by(KEYS)
        .agg(
            pl.col("passed").count().alias("n"),
            pl.col("passed").sum().cast(pl.Int64).alias("c"),
            *(pl.col(name).cast(pl.Int64).sum() for name in SUMS),
        )
        .collect(engine="streaming")
    )
    return [groups.height, *(int(groups[name].sum()) for name in ("n", "c", *SUMS))]


def pyspark(files: Sequence[str]) -> Totals:
    """Use Spark on all cores of this machine."""
    sql: Any = import_module("pyspark.sql")
    functions: Any = import_module("pyspark.sql.functions")
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = (
        sql.SparkSession.builder.master("local[*]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", str(2 * (os.cpu_count() or 1)))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    groups = (
        session.read.parquet(*files)
        .groupBy(*KEYS)
        .agg(
            functions.count("passed").alias("n"),
            functions.sum(functions.col("passed").cast("long")).alias("c"),
            *(functions.sum(functions.col(name).cast("long")).alias(name) for name in SUMS),
        )
        .collect()
    )
    session.stop()
    return [len(groups), *(sum(row[name] for row in groups) for name in ("n", "c", *SUMS))]


def raydata(files: Sequence[str]) -> Totals:
    """Use Ray Data: group each block with Arrow where it is, then add the few rows up that are left."""
    ray: Any = import_module("ray")
    data: Any = import_module("ray.data")
    ray.init(address="local", include_dashboard=False, log_to_driver=False, logging_level="error")
    data.DataContext.get_current().enable_progress_bars = False
    blocks = data.read_parquet(list(files), columns=[*KEYS, "passed", *SUMS]).map_batches(
        _grouped, batch_format="pyarrow", batch_size=None
    )
    arrow: Any = import_module("pyarrow")
    parts = arrow.concat_tables(blocks.iter_batches(batch_size=None, batch_format="pyarrow"))
    groups = parts.group_by(KEYS).aggregate([(name, "sum") for name in ("n", "c", *SUMS)])
    ray.shutdown()
    compute: Any = import_module("pyarrow.compute")
    return [
        groups.num_rows,
        *(compute.sum(groups[f"{name}_sum"]).as_py() for name in ("n", "c", *SUMS)),
    ]


def _grouped(block: Any) -> Any:  # noqa: ANN401  # Arrow tables, which this environment need not have
    wanted = [("passed", "count"), ("passed", "sum"), *((name, "sum") for name in SUMS)]
    groups = block.group_by(KEYS).aggregate(wanted)
    names = {"passed_count": "n", "passed_sum": "c", **{f"{name}_sum": name for name in SUMS}}
    return groups.rename_columns([names.get(name, name) for name in groups.column_names])


PEERS: dict[str, Callable[[Sequence[str]], Totals]] = {
    "polars": polars,
    "pyspark": pyspark,
    "raydata": raydata,
}

if __name__ == "__main__":
    print(json.dumps(PEERS[sys.argv[1]](sys.argv[2:])))
