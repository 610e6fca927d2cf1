#!/bin/bash
# One run on all nodes of a job: Ray on each of them, Steelyard on the first. Submit it again to resume the run.
#SBATCH --job-name=steelyard-ray
#SBATCH --nodes=4
#SBATCH --exclusive
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --time=08:00:00
#SBATCH --requeue
#SBATCH --open-mode=append

: "${EVAL_SET:=rust-basics}" "${RUN:=/shared/runs/nightly}"
first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
address=$(srun --nodes=1 --ntasks=1 --nodelist="$first" hostname --ip-address | cut -d ' ' -f 1):6379
# Only who has this token can use the cluster. Without it, the other nodes are not let in.
export RAY_AUTH_MODE=token RAY_AUTH_TOKEN
RAY_AUTH_TOKEN=$(head -c 32 /dev/urandom | sha256sum | cut -d ' ' -f 1)

# `ray symmetric-run` does not tell the command where the cluster is: without RAY_ADDRESS it would start another.
srun --nodes="$SLURM_JOB_NUM_NODES" --ntasks="$SLURM_JOB_NUM_NODES" \
    ray symmetric-run --address "$address" --min-nodes "$SLURM_JOB_NUM_NODES" --num-cpus "$SLURM_CPUS_PER_TASK" -- \
    env RAY_ADDRESS="$address" steelyard run "$EVAL_SET" --run "$RUN" --or-resume --engine ray --quiet
