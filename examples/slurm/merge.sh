#!/bin/bash
# Make one run of all shards. If one is not complete, the command names it and merges nothing.
#SBATCH --job-name=steelyard-merge
#SBATCH --cpus-per-task=2
#SBATCH --mem=8G
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append

mapfile -t shards < <(seq -f "$RUN/shard-%g" 1 "$SHARDS")
steelyard merge "${shards[@]}" --into "$RUN/whole" && steelyard report "$RUN/whole"
