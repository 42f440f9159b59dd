#!/usr/bin/env bash
# The worker's protocol: several jobs, bad lines, cancel, signals, death of the parent.
#   test-worker.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# job ID METHOD SET [MORE]: one job line.
job() {
  python3 - "$box" "$@" <<'PYTHON'
import json, sys
path, name, method, values = sys.argv[1:5]
line = {"type": "job", "id": name, "verb": "optimise", "scenario": json.load(open(path)), "method": method, "set": json.loads(values)}
line.update(json.loads(sys.argv[5]) if len(sys.argv) > 5 else {})
print(json.dumps(line))
PYTHON
}

# results FILE: "id outcome" of each result line.
at_limit="(time_limit|machine_slow)" # which of both depends on what else the machine does
matches() {
  [[ $1 =~ ^$2$ ]]
}
results() {
  python3 -c 'import json, sys
for line in open(sys.argv[1]):
    e = json.loads(line)
    if e["type"] == "result": print(e["id"], e["outcome"])' "$1"
}

# --- several jobs in turn; input ends at once
{ job a crisp '{"j":3}'; job b crisp '{"j":4}' '{"iterates":"thin:5"}'; job c ipopt '{"N":20}'; } >jobs
check "three jobs" bash -c '"$0" worker <jobs >events 2>err' "$cli"
check "three results" [ "$(results events)" = $'a solved\nb solved\nc solved' ]
check "the stream keeps its promises" python3 - events <<'PYTHON'
import base64, json, struct, sys
events = [json.loads(line) for line in open(sys.argv[1])]
for name in "abc":
    mine = [e for e in events if e["id"] == name]
    assert mine[0]["type"] == "start" and mine[-1]["type"] == "result"
    assert all(x["t"] <= y["t"] for x, y in zip(mine, mine[1:]) if x["type"] == y["type"])
    rows = [e["iteration"] for e in mine if e["type"] == "iteration"]
    assert rows == list(range(len(rows))) and len(rows) > 2
    shown = [e["t"] for e in mine if e["type"] == "iterate"]
    assert all(y - x > 0.030 for x, y in zip(shown, shown[1:])), "more than 30 iterates a second"
    answer = [e for e in mine if e["type"] == "trajectory" and e["role"] == "answer"]
    data = b"".join(base64.b64decode(e["data"]) for e in answer)
    n_rows, n_columns = answer[0]["shape"]
    assert len(data) == 8 * n_rows * n_columns and n_columns == len(answer[0]["channels"])
    last = struct.unpack("<%dd" % n_columns, data[-8 * n_columns:])
    state = dict(zip(answer[0]["channels"], last))
    for channel, value in mine[-1]["final_state"].items():
        assert state[channel] == value, channel
kept = [e["iteration"] for e in events if e["type"] == "trajectory" and e["role"] == "iterate"]
assert kept and all(k % 5 == 0 for k in kept)
assert events[-1]["metrics"]["n_variables"] == 180
reused = [e["metrics"]["setup_reused"] for e in events if e["type"] == "result"]
assert reused == [False, True, False], reused
PYTHON
check "nothing on standard error" [ ! -s err ]

# --- a plan of a scene: another number keeps the set-up, another structure does not
plan=$root/examples/plans/discs-around-obstacle.stickslip.json
{
  box=$plan job a crisp '{}'
  box=$plan job b crisp '{"x0":2.7,"c":1.9}'
  box=$plan job c crisp '{"x0":2.7,"c":1.9}' '{"options":{"coordinates":"joint"}}'
  box=$plan job d crisp '{"x0":2.7,"c":1.9}'
} >jobs
check "plans in turn" bash -c '"$0" worker <jobs >events 2>err' "$cli"
box=$plan job b crisp '{"x0":2.7,"c":1.9}' | "$cli" worker >fresh 2>err
check "are answered as by a fresh worker" python3 - events fresh <<'PYTHON'
import json, sys
def read(path):
    return [json.loads(line) for line in open(path)]
events, fresh = read(sys.argv[1]), read(sys.argv[2])
results = {e["id"]: e for e in events if e["type"] == "result"}
reused = [results[name]["metrics"]["setup_reused"] for name in "abcd"]
assert reused == [False, True, False, False], reused
def answer(events, name):
    return [e["data"] for e in events if e["id"] == name and e["type"] == "trajectory" and e["role"] == "answer"]
def iterates(events, name):
    return sum(e["type"] == "iterate" for e in events if e["id"] == name)
assert answer(events, "b") == answer(fresh, "b") == answer(events, "d") and answer(events, "a") != answer(events, "b")
assert iterates(events, "b") > 0
PYTHON

# --- chunks of at most 1 MB
seconds=$((${STICKSLIP_TEST_SLOWDOWN:-1} > 1 ? 12 : 4)) # until an iterate of so many points is there
job big crisp '{"N":9000}' "{\"limits\":{\"cpu_seconds\":$seconds}}" | "$cli" worker >events
check "long lines are cut" [ "$(awk '{ if (length > m) m = length } END { print (m <= 1048576) }' events)" = 1 ]
check "all rows arrive" python3 - events <<'PYTHON'
import json, sys
chunks = [e for e in map(json.loads, open(sys.argv[1])) if e["type"] == "trajectory"]
assert len(chunks) > 1 and sum(c["rows"] for c in chunks) == 9000
PYTHON
check "limit of CPU time" [ "$(results events)" = "big cpu_limit" ]
job late ipopt '{"N":10000}' '{"limits":{"seconds":1}}' | "$cli" worker >events
check "time limit" matches "$(results events)" "late $at_limit"

# --- bad lines are answered, and the next job runs
{
  echo 'garbage'
  echo '{"type":"dance"}'
  echo '{"no":"type"}'
  echo '[1,2]'
  echo '{"type":"job","id":"x1"}'
  echo '{"type":"job","id":"x2","verb":"optimise","method":"crisp","scenario":{"format":1}}'
  echo '{"type":"job","id":"x3","verb":"optimise","method":"crisp","scenario":{},"options":{"mu0":[1]}}'
  echo '{"type":"job","id":"x4","verb":"optimise","method":"crisp","scenario":{},"iterates":"some"}'
  job x8 crisp '{}' '{"limits":"abc"}'
  job x9 crisp '{}' '{"limits":{"seconds":-1}}'
  job x10 crisp '{}' '{"limits":{"bytes":1}}'
  job x11 crisp '{}' '{"iterates":5}'
  job x12 crisp '{}' '{"seed":-1}'
  job x13 crisp '{}' '{"id":5}'
  printf '\r\n \n'
  job x5 nonsense '{}'
  job x6 crisp '{"nope":1}'
  job x7 crisp '{"N":1e300}'
  job good crisp '{"N":20}'
} >jobs
check "bad lines" bash -c '"$0" worker <jobs >events 2>err' "$cli"
check "each has a result" [ "$(results events | grep -c failed)" = 17 ]
check "the good one is solved" bash -c 'tail -n 1 events | grep -qF "\"outcome\":\"solved\""'
check "errors are logged" grep -q '"level":"error"' events
head -c 200000 /dev/urandom >noise
check "noise" bash -c '"$0" worker <noise >events 2>err' "$cli"
job last crisp '{"N":20}' >jobs2
check "a last line without newline counts" bash -c 'printf %s "$(cat jobs2)" | "$0" worker >events && tail -n 1 events | grep -q solved' "$cli"

# --- answers to cancel and SIGTERM, also inside a factorisation (one iteration of this problem takes longer)
# ms of CPU time: 200 promised; the thread that is left behind goes on meanwhile, and other tests use the same caches
limit=$((600 * ${STICKSLIP_TEST_SLOWDOWN:-1}))
# has_answered EVENTS, has_ended PID: so that the CPU time of $worker until then is known, which none tells of the dead
has_answered() { used=$(cpu_ms "$worker" || echo "$used"); grep -q '"type":"result"' "$1"; }
has_ended() { used=$(cpu_ms "$worker" || echo "$used"); ! kill -0 "$1" 2>/dev/null; }
for how in cancel TERM INT; do
  mkfifo in.$how
  "$cli" worker <in.$how >events.$how & worker=$!
  exec 7>in.$how
  job slow ipopt '{"N":10000}' >&7
  await grep -q '"type":"iteration"' events.$how
  from=$(cpu_ms $worker) used=$from
  if [ $how = cancel ]; then echo '{"type":"cancel"}' >&7; else kill -$how $worker; fi
  await has_answered events.$how
  took=$((used - from))
  exec 7>&-
  wait $worker
  ended=$?
  echo "  $how answered within $took ms of CPU time"
  check "$how is answered" [ "$(results events.$how)" = "slow cancelled" ]
  check "$how in time" [ $took -lt $limit ]
  check "$how: status" [ $ended = "$([ $how = cancel ] && echo 0 || echo 3)" ]
  check "$how: last iterate is there" bash -c "grep -q '\"role\":\"answer\"' events.$how"
done

# --- Ctrl-C on the command line
"$cli" optimise "$box" --set N=10000 --method ipopt --json --project c.stickslip >out 2>err & run=$!
await bash -c '[ -s c.stickslip ] && "$0" list c.stickslip 2>/dev/null | grep -q running' "$cli"
worker=$run # it solves in its own process
from=$(cpu_ms "$worker") used=$from
kill -INT $run
await has_ended $run
wait $run
ended=$?
took=$((used - from))
echo "  Ctrl-C answered within $took ms of CPU time"
check "Ctrl-C: status 3" [ $ended = 3 ]
check "Ctrl-C in time" [ $took -lt $limit ]
check "Ctrl-C: result" has out '"outcome": "cancelled"'
check "Ctrl-C: stored" bash -c '"$0" list c.stickslip | grep -q cancelled' "$cli"

# --- pause and resume
mkfifo in.pause
"$cli" worker <in.pause >events & worker=$!
exec 7>in.pause
job p crisp '{"N":'$lasting'}' >&7
await grep -q '"type":"iteration"' events
echo '{"type":"pause"}' >&7
check "rests" await rests $worker
count=$(grep -c '"type":"iteration"' events)
check "rests on" await rests $worker
check "paused" [ "$(grep -c '"type":"iteration"' events)" = "$count" ]
check "not ended" [ -z "$(results events)" ]
echo '{"type":"resume"}' >&7
check "resumed" await bash -c '[ "$(grep -c "\"type\":\"iteration\"" events)" -gt "$0" ]' "$count"
exec 7>&-
kill $worker 2>/dev/null
wait $worker 2>/dev/null

# --- impacts: a file of numbers, a scene with branches, a limit, what is wrong; under the thread sanitizer test-impact has their threads, and
# limits of memory and of a third of a second mean nothing
if ((${STICKSLIP_TEST_SLOWDOWN:-1} < 10)); then
python3 - "$root" >jobs <<'PYTHON'
import json, sys
numbers = open(sys.argv[1] + "/tests/data/set-valued/rocking-block.json").read()
scene = json.load(open(sys.argv[1] + "/examples/impacts/compass-gait.stickslip.json"))
def job(name, **more):
    print(json.dumps({"type": "job", "id": name, "verb": "impact", "method": "set-valued", "scenario_text": numbers, **more}))
job("set", options={"samples": 20000}, seed=7, planes=["vn_A,vn_B"])
line = {"type": "job", "id": "branches", "verb": "impact", "scenario": scene, "method": "anitescu-potra", "options": {"all": True}}
print(json.dumps(line))
job("limit", options={"samples": 16777216}, limits={"seconds": 0.3, "bytes": 4e9})
job("memory", options={"samples": 16777216}, limits={"bytes": 4e8})
job("step", dt=0.1)
job("plane", planes=["vn_A,vn_Z"])
job("time", at=1)
PYTHON
check "impacts" bash -c '"$0" worker <jobs >events 2>err' "$cli"
check "all answered" matches "$(results events | sort | tr '\n' ' ')" "branches completed limit $at_limit memory failed plane failed set completed step failed time failed "
check "with samples, branches and shares" python3 - <<'PYTHON'
import base64, json, struct
events = [json.loads(line) for line in open("events")]
result = {e["id"]: e for e in events if e["type"] == "result"}
chunks = [e for e in events if e["type"] == "samples" and e["id"] == "set"]
rows = b"".join(base64.b64decode(e["data"]) for e in chunks)
assert len(chunks) > 1 and chunks[0]["shape"] == [20000, 7] and len(rows) == 8 * 7 * 20000
assert [e["first_row"] for e in chunks] == [sum(e["rows"] for e in chunks[:k]) for k in range(len(chunks))]
energies = struct.unpack("<%dd" % (7 * 20000), rows)[4::7]
r = result["set"]
assert max(energies) == r["kinetic_energy_max"] and r["seed"] == 7 and r["samples"] == 20000, r
assert r["hulls"][0]["x"] == "vn_A" and len(r["modes"]) == 3 and r["sample_table"]["shape"] == [20000, 7]
told = [e["samples"] for e in events if e["type"] == "iteration" and e["id"] == "set"]
assert 32 <= len(told) <= 65 and told == sorted(told) and told[-1] == 20000, told
branches = [e for e in events if e["type"] == "trajectory" and e["id"] == "branches"]
assert [(e["role"], e["branch"], e["rows"]) for e in branches] == [("branch", k, 2) for k in (1, 2, 3)]
assert abs(sum(e["share"] for e in branches) - 1) < 1e-12
assert 0 < result["limit"]["samples"] < 16777216 and "out of memory" in result["memory"]["message"]
assert "no step" in result["step"]["message"] and "vn_Z" in result["plane"]["message"]
PYTHON
python3 - "$root" >jobs <<'PYTHON'
import json, sys
numbers = open(sys.argv[1] + "/tests/data/set-valued/disk-stack-published-code.json").read()
print(json.dumps({"type": "job", "id": "c", "verb": "impact", "method": "set-valued", "scenario_text": numbers,
                  "options": {"samples": 1000000, "policy": "enumerate"}}))
PYTHON
told() { grep -q '"type":"iteration"' told 2>/dev/null; }
cancelled() { { cat jobs; await told; echo '{"type":"cancel"}'; } | "$cli" worker >told 2>err; }
check "cancelled between samples" cancelled
check "with those that there are" python3 -c '
import json
r = [json.loads(x) for x in open("told")][-1]
assert r["outcome"] == "cancelled" and 0 < r["samples"] < 1000000 and r["sample_table"]["shape"][0] == r["samples"], r'
fi

# --- quit: what came before is finished, what comes after is not taken; nobody stays paused for ever
{ job q1 crisp '{"N":20}'; echo '{"type":"pause"}'; echo '{"type":"quit"}'; job q2 crisp '{"N":20}'; } >jobs
check "quit while paused" bash -c 'timeout 300 "$0" worker <jobs >events' "$cli"
check "one result" [ "$(results events)" = "q1 solved" ]

# gone PID: no such process, or dead and waiting for a parent that never asks (a container's first process).
gone() { ! grep -qE '^State:[[:space:]]+[^ZX[:space:]]' "/proc/$1/status" 2>/dev/null; }

# --- the worker dies with its parent, and with its reader
bash -c 'sleep 5 | "$0" worker >/dev/null & echo $! >pid; sleep 0.5; kill -9 $$' "$cli" 2>/dev/null
check "dies with its parent" await gone "$(cat pid)"
job r ipopt '{"N":10000}' >jobs
( "$cli" worker <jobs & echo $! >pid; wait ) | head -n 1 >/dev/null
check "dies with its reader" await gone "$(cat pid)"

# --- memory limit
job m ipopt '{"N":9000}' '{"limits":{"bytes":4e8,"seconds":20}}' | "$cli" worker >events 2>err
check "a memory limit ends one run, not the machine" bash -c '[ -z "$(grep solved events)" ]'

finish
