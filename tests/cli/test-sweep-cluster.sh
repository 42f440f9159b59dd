#!/usr/bin/env bash
# Studies on a cluster: a folder with a job array, tasks that write their runs as files, merging them. A small script
# stands in for sbatch; with STICKSLIP_TEST_ALL=1 a real Slurm on this machine, where it is installed, runs them too.
#   test-sweep-cluster.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ask() { python3 -c 'import sqlite3, sys; print("|".join(map(str, sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())))' "$@"; }
# is TEXT COMMAND...: whether the command prints that text.
is() {
  local expected=$1 got
  shift
  got=$("$@") && [ "$got" = "$expected" ] || { echo "'$got' (expected '$expected'): $*"; return 1; }
}
# merged NEW KNOWN ANSWERED MISSING FAULTS: what the merge in `out` told.
merged() {
  python3 - "$@" <<'PYTHON'
import json, sys
told = json.load(open("out"))
got = [told[name] for name in ("new", "known", "answered", "missing")] + [len(told["faults"])]
assert got == list(map(int, sys.argv[1:])), told
PYTHON
}
study=(sweep "$box" --vary N=40 --vary mu=0.2,0.3 --vary j=0,8 --methods crisp,crisp:correction=better --title "On a cluster")

# Runs the array of a script in a loop, as Slurm would side by side.
cat >fake-sbatch <<'END'
#!/bin/sh
echo "$@" >>submitted
script=
for word; do script=$word; done
size=$(sed -n 's/^#SBATCH --array=1-//p' "$script")
for i in $(seq "$size"); do SLURM_ARRAY_TASK_ID=$i sh "$script" >>slurm.log 2>&1 || exit 1; done
echo "Submitted batch job 1"
END
chmod +x fake-sbatch

check "submits" status 0 "${study[@]}" --slurm "a folder" --slurm-options "--partition=short --time=10" --submit "$work/fake-sbatch"
check "submits: what sbatch said" has out "Submitted batch job 1"
check "submits: how to go on" has err "8 tasks in 8 jobs. When they have ended: stickslip-cli sweep --merge '$work/a folder' --project FILE"
check "submits: with the options" has "a folder/submitted" "--partition=short --time=10 job.sh"
check "a file for each task" is 8 sh -c 'ls "a folder" | grep -c "^[0-7]\.jsonl$"'
check "nothing half-written is left" is 0 sh -c 'ls -A "a folder" | grep -vcE "^([0-7]\.jsonl|study.json|job.sh|tasks.txt|submitted|slurm.log)$" || true'

check "merges" status 0 sweep --merge "a folder" --project a.stickslip --json
check "merges: eight" merged 8 0 0 0 0
check "merged: one run a task" is "8|8|8|8" ask a.stickslip "SELECT (SELECT count(*) FROM run), (SELECT count(DISTINCT run_id) FROM study_run), (SELECT count(*) FROM motion WHERE role = 'answer'), (SELECT count(DISTINCT run_id) FROM iteration)"
check "merged: times and machine are those of the runs" is "1|0" ask a.stickslip "SELECT count(DISTINCT provenance_id), sum(ended < started OR owner_pid = 0) FROM run"
check "merges twice" status 0 sweep --merge "a folder" --project a.stickslip --json
check "merges twice: nothing new" merged 0 8 0 0 0
check "the study has ended" status 0 sweep --resume "On a cluster" --project a.stickslip --json
check "the runs are as made here" sh -c '"$@" --project here.stickslip --json >here 2>err; python3 - <<PYTHON
import json
a, b = (json.load(open(name))["runs"] for name in ("out", "here"))
for one, other in zip(a, b):
    for name in ("method", "mu", "j", "outcome", "objective", "max_violation", "iterations"):
        assert one[name] == other[name], (one, other)
PYTHON' - "$cli" "${study[@]}"
check "sound" is "ok|0" ask a.stickslip "SELECT (SELECT * FROM pragma_integrity_check), (SELECT count(*) FROM pragma_foreign_key_check)"

# --- what is missing, half-written, foreign, or made elsewhere meanwhile
cp -r "a folder" broken
rm broken/0.jsonl
head -c 3000 "a folder/1.jsonl" >broken/1.jsonl
head -n 5 "a folder/2.jsonl" >broken/2.jsonl
cp "a folder/4.jsonl" broken/3.jsonl
: >broken/5.jsonl
check "broken files: the status says that some were left out" status 1 sweep --merge broken --project b.stickslip --json
check "broken files: the others come in" merged 3 0 0 1 4
check "broken files: said" has err "left out: 3.jsonl: it is of another study"
check "broken files: half-written" has err "left out: 2.jsonl: it ends before its result"
cp -r "a folder/." broken
check "then they are whole" status 0 sweep --merge broken --project b.stickslip --json
check "then they are whole: the rest comes in" merged 5 3 0 0 0
check "runs made here stay" status 0 sweep --merge "a folder" --project here.stickslip --json
check "runs made here stay: all" merged 0 0 8 0 0

# --- what comes in is judged again: a claim that its motion does not bear out is named and left out
# left_out NAME PYTHON WORDS: a task's file with other claims, by a line of Python that changes `head`, `result` (the event), `lines` or drops
# `motions`, is to be left out with these words. Those noted so far, one a task, go into the same merge, `forged` by `merge_forged`: the last task
# comes in beside them.
noted=()
left_out() {
  noted+=("$1" "$2" "$3")
  ((${#noted[@]} < 3 * 7)) || merge_forged
}
merge_forged() {
  local i
  ((${#noted[@]})) || return 0
  rm -rf forged f.stickslip
  cp -r "a folder" forged
  python3 - "${noted[@]}" <<'PYTHON'
import json, sys
for task, change in enumerate(sys.argv[2::3]):
    lines = [json.loads(line) for line in open("a folder/%d.jsonl" % task)]
    head, result, motions = lines[0], lines[-1], [line for line in lines if line["type"] == "trajectory"]
    exec(change)
    kept = [line for line in lines if line["type"] != "trajectory" or line in motions]
    open("forged/%d.jsonl" % task, "w").write("".join(json.dumps(line) + "\n" for line in kept))
PYTHON
  check "forged: status" status 1 sweep --merge forged --project f.stickslip --json
  check "forged: the others come in" merged $((8 - ${#noted[@]} / 3)) 0 0 0 $((${#noted[@]} / 3))
  for ((i = 0; i < ${#noted[@]}; i += 3)); do
    check "${noted[i]}: named" has err "left out: $((i / 3)).jsonl: ${noted[i + 2]}"
  done
  noted=()
}
left_out "another objective" 'result["result"]["metrics"]["objective"] = -123.0' "Objective: -123, by its motion"
left_out "no violation" 'result["result"]["metrics"]["max_violation"] = 0.5' "Violation: 0.5, by its motion"
left_out "another end" 'result["result"]["final_state"]["px"] = 7.0' "px at the end: 7, by its motion"
left_out "no motion" 'motions.clear()' "it claims success and has no motion"
left_out "an outcome of its own" 'result["outcome"] = result["result"]["outcome"] = "excellent"' "its outcome is none"
left_out "two outcomes" 'result["outcome"] = "max_iterations"' "it has two outcomes"
left_out "another scenario" 'head["scenario_text"] = head["scenario_text"].replace("0.5", "0.6")' "it is of another study"
left_out "another parameter" 'head["parameters"] = json.dumps({"N": 40, "mu": 0.9, "j": 0})' "it is of another study"
left_out "another method" 'head["method"] = "ipopt"' "it is of another study"
merge_forged
rm forged/1.jsonl
mkfifo forged/1.jsonl
check "a pipe in the folder: no wait" bash -c 'timeout 20 "$0" sweep --merge forged --project p.stickslip >out 2>err; [ $? = 1 ]' "$cli"
check "a pipe in the folder: left out" has err "left out: 1.jsonl: "

# what a file may have wrong without any motion to tell it
left_out "an id of no run" 'head["run"] = result["result"]["run"] = "../../last"' "its run has no id of ours"
left_out "another place on the axes" 'head["values"] = json.dumps({"N": 40, "mu": 0.9, "j": 0})' "it is of another study"
left_out "another number" 'head["task"] += 1' "it is of another study"
left_out "a text for a seed" 'head["seed"] = "x"' "its seed of a line"
left_out "no time" 'result["ended"] = "yesterday"' "its ended of a line"
left_out "no machine" 'head["machine"]["pid"] = "x"' "its machine's pid"
left_out "a log of numbers" 'lines.insert(1, {"type": "log", "t": 0, "level": 1, "text": 7})' "its text of a line"
left_out "two answers" 'motions.append(motions[0]); lines.insert(1, motions[0])' "it has two answers"
left_out "an unknown role" 'motions[0]["role"] = "hero"' "a motion of it is of an unknown role"
left_out "fewer rows than it says" 'motions[0]["shape"][0] = 10' "the answer among its motions cannot be read"
left_out "rows below 0" 'motions[0]["shape"][0] = -5' "the answer among its motions cannot be read"
left_out "success without a result" 'result["result"] = None' "it claims success and has no result"
left_out "two messages" 'result["message"] = "fine"' "it has two messages"
left_out "the result of another run" 'result["result"]["run"] = "00000000-0000-4000-8000-000000000000"' "its result is of another run"
left_out "another method in the result" 'result["result"]["method"]["name"] = "ipopt"' "its result is by another method"
left_out "another value in the result" 'result["result"]["scenario"]["values"]["mu"] = 0.9' "Parameter mu: not the value"
left_out "another file in the result" 'result["result"]["scenario"]["sha256"] = "0" * 64' "Scenario: its result is of another one"
left_out "the outcome of an integrator" 'result["outcome"] = result["result"]["outcome"] = "completed"' "its outcome is none of its kind"
left_out "a text for a metric" 'result["result"]["metrics"]["objective"] = "low"' "Objective: not the kind of number"
left_out "a count below 0" 'result["result"]["metrics"]["iterations"] = -5' "Iterations: below 0"
left_out "a time below 0" 'result["result"]["metrics"]["cpu_seconds"] = -1.0' "CPU time: below 0"
left_out "no metrics" 'result["result"]["metrics"] = {}' "Objective: it claims success without it"
left_out "an unknown channel at the end" 'result["result"]["final_state"]["mars.x"] = 3.0' "mars.x at the end: not of its motion"
for early in time_limit cpu_limit cancelled interrupted max_iterations; do
  left_out "another objective, $early" 'result["outcome"] = result["result"]["outcome"] = "'$early'"; result["result"]["metrics"]["objective"] = -123.0' "Objective: -123, by its motion"
done
merge_forged
# texts of files, changed as a whole
for damages in 0 1; do
  rm -rf forged f.stickslip
  cp -r "a folder" forged
  python3 - $damages <<'PYTHON'
import sys
damages = [lambda text: text.replace('"objective":', '"objective":NaN,"old":', 1), lambda text: text.replace('"objective":', '"objective":1e999,"old":', 1),
           lambda text: text.replace('"outcome":', '"outcome":"failed","outcome":', 1), lambda text: text[:-40], lambda text: text + "\ngarbage\n",
           lambda text: text.replace("\n", "\n\n", 1), lambda text: text.replace("push", "pu\0sh", 1), lambda text: '["', lambda text: "\ufeff" + text]
for task, damage in enumerate(damages[int(sys.argv[1])::2]):
    open("forged/%d.jsonl" % task, "w").write(damage(open("a folder/%d.jsonl" % task).read()))
PYTHON
  check "damaged texts: status" status 1 sweep --merge forged --project f.stickslip --json
  check "damaged texts: the others come in" merged $((3 + damages)) 0 0 0 $((5 - damages))
done

# two files of one id, and one with the id of a run that the project has: named, and the rest comes in
rm -rf forged f.stickslip
cp -r "a folder" forged
python3 - <<'PYTHON'
import json
lines = [json.loads(line) for line in open("a folder/1.jsonl")]
lines[0]["run"] = lines[-1]["result"]["run"] = json.loads(open("a folder/0.jsonl").readline())["run"]
open("forged/1.jsonl", "w").write("".join(json.dumps(line) + "\n" for line in lines))
PYTHON
check "an id twice" status 1 sweep --merge forged --project f.stickslip --json
check "an id twice: the others come in" merged 7 0 0 0 1
check "an id twice: named" has err "left out: 1.jsonl: its run has the id of another one"
"$cli" simulate "$fall" --t-end 0.1 --project g.stickslip --quiet >/dev/null
python3 - "$("$cli" list g.stickslip --ids)" <<'PYTHON'
import json, sys
lines = [json.loads(line) for line in open("a folder/1.jsonl")]
lines[0]["run"] = lines[-1]["result"]["run"] = sys.argv[1]
open("forged/1.jsonl", "w").write("".join(json.dumps(line) + "\n" for line in lines))
PYTHON
check "the id of a run that is here" status 1 sweep --merge forged --project g.stickslip --json
check "the id of a run that is here: the others come in" merged 7 0 0 0 1
check "the id of a run that is here: no link to it" is 7 ask g.stickslip "SELECT count(*) FROM study_run WHERE run_id IS NOT NULL"

# simulations: every scene that a study may have, by methods with and without rows of their own between steps
for scene in classics/bouncing-ball classics/ball-on-ramp sketches/falling-box classics/four-bar fesd-j/two-balls; do
  for method in stewart-trinkle moreau-jean semi-implicit-euler fesd-j event-driven constraint-solver time-freezing convex-time-stepping; do
    rm -rf scene s.stickslip
    "$cli" sweep "$root/examples/$scene.stickslip.json" --vary dt=0.02 --methods $method --time-limit 60 --slurm scene --submit "$work/fake-sbatch" >out 2>err || continue
    check "$scene by $method: merges" status 0 sweep --merge scene --project s.stickslip --quiet
  done
done
rm -rf falling
"$cli" sweep "$fall" --vary dt=0.01,0.02 --methods stewart-trinkle --slurm falling --submit "$work/fake-sbatch" >out 2>err
# scene_left_out NAME PYTHON WORDS: as left_out, of a simulation.
scene_left_out() {
  rm -rf forged s.stickslip
  cp -r falling forged
  sed "s/a folder/falling/" <<<'import json, struct, base64, sys
lines = [json.loads(line) for line in open("a folder/0.jsonl")]
motion, result = next(line for line in lines if line["type"] == "trajectory"), lines[-1]["result"]
def put(row, column, value):
    data = bytearray(base64.b64decode(motion["data"]))
    struct.pack_into("<d", data, 8 * (row * motion["shape"][1] + column), value)
    motion["data"] = base64.b64encode(data).decode()
exec(sys.argv[1])
open("forged/0.jsonl", "w").write("".join(json.dumps(line) + "\n" for line in lines))' >forge.py
  python3 forge.py "$2"
  check "$1: status" status 1 sweep --merge forged --project s.stickslip --json
  check "$1: named" has err "left out: 0.jsonl: $3"
  check "$1: the other comes in" merged 1 0 0 0 1
}
scene_left_out "another energy" 'result["metrics"]["energy_final"] = -123.0' "Energy at the end [J]: -123, by its motion"
scene_left_out "an account of another energy" 'result["energy"]["final"] = -123.0' "Energy final: -123, by its motion"
scene_left_out "other work" 'result["energy"]["work"]["contacts"] = 7.0' "Energy work contacts: 7, by its motion"
scene_left_out "another overlap" 'result["metrics"]["max_swept_overlap"] = 5.0' "Overlap between rows [m]: 5, by its motion"
scene_left_out "an event of nobody" 'result["events"].append({"t": 0.1, "kind": "impact", "contact": "mars", "point": 0, "impulse": 1.0})' "Events: one is of no contact"
scene_left_out "an event of no kind" 'result["events"][0]["kind"] = "explosion"' "Events: not all of them"
scene_left_out "an event after the end" 'result["events"][0]["t"] = 9.0' "Events: one is outside the time"
scene_left_out "time that runs back" 'put(50, 0, -3.0)' "Motion: its time runs back"
scene_left_out "a time that is no number" 'put(0, 0, float("nan"))' "Motion: its time runs back"
scene_left_out "a place that is no number" 'put(50, 1, float("nan"))' "Motion: a state of a success"
scene_left_out "an infinite place" 'put(50, 1, float("inf"))' "Motion: a state of a success"
scene_left_out "warnings of numbers" 'result["warnings"] = [1]' "one of its warnings is no text"

check "no study there" status 2 sweep --merge . --project c.stickslip

# --- only what is left is submitted again
rm "a folder/6.jsonl"
: >"a folder/submitted"
check "submits the rest" status 0 "${study[@]}" --slurm "a folder" --submit "$work/fake-sbatch"
check "submits the rest: one" has err "1 tasks in 1 jobs"
check "submits the rest: its file" test -s "a folder/6.jsonl"
check "nothing is left" status 0 "${study[@]}" --slurm "a folder" --submit "$work/fake-sbatch"
check "nothing is left: said" has err "nothing is submitted"
check "another study's folder" status 2 sweep "$box" --vary mu=0.4 --methods crisp --slurm "a folder" --submit true
check "sbatch that fails" status 4 "${study[@]}" --slurm fresh --submit false
check "sbatch that fails: the folder is ready" has err "is ready: submit its job.sh by hand"
check "project: what it has is not submitted" status 0 sweep --resume last --project a.stickslip --slurm other --submit true
check "project: said" has err "all 8 tasks have a run"

# --- a task that is ended from outside, while its worker solves for seconds, leaves no file
"$cli" sweep --study fresh/study.json --vary N=10000 --task 5 --events ended.jsonl --quiet >out 2>err & task=$!
await pgrep -P $task >/dev/null && kill -TERM $task
wait $task
check "ended from outside: it says so" [ $? = 3 ]
check "ended from outside: no file" test ! -e ended.jsonl

# --- a real Slurm, one node, ended again: as root, from Debian's packages slurm-wlm and munge
if [ "${STICKSLIP_TEST_ALL:-0}" = 1 ]; then
  if command -v slurmctld >/dev/null && command -v munged >/dev/null && [ "$(id -u)" = 0 ]; then
    check "a real Slurm" bash "$root/tests/cli/real-slurm.sh" "$cli" "$root"
  else
    echo "skipped: no Slurm here (apt-get install slurm-wlm munge)"
  fi
fi
finish
