#!/usr/bin/env bash
# Studies from the command line: what they run, in which order, how they end, go on, stop, fail.
#   test-sweep.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ask() { python3 -c 'import sqlite3, sys; print("|".join(map(str, sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())))' "$@"; }
# is TEXT COMMAND...: whether the command prints that text.
is() {
  local expected=$1 got
  shift
  got=$("$@") && [ "$got" = "$expected" ] || { echo "'$got' (expected '$expected'): $*"; return 1; }
}
study=(sweep "$box" --vary N=40 --vary mu=0.2,0.3 --vary j=0,8 --methods crisp,crisp:correction=better)

# --- the list of runs, without running
check "dry run" status 0 "${study[@]}" --dry-run --format csv
check "dry run: eight tasks in order" diff - out <<'END'
task,method,N,mu,j
0,CRISP,40,0.2,0
1,"CRISP, correction better",40,0.2,0
2,CRISP,40,0.2,8
3,"CRISP, correction better",40,0.2,8
4,CRISP,40,0.3,0
5,"CRISP, correction better",40,0.3,0
6,CRISP,40,0.3,8
7,"CRISP, correction better",40,0.3,8
END
check "dry run: counted" has err "8 runs"
check "Latin hypercube" status 0 sweep "$box" --vary mu=0.2..0.8 --latin 5 --seed 3 --methods crisp --dry-run --json
check "Latin hypercube: each fifth once" python3 -c 'import json; runs = json.load(open("out"))["runs"]; assert sorted(int((r["mu"] - 0.2) / 0.12) for r in runs) == [0, 1, 2, 3, 4], runs'

check "a parameter that is set" status 0 sweep "$box" --vary mu=0.2,0.3 --set N=40 --methods crisp --dry-run --json
check "a parameter that is set: in each run" python3 -c 'import json; runs = json.load(open("out"))["runs"]; assert [(r["mu"], r["N"]) for r in runs] == [(0.2, 40), (0.3, 40)], runs'

# --- bad input
check "set and varied" status 2 sweep "$box" --vary mu=0.2,0.3 --set mu=0.4 --methods crisp --dry-run
check "set and varied: says so" has err "--set and --vary both give mu"
check "an option is set" status 0 sweep "$box" --set max-iterations=5 --methods crisp --dry-run
check "an option is set: in all runs" has out "   0  CRISP                5"
check "set, but nothing that could vary" status 2 sweep "$box" --set max-iteration=5 --methods crisp --dry-run
check "set, but nothing that could vary: what was meant" has err "did you mean 'max-iterations'"
check "no project" status 2 "${study[@]}"
check "no project: says so" has err "needs --project"
check "unknown name" status 2 sweep "$box" --vary muu=1 --methods crisp --project bad.stickslip
check "unknown name: what there is" has err "did you mean 'mu'?: there are parameters j, tht"
check "no methods" status 2 sweep "$box" --vary mu=1 --project bad.stickslip
check "range without samples" status 2 sweep "$box" --vary mu=0.1..1 --methods crisp --project bad.stickslip
check "bad format" status 2 "${study[@]}" --project bad.stickslip --format xls
check "nothing was made" test ! -e bad.stickslip
check "no such study" status 2 sweep --resume none --project bad.stickslip

# --- running, and the same command once more
check "runs" status 0 "${study[@]}" --project a.stickslip --title "Friction" --json
check "runs: eight solved" python3 -c '
import json
report = json.load(open("out"))
assert (report["tasks"], report["solved"], report["queued"], report["title"]) == (8, 8, 0, "Friction"), report
assert [r["task"] for r in report["runs"]] == list(range(8)) and all(r["outcome"] == "solved" and r["objective"] > 0 for r in report["runs"])'
cp out first
check "again: nothing is run" status 0 "${study[@]}" --project a.stickslip --title "Friction" --json
check "again: the same runs" python3 -c 'import json; assert json.load(open("out"))["runs"] == json.load(open("first"))["runs"]'
check "eight runs, one study" is "8|8|1" ask a.stickslip "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM study_run), (SELECT count(*) FROM study)"
check "values for queries" is "1" ask a.stickslip "SELECT count(*) FROM study_run s JOIN run r ON r.id = run_id JOIN metric m ON m.run = r.number WHERE task ->> 'mu' = 0.3 AND task ->> 'j' = 8 AND options = '{}' AND m.name = 'objective'"
check "list" status 0 sweep --list --project a.stickslip --json
check "list: ended of all" python3 -c 'import json; s = json.load(open("out")); assert [(x["title"], x["ended"], x["runs"]) for x in s] == [("Friction", 8, 8)], s'
check "resume by title" status 0 sweep --resume Friction --project a.stickslip --format csv
check "resume: the table" is 9 sh -c 'wc -l <out | tr -d " "'

# --- a file, steps, initial states, seeds; a run that is not solved
cat >steps.json <<END
{"format": 1, "title": "Steps", "scenario": {"file": "$root/examples/classics/bouncing-ball.stickslip.json"},
 "vary": [{"name": "dt", "values": [0.02, 0.01]}, {"name": "ball.y", "values": "1,2"}], "methods": ["moreau-jean"]}
END
check "file" status 0 sweep --study steps.json --project b.stickslip --json
check "file: steps and states are what ran" python3 -c '
import json
runs = json.load(open("out"))["runs"]
assert [(r["dt"], r["ball.y"]) for r in runs] == [(0.02, 1), (0.02, 2), (0.01, 1), (0.01, 2)]
assert runs[2]["steps"] == 2 * runs[0]["steps"], runs'
check "initial state of the motion" sh -c '"$0" export $("$0" list b.stickslip --ids | tail -1) --project b.stickslip --plot trajectory --to t.csv && python3 -c "
import csv; assert float(next(csv.DictReader(open(\"t.csv\")))[\"ball.y\"]) == 2"' "$cli"
# Implicit Euler falls dt t / 2 deeper than h - g t^2 / 2 by g: exactly.
check "horizons" status 0 sweep "$root/examples/classics/bouncing-ball.stickslip.json" --vary t_end=0.2,0.4 --set dt=0.01 --methods stewart-trinkle --outcome "end=final(ball.y)" --project h.stickslip --json
check "horizons are what ran" python3 -c '
import json
runs = json.load(open("out"))["runs"]
assert [(r["t_end"], r["steps"]) for r in runs] == [(0.2, 20), (0.4, 40)], runs
for r in runs:
    t = r["t_end"]
    assert abs(r["end"] - (1.1 - 9.81 * (t * t + 0.01 * t) / 2)) < 1e-12, r'
check "horizon of a plan" status 2 sweep "$root/examples/plans/push-box-with-disc.stickslip.json" --vary t_end=1,2 --methods crisp --dry-run
check "horizon of a plan: says where it is" has err "the horizon of a plan is in its task"
check "a lower bound beside each answer" status 0 sweep "$root/examples/crisp/transport.stickslip.json" --vary N=30 --methods crisp --bound 1 --project b.stickslip --json
check "a lower bound: columns of the table" python3 -c '
import json
run, = json.load(open("out"))["runs"]
assert abs(run["objective"] - run["lower_bound"] - run["gap"] * run["objective"]) < 1e-9 * run["objective"] and run["gap"] >= 0, run'
check "a lower bound of a simulation" status 2 sweep --study steps.json --bound 1 --project b.stickslip
check "bad member" sh -c 'sed s/vary/vray/ steps.json >bad.json; "$0" sweep --study bad.json --project b.stickslip 2>err; [ $? = 2 ]' "$cli"
check "bad member: its name" has err "no member 'vray'; did you mean 'vary'?"
check "not solved" status 1 sweep "$box" --vary max-iterations=1,500 --methods crisp --project b.stickslip
check "again: a study" status 0 sweep "$box" --vary mu=0.2 --vary N=40 --methods crisp --project c.stickslip
# --- a study that goes on takes nothing that it would ignore, and --dry-run makes and removes nothing
runs_of() { "$cli" list "$1" --ids | sort; }
runs_of c.stickslip >before
for more in "--dry-run" "--dry-run --again solved" "--vary mu=0.9" "--set mu=0.9" "--methods ipopt" "--random 3" "--latin 3" \
  "--seed 3" "--task 1" "--events e.jsonl" "--submit true" "--slurm-options x"; do
  check "resume refuses $more" status 2 sweep --resume last --project c.stickslip $more
  check "resume refuses $more: with words" has err "does not take --"
done
check "resume refuses a file" status 2 sweep "$box" --resume last --project c.stickslip
runs_of c.stickslip >after
check "resume refuses: the runs are as they were" cmp before after
check "merge refuses what it ignores" status 2 sweep --merge folder --project c.stickslip --vary mu=1
check "merge refuses: with words" has err "'sweep --merge' does not take --vary"
check "list refuses what it ignores" status 2 sweep --list --project c.stickslip --again failed
check "a new study refuses --events" status 2 sweep "$box" --vary mu=0.2 --methods crisp --project d.stickslip --events e.jsonl
check "a folder for a cluster refuses --dry-run" status 2 sweep "$box" --vary mu=0.2 --methods crisp --slurm dry --dry-run --submit true
check "a folder for a cluster refuses --dry-run: none is made" [ ! -e dry ]
check "again: not an outcome" status 2 sweep --resume last --project c.stickslip --again solvd
check "again: made once more" status 0 sweep --resume last --project c.stickslip --again solved,time_limit
check "again: the former is removed" is "2|1" ask c.stickslip "SELECT count(*), sum(deleted IS NULL) FROM run"

# --- two programs on one study
"$cli" "${study[@]}" --project two.stickslip --slurm folder --submit true >out 2>err # makes the study
"$cli" "${study[@]}" --project two.stickslip --quiet >out1 2>&1 & other=$!
"$cli" "${study[@]}" --project two.stickslip --quiet >out2 2>&1
wait $other
check "two programs: no run twice" is "8|8|1" ask two.stickslip "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM study_run), (SELECT count(*) FROM study)"

# --- a solver that crashes ends its run alone
cat >crashing <<END
#!/bin/sh
[ -e crashed ] || { touch crashed; kill -SEGV \$\$; }
exec "$cli" worker
END
chmod +x crashing
check "crash" sh -c 'STICKSLIP_WORKER=./crashing "$@" --jobs 1 --project crash.stickslip >out 2>err; [ $? = 1 ]' - "$cli" "${study[@]}"
check "crash: in the table" has out "interrupted"
check "crash: said" has err "CRISP, N 40, mu 0.2, j 0: interrupted: the worker was ended by signal 11"
check "crash: the others ended" is "7|1" ask crash.stickslip "SELECT sum(outcome = 'solved'), sum(outcome = 'interrupted') FROM run"
check "crash: made again" status 0 "${study[@]}" --project crash.stickslip
check "crash: no run twice" is "8|8" ask crash.stickslip "SELECT count(*), sum(outcome = 'solved') FROM run WHERE deleted IS NULL"

# --- Ctrl-C says how to go on
"$cli" sweep "$box" --vary N=$lasting --vary mu=0.2,0.5,0.8 --methods crisp --jobs 2 --project stop.stickslip >out 2>err &
sweep=$!
two_run() { [ "$(sqlite3 -readonly stop.stickslip "SELECT count(*) FROM run" 2>/dev/null)" = 2 ]; }
await two_run
kill -INT $sweep
wait $sweep
check "Ctrl-C" test $? = 3
check "Ctrl-C: how to go on" has err "To go on: stickslip-cli sweep --resume"
check "Ctrl-C: nothing runs on" is "2" ask stop.stickslip "SELECT sum(outcome = 'cancelled') FROM run"

# --- no room
full=$(( $(stat -c %s a.stickslip) / 1024 + 100 ))
cp a.stickslip full.stickslip
check "no room" bash -c 'ulimit -f $1; shift; "$@" --project full.stickslip >out 2>err; [ $? = 4 ]' - "$full" "$cli" sweep "$box" --vary N=100 --vary mu=0.3:0.9:40 --methods crisp --jobs 1
check "no room: said" has err "full.stickslip: "
check "no room: how to go on" has err "To go on"
check "no room: sound" is "ok" ask full.stickslip "PRAGMA integrity_check"
check "no room: what ended is there" is "1" ask full.stickslip "SELECT count(*) >= 8 FROM run WHERE outcome = 'solved'"

# --- killed at random moments
kills=5
[ "${STICKSLIP_TEST_ALL:-0}" = 1 ] && kills=50
[ $kills = 5 ] || check "500 runs keep two cores busy" python3 "$root/tests/cli/sweep-busy.py" "$cli" "$box" 500 95
check "killed $kills times" python3 "$root/tests/cli/sweep-kill.py" "$cli" "$box" $kills
finish
