#!/bin/bash
# Submit one run as an array of shards, and a job that merges them when they have ended.
# Change the five lines below, or set these variables before. Keys belong in a file `.env` in this folder:
# Slurm stores the environment of whoever submits a job.
set -euo pipefail
export EVAL_SET=${EVAL_SET:-rust-basics}
export SHARDS=${SHARDS:-16}
export RUN=${RUN:-/shared/runs/$(date +%F)} # another run each day: one that is complete would draw nothing
export STEELYARD_RUN_MODELS=${STEELYARD_RUN_MODELS:-openai/gpt-9}
export STEELYARD_RUN_MAX_USD=${STEELYARD_RUN_MAX_USD:-5}

here=$(dirname "${BASH_SOURCE[0]}")
shards=$(sbatch --parsable --array="1-$SHARDS" "$here/shards.sh")
merge=$(sbatch --parsable --dependency="afterany:$shards" "$here/merge.sh")
echo "shards: job $shards, merge: job $merge, run: $RUN"
