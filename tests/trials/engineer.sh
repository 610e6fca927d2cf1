#!/bin/sh
# An engineer has a prompt to improve: two ways of asking, one model, and little patience.
. "$(dirname "$0")/common.sh"

cat > answers.jsonl <<'END'
{"contains": "colour", "system": "one word", "texts": ["blue"]}
{"contains": "colour", "texts": ["The sky is blue.", "blue"]}
END
python_of_steelyard=$(dirname "$(command -v steelyard)")/python
(cd "$repository" && exec "$python_of_steelyard" -m tests.fake_providers --port-file "$place/port" --log "$place/log" \
    --answers "$place/answers.jsonl" --at-most 900) &
service=$!
trap 'kill "$service"' EXIT
while [ ! -s port ]; do kill -0 "$service"; sleep 0.1; done

cat > set.toml <<'END'
[eval_set]
id = "colours"
default_language = "text"
[[tiers]]
id = "old"
[[tiers]]
id = "new"
system_prompt = "Answer in one word."
END
for number in 1 2 3 4 5 6; do
    cat >> set.toml <<END
[[cases]]
id = "sky-$number"
prompt = "Which colour has the sky on day $number?"
[cases.expectations.settings]
exact = "blue"
END
done
cat > steelyard.toml <<END
models = ["openai/small"]
[providers.openai]
base_url = "http://127.0.0.1:$(cat port)/v1"
api_key_env = "TRIAL_KEY"
[[prices]]
model = "openai/*"
input = 1.0
output = 4.0
END
export TRIAL_KEY=sk-trial

# What will it cost, before anything is called?
ends 0 steelyard run set.toml --samples 4 --dry-run
expect shown "answers"
[ ! -s log ] || { echo "FAILED: a dry run called the model"; exit 1; }

# A part first, then everything, with a log of each call.
ends 0 steelyard run set.toml --limit 2 --run runs/part --quiet
ends 0 steelyard run set.toml --samples 4 --baseline-tier old --run runs/all --quiet --log-file calls.jsonl -o report.html
expect shown "new passes 100 %"
expect calls.jsonl '"ended": "ok"'
if grep -q sk-trial calls.jsonl; then echo "FAILED: the log holds the key"; exit 1; fi

# The page holds answers (packed) and not only numbers; the terminal shows one of them.
expect report.html 'id="samples-0"'
ends 0 steelyard show runs/all sky-1 0 --subject openai/small@old
expect shown "Which colour has the sky on day 1?"

# Is the new prompt better than the old one, case by case?
ends 0 steelyard compare --current runs/all --subjects openai/small@old openai/small@new
expect shown "current: runs/all (run)"
done_here
