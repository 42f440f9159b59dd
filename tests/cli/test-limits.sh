#!/usr/bin/env bash
# Limits of a run: a worker that falls silent, floods, dies or cannot be started; memory; what a run warns of.
#   test-limits.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

busy=5000 # ms: what the deadline of the parent may take beyond the time limit (2000 by itself, and what a busy machine adds)
ball=$root/examples/classics/bouncing-ball.stickslip.json

# worker NAME: an executable of that name from standard input.
worker() {
  cat >"$1"
  chmod +x "$1"
}
# took MILLISECONDS COMMAND...: whether the command ended within that time, at the fifth try at the latest: a busy machine is late once, a
# wrong deadline each time.
took() {
  local most=$1 from took try
  shift
  for try in 1 2 3 4 5; do
    from=$(milliseconds)
    "$@" || return 1
    took=$(($(milliseconds) - from))
    echo "  ended after $took ms"
    [ $took -gt "$most" ] || return 0
  done
  echo "$took ms (expected at most $most)"
  return 1
}
# run_is OUTCOME MESSAGE: whether the first run of the comparison in `out` ended so; the message contains MESSAGE.
run_is() {
  python3 - "$@" <<'PYTHON'
import json, sys
run = json.load(open("out"))
run = run.get("runs", [run])[0]
assert run["outcome"] in sys.argv[1].split("|") and sys.argv[2] in run["message"], (run["outcome"], run["message"])
PYTHON
}

# --- a worker that falls silent ends at its time limit and two seconds
worker silent <<'SCRIPT'
#!/bin/sh
exec sleep 1000
SCRIPT
worker silent-child <<'SCRIPT'
#!/bin/sh
sleep 1000
SCRIPT
for name in silent silent-child; do
  export STICKSLIP_WORKER=$work/$name
  check "$name: ends in time" took $((1000 + busy)) timeout 300 bash -c '"$0" compare "$1" --methods crisp --time-limit 1 --project $2.stickslip --json >out 2>err; [ $? = 3 ]' "$cli" "$box" $name
  check "$name: at its time limit" run_is "time_limit|machine_slow" "did not answer"
  check "$name: its row too" bash -c '"$0" show last --project $1.stickslip --json | grep -qE "\"outcome\": \"(time_limit|machine_slow)\""' "$cli" $name
done
unset STICKSLIP_WORKER

# one that is held, as by a debugger, once it has told something that is to be kept: no signal but the last one reaches it
worker held <<'SCRIPT'
#!/usr/bin/env python3
import json, os, signal, sys
job = json.loads(sys.stdin.readline())
print(json.dumps({"id": job["id"], "t": 0.1, "type": "start"}), flush=True)
print(json.dumps({"id": job["id"], "t": 0.1, "type": "iteration", "iteration": 1, "objective": 1}), flush=True)
open("held-pid", "w").write(str(os.getpid()))
os.kill(os.getpid(), signal.SIGSTOP)
SCRIPT
export STICKSLIP_WORKER=$work/held
check "stopped: in time" took $((1000 + busy)) timeout 300 bash -c 'rm -f stop.stickslip; "$0" compare "$1" --methods crisp --time-limit 1 --project stop.stickslip --json >out 2>err; [ $? = 3 ]' "$cli" "$box"
unset STICKSLIP_WORKER
child=$(cat held-pid)
check "stopped: at its time limit" run_is "time_limit|machine_slow" "did not answer"
check "stopped: what it had told is kept" status 0 export last --project stop.stickslip --plot log --to stop.csv
check "stopped: a row or more" [ "$(wc -l <stop.csv)" -ge 2 ]
# dead, or waiting for a parent that never asks (a container's first process)
check "stopped: nobody is left" await bash -c '! grep -qE "^State:[[:space:]]+[^ZX[:space:]]" "/proc/$0/status" 2>/dev/null' "$child"

# --- an answer that cannot be so is a failure: an outcome of its own, success without a motion
worker claims <<'SCRIPT'
#!/usr/bin/env python3
import base64, json, os, struct, sys
job = json.loads(sys.stdin.readline())
def send(**event):
    print(json.dumps({"id": job["id"], "t": 0.1, **event}), flush=True)
def motion(**more):
    send(channels=["t", "px"], shape=[2, 2], first_row=0, rows=2, data=base64.b64encode(struct.pack("<4d", 0, 0, 1, 1)).decode(), **more)
send(type="start")
if os.environ["CLAIM"] == "iterate":
    motion(type="iterate", iteration=1)
if os.environ["CLAIM"] in ("excellent", "solved", "max_iterations") and os.environ.get("WITH") == "motion":
    motion(type="trajectory", role="answer")
send(type="result", outcome="solved" if os.environ["CLAIM"] == "iterate" else os.environ["CLAIM"], message="so it says", metrics={"objective": 1})
SCRIPT
export STICKSLIP_WORKER=$work/claims
# claim CLAIM WITH STATUS OUTCOME WORDS
claim() {
  export CLAIM=$1 WITH=$2
  rm -f claim.stickslip
  check "claims $1 ($2): status" status "$3" compare "$box" --methods crisp --project claim.stickslip --json
  check "claims $1 ($2): $4" run_is "$4" "$5"
  check "claims $1 ($2): its row" bash -c '"$0" show last --project claim.stickslip --json | grep -qF "\"outcome\": \"$1\""' "$cli" "$4"
}
claim excellent motion 1 failed "none that this program knows (outcome excellent)"
claim solved none 1 failed "claims success and has no motion (outcome solved)"
claim iterate none 1 failed "claims success and has no motion"
claim completed none 1 failed "none of its kind of method"
claim solved motion 0 solved "so it says"
claim max_iterations none 1 max_iterations "so it says"
unset STICKSLIP_WORKER

# --- nor is one that cannot be read, and nobody waits for a better one: the worker stays silent
worker mumbles <<'SCRIPT'
#!/usr/bin/env python3
import base64, json, os, struct, sys, time
job = json.loads(sys.stdin.readline())
says = os.environ["SAYS"]
def line(**event):
    return json.dumps({"id": job["id"], "t": 0.1, **event}).encode()
def motion(role, *values):
    data = base64.b64encode(struct.pack("<%dd" % len(values), *values)).decode()
    return line(type="trajectory", role=role, channels=["t", "px"], shape=[len(values) // 2, 2], first_row=0, rows=len(values) // 2, data=data)
result = line(type="result", outcome="solved", message="so it says", metrics={"objective": 1})
out = sys.stdout.buffer
out.write({"role": motion("best", 0, 1), "nan": motion("answer", float("nan"), float("nan")),
           "no number": motion("answer", 0, 1, 1, float("nan")), "infinite": motion("answer", 0, 1, float("inf"), 1)}.get(says, motion("answer", 0, 1)) + b"\n")
if says == "long":
    for _ in range(3000):
        out.write(b"x" * 1000000)
else:
    out.write({"half": result[:-9], "another": result.replace(job["id"].encode(), b"another"), "number": result.replace(b'"' + job["id"].encode() + b'"', b"5"),
               "nul": result.replace(b"so it", b"so\0it"), "escaped": result.replace(b"so it", b"so\\u0000it"), "list": b"[1, 2]"}.get(says, result) + b"\n")
out.flush()
time.sleep(300)
SCRIPT
export STICKSLIP_WORKER=$work/mumbles
# mumble SAYS WORDS
mumble() {
  export SAYS=$1
  rm -f claim.stickslip
  check "says $1: ends at once" timeout 120 bash -c '"$0" compare "$1" --methods crisp --project claim.stickslip --json >out 2>err; [ $? = 1 ]' "$cli" "$box"
  check "says $1: failed" run_is failed "$2"
  check "says $1: its row" bash -c '"$0" show last --project claim.stickslip --json | grep -qF "\"outcome\": \"failed\""' "$cli"
}
for says in half nul escaped list; do
  mumble $says "a line that cannot be read"
done
mumble another "a result of another run"
mumble number "a result of another run"
mumble long "a line of more than 64 MB"
mumble role "a role that this program does not know"
mumble nan "its time runs back, or is no number"
mumble infinite "its time runs back, or is no number"
mumble "no number" "a row of a success has no number"
unset STICKSLIP_WORKER

# --- what a worker leaves behind ends with it: in a session of its own, without a parent, deep below
worker leaves <<'SCRIPT'
#!/usr/bin/env python3
import json, os, subprocess, sys, time
job = json.loads(sys.stdin.readline())
quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
subprocess.Popen(["setsid", "sleep", "3331.%s" % os.environ["OWN"]], **quiet)
subprocess.Popen(["sh", "-c", "setsid sh -c 'sleep 3332.%s & sleep 3332.%s' & exit" % (os.environ["OWN"], os.environ["OWN"])], **quiet)
subprocess.Popen(["setsid", "sh", "-c", "env -i sleep 3333.%s; true" % os.environ["OWN"]], **quiet)
subprocess.Popen(["nohup", "sleep", "3334.%s" % os.environ["OWN"]], **quiet)
time.sleep(0.3)
print(json.dumps({"id": job["id"], "t": 0.1, "type": "start"}), flush=True)
print(json.dumps({"id": job["id"], "t": 0.1, "type": "iteration", "iteration": 1, "objective": 1}), flush=True)
if os.environ["END"] == "result":
    print(json.dumps({"id": job["id"], "t": 0.1, "type": "result", "outcome": "failed", "message": ""}), flush=True)
elif os.environ["END"] == "crash":
    os.abort()
else:
    open("all-left", "w").close()
    time.sleep(1000)
SCRIPT
export STICKSLIP_WORKER=$work/leaves OWN=$$ # sleeps of this test alone
left() { pgrep "$@" -f "sleep 333[1-4]\.$OWN\$"; }
none_left() { ! left >/dev/null; }
nobody() { # that sleeps for these whiles is left
  await none_left || { left -a; return 1; }
}
for end in result crash silence; do
  export END=$end
  timeout 30 "$cli" compare "$box" --methods crisp --time-limit 1 --json >out 2>err
  check "left behind, $end: nobody is left" nobody
  left | xargs -r kill -KILL
done
export END=silence
rm -f all-left
"$cli" compare "$box" --methods crisp --json >out 2>err & comparison=$!
await test -e all-left
kill -INT $comparison
wait $comparison
check "left behind, interrupted: nobody is left" nobody
left | xargs -r kill -KILL
unset STICKSLIP_WORKER

# --- the limit of memory holds from the first line of whatever program the worker is, and below it
worker eats <<'SCRIPT'
#!/usr/bin/env python3
import json, os, subprocess, sys
job = json.loads(sys.stdin.readline())
def eat(name):
    held, most = [], 0
    try:
        while most < 3000:
            held.append(bytearray(10_000_000))
            most += 10
    except MemoryError:
        pass
    del held
    open(name, "w").write(str(most))
if os.fork() == 0:
    eat("eaten-below")
    os._exit(0)
os.wait()
eat("eaten")
print(json.dumps({"id": job["id"], "t": 0.1, "type": "result", "outcome": "failed", "message": ""}), flush=True)
SCRIPT
export STICKSLIP_WORKER=$work/eats
"$cli" compare "$box" --methods crisp --memory-limit 400M --json >out 2>err
check "memory: the worker ate less than its limit" [ "$(cat eaten)" -lt 400 ]
check "memory: so did its child" [ "$(cat eaten-below)" -lt 400 ]
unset STICKSLIP_WORKER

# --- a pipe is no file, for no reader
mkfifo pipe pipe.csv pipe.json pipe.stickslip
refused() { # ARGUMENTS...: ends at once, status 2, with words
  timeout 120 "$cli" "$@" >out 2>err </dev/null
  local got=$?
  [ $got = 2 ] && grep -qE "no file, but a pipe" out err || { echo "status $got: $*"; return 1; }
}
for verb in validate simulate optimise evaluate equations contacts violations add compare; do
  more=
  [ $verb = add ] && more="--project new.stickslip"
  [ $verb = compare ] && more="--methods crisp"
  check "a pipe: $verb" refused $verb pipe $more
done
check "a pipe: impact" refused impact pipe.json
check "a pipe: a plan" refused replay "$fall" --plan pipe.csv
check "a pipe: a start" refused optimise "$box" --from pipe.csv
check "a pipe: a point" refused evaluate "$box" --at pipe.csv
check "a pipe: a study" refused sweep --study pipe.json --dry-run
check "a pipe: a truth" refused accuracy "$fall" --methods moreau-jean --reference pipe.csv
check "a pipe: formulas" refused accuracy "$fall" --methods moreau-jean --reference pipe.json
check "a pipe: a motion" refused import-motion pipe.csv --scene "$fall" --project new.stickslip
check "a pipe: a project" refused list pipe.stickslip
check "a pipe: a project to merge" refused import pipe.stickslip --project new.stickslip
check "a device" refused validate /dev/zero

# --- a worker that floods: what a run keeps is bounded, and the run says what was left out
worker flood <<'SCRIPT'
#!/usr/bin/env python3
import json, sys
job = json.loads(sys.stdin.readline())
def send(**event):
    sys.stdout.write(json.dumps({"id": job["id"], "t": 0.1, **event}) + "\n")
send(type="start")
for i in range(60000):
    send(type="log", level="info", text="line %d " % i + "x" * 100)
    if i < 40000:
        send(type="iteration", iteration=i, objective=1.0 / (i + 1), note="y" * 100)
    if i < 150:
        send(type="log", level="warning", text="warning %d" % i)
send(type="trajectory", role="answer", channels=["t", "px"], shape=[1, 2], first_row=0, rows=1, data="A" * 22 + "==")
send(type="result", outcome="solved", message="flooded", metrics={}, **({"warnings": ["the worker's own"]} if "own" in sys.argv[0] else {}))
sys.stdout.flush()
sys.stdin.read()
SCRIPT
export STICKSLIP_WORKER=$work/flood
check "flood" status 0 compare "$box" --methods crisp --project flood.stickslip --json
check "flood: said in the run" python3 - <<'PYTHON'
import json
run = json.load(open("out"))["runs"][0]
warnings = run["warnings"]
assert run["outcome"] == "solved" and len(warnings) == 100, len(warnings)
assert "warning 0" in warnings and "warning 90" in warnings
assert any("lines of the log were left out" in w for w in warnings), warnings[-3:]
assert any("iterations were left out" in w for w in warnings), warnings[-3:]
assert any("further warnings" in w for w in warnings), warnings[-3:]
PYTHON
check "flood: bounded" python3 - <<'PYTHON'
import os, sqlite3
db = sqlite3.connect("flood.stickslip")
lines, size = db.execute("SELECT count(*), sum(length(text)) FROM log").fetchone()
rows = [r[0] for r in db.execute("SELECT iteration FROM iteration ORDER BY iteration")]
print("  flood: %d log lines of %d bytes, %d iterations, file of %d bytes" % (lines, size, len(rows), os.path.getsize("flood.stickslip")))
assert lines <= 10100 and size <= 2100000, (lines, size)
assert rows[:10000] == list(range(10000)) and len(rows) < 14000 and rows[-1] == 39999, (len(rows), rows[-1])
assert all(r % 10 == 0 for r in rows[10000:-1])
assert os.path.getsize("flood.stickslip") < 16e6
assert db.execute("SELECT count(*) FROM log WHERE level = 2 AND text LIKE '%were left out%'").fetchone()[0] >= 2
PYTHON

cp flood flood-own
STICKSLIP_WORKER=$work/flood-own check "a worker with a list of its own" status 0 compare "$box" --methods crisp --json --quiet
check "keeps it, and the notices" python3 -c '
import json
warnings = json.load(open("out"))["runs"][0]["warnings"]
assert warnings[0] == "the worker\x27s own" and len(warnings) == 3 and "left out" in warnings[1], warnings'

# --- a worker that cannot start: its row ends at once
echo "no program" >no-program
for name in nowhere no-program; do
  export STICKSLIP_WORKER=$work/$name
  check "$name" status 4 compare "$box" --methods crisp --project start.stickslip
  check "$name: is named" has err "$name"
  check "$name: its row failed" bash -c '"$0" show last --project start.stickslip --json >shown && grep -qF "\"outcome\": \"failed\"" shown && grep -q "\"message\": \".*$1" shown' "$cli" $name
done

# --- memory: a default for every run, sizes, and a clear end
worker told <<'SCRIPT'
#!/usr/bin/env python3
import json, sys
job = json.loads(sys.stdin.readline())
json.dump(job["limits"], open(sys.argv[0] + "-" + job["method"], "w"))
print(json.dumps({"type": "trajectory", "id": job["id"], "role": "answer", "channels": ["t", "px"], "shape": [1, 2], "first_row": 0, "rows": 1, "data": "A" * 22 + "=="}))
print(json.dumps({"type": "result", "id": job["id"], "outcome": "solved", "message": ""}), flush=True)
sys.stdin.read()
SCRIPT
export STICKSLIP_WORKER=$work/told
limit() { python3 -c 'import json, sys; print(int(json.load(open(sys.argv[1]))["bytes"]))' "told-$1"; }
check "default limit" status 0 compare "$box" --methods crisp --json
one=$(limit crisp)
total=$(python3 -c 'import os; print(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))')
check "1 GB or more, less than the machine has" [ "$one" -ge 1000000000 ] && check "less" [ "$one" -lt $((total > 1400000000 ? total : 1400000000)) ]
check "two at once" status 0 compare "$box" --methods crisp,ipopt --parallel --jobs 2 --json
check "have half each, or 1 GB" [ "$(limit ipopt)" = $((one / 2 > 1000000000 ? one / 2 : 1000000000)) ]
check "--memory-limit" status 0 compare "$box" --methods crisp --memory-limit 2G --json
check "in bytes" [ "$(limit crisp)" = 2000000000 ]
check "of each run" status 0 compare "$box" --methods crisp,ipopt --parallel --memory-limit 700M --json
check "as it was given" [ "$(limit ipopt)" = 700000000 ]
unset STICKSLIP_WORKER
for size in 12X G -1G 1e999 ""; do
  check "no size: '$size'" status 2 simulate "$fall" --memory-limit "$size"
done
check "less than the program itself needs" status 2 simulate "$fall" --memory-limit 1M
check "says what is needed" has err "300M"
check "not of export" status 2 export last --project flood.stickslip --memory-limit 2G --to x.csv

check "a simulation out of memory" status 4 simulate "$fall" --dt 1e-6 --memory-limit 350M --json
check "says so" run_is failed "out of memory (limit 350 MB)"
check "keeps what there is" python3 -c 'import json; assert json.load(open("out"))["final_state"]'
for method in ipopt scholtes; do
  check "$method out of memory" status 4 optimise "$box" --method $method --set N=9000 --memory-limit 400M --time-limit 1200 --project memory.stickslip --json
  check "$method says so" run_is failed "out of memory (limit 400 MB)"
done
check "in the project" status 0 show last --project memory.stickslip
check "its message" has out "out of memory (limit 400 MB)"
check "in a comparison" status 4 compare "$box" --methods ipopt --set N=9000 --memory-limit 400M --time-limit 1200 --json
check "says so there" run_is failed "out of memory (limit 400 MB)"
worker aborts <<'SCRIPT'
#!/bin/sh
echo "terminate called after throwing an instance of 'std::bad_alloc'" >&2
kill -ABRT $$
SCRIPT
STICKSLIP_WORKER=$work/aborts check "a worker that dies of it" status 4 compare "$box" --methods crisp --memory-limit 1G --project memory.stickslip --json
check "is explained" run_is failed "out of memory (limit 1 GB)"

# --- warnings are a list of texts in the result, wherever a run is made
check "a run that warns" status 0 simulate "$ball" --method stewart-trinkle --option restitution=off --project w.stickslip --json
cat >warns.py <<'PYTHON'
import json, sys
run = json.load(open("out"))
run = run["runs"][0] if "runs" in run else run.get("result", run)
assert [w for w in run["warnings"] if "does not use restitution" in w], run["warnings"]
PYTHON
check "has it in its result" python3 warns.py
check "a worker's run" status 0 compare "$ball" --methods stewart-trinkle:restitution=off --project w.stickslip --json
check "has it too" python3 warns.py
check "stored" status 0 show last --project w.stickslip --json
check "with it" python3 warns.py
check "in words" status 0 show last --project w.stickslip
check "under Warnings" bash -c 'grep -A 1 "^Warnings" out | grep -q "does not use restitution"'
# --- nonsense, and what is known of a run that ends inside a step
chain=$work/chain.stickslip.json
python3 - >"$chain" <<'PYTHON'
import json
links = range(20)
print(json.dumps({"format": 1, "name": "chain", "scene": {"contacts": [], "bodies": [
    {"name": f"link{i}", "mass": 0.1, "position": [0.05 + 0.1*i, 0], "shape": {"type": "capsule", "length": 0.08, "radius": 0.01}}
    for i in links], "joints": [
    {"name": f"p{i}", "type": "pin", "bodies": [f"link{i - 1}" if i else "world", f"link{i}"], "anchor": [0.1*i, 0]} for i in links]}}))
PYTHON
check "a run that is nonsense" status 1 simulate "$chain" --method implicit-euler --t-end 0.5 --project n.stickslip --json
check "has failed, with the reason" run_is failed "miss the law of implicit-euler"
check "keeps its motion" status 0 export last --plot motion --project n.stickslip --to n.csv
check "all of it" bash -c '[ "$(wc -l <n.csv)" -gt 50 ]'
check "its limits are options" status 0 simulate "$chain" --method implicit-euler --t-end 0.5 --option law-misses=1 --option energy-gain=1 --json
check "a step that takes longer than the run may" status 3 simulate "$root/examples/classics/box-pyramid.stickslip.json" --set n=30 --method implicit-euler --cpu-limit 0.5 --json
check "knows what the steps before it say" python3 - <<'PYTHON'
import json
run = json.load(open("out"))
for name in "energy_initial", "energy_final", "max_penetration", "max_residual", "cpu_seconds":
    assert isinstance(run["metrics"][name], float), (name, run["metrics"][name], run["message"])
PYTHON
check "none" status 0 simulate "$fall" --json
check "an empty list" python3 -c 'import json; assert json.load(open("out"))["warnings"] == []'
check "a refused run" status 2 simulate "$fall" --method nonsense --json
check "has the list too" python3 -c 'import json; assert json.load(open("out"))["warnings"] == []'
# --- a library that cannot be opened, at the start or when it is first called (app/later.py): what a solver prints is read by then
mkdir libraries && : >libraries/libipopt.so.1
check "a library that cannot be opened is told" bash -c 'LD_LIBRARY_PATH=libraries "$@" >out 2>err; [ $? != 0 ]' - "$cli" optimise "$root/examples/crisp/one-pair.stickslip.json" --method ipopt
check "by its name" has err libipopt.so.1

finish
