#!/bin/bash
# Draw and check one shard. If its node fails, Slurm starts the task again, and the shard is resumed.
#SBATCH --job-name=steelyard-shards
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=08:00:00
#SBATCH --requeue
#SBATCH --open-mode=append

steelyard run "$EVAL_SET" --shard "$SLURM_ARRAY_TASK_ID/$SHARDS" --run "$RUN/shard-$SLURM_ARRAY_TASK_ID" \
    --or-resume --threads "$SLURM_CPUS_PER_TASK" --quiet
