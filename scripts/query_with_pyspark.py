"""Query a run with PySpark, where pyspark and deltalake are installed: `query_with_pyspark.py RUN`.

Spark's own Delta reader is a package of its own; this reads the active Parquet files that the
table's log names, which is all that reading takes.
"""

import sys
from collections.abc import Sequence
from urllib.parse import unquote

from deltalake import DeltaTable
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody who uses Spark calls it


def main(argv: Sequence[str]) -> None:
    """Show the passes, the mean score and the cost of each model of a run."""
    (run,) = argv
    files = [unquote(uri) for uri in DeltaTable(f"{run}/outcomes").file_uris()]
    spark = SparkSession.builder.master("local[2]").appName("steelyard").getOrCreate()
    try:
        outcomes = spark.read.parquet(*files).where("passed IS NOT NULL")
        outcomes.groupBy("model").agg(
            F.count("*").alias("samples"),
            F.count_if("passed").alias("passed"),
            (F.avg("score_micro") / 1e6).alias("score"),
            (F.sum("cost_nano_usd") / 1e9).alias("cost_usd"),
        ).orderBy("model").show()
    finally:
        spark.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
