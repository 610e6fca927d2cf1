#!/bin/bash
# Draw a run in shards, wait for them, merge them and print the report. Each night is a run of its own.
# To go on with that of an earlier night, set NIGHT to its date.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
night=${NIGHT:-$(date +%F)}

completed() {
    local job=steelyard-$1-$night conditions
    sed "s/NIGHT/$night/" "$here/$1.yaml" | kubectl apply -f -
    # `kubectl wait` looks for one condition, and would never see the other.
    while true; do
        conditions=$(kubectl get job "$job" -o jsonpath='{.status.conditions[?(@.status=="True")].type}')
        case " $conditions " in
            *" Complete "*) return ;;
            *" Failed "*)
                echo "error: the job $job failed; 'kubectl describe job $job' says why" >&2
                exit 1
                ;;
        esac
        sleep "${POLL_S:-30}"
    done
}

completed shards
completed merge
kubectl logs "job/steelyard-merge-$night"
