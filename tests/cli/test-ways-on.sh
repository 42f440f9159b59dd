#!/usr/bin/env bash
# A plan that fails and what would make it solvable: printed with commands that make the changed file, which is solved;
# in JSON; off; kept in a project. `edit` by itself, and the time it finds. The controller of a plan as CSV, JSON and C.
#   test-ways-on.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

push=$root/examples/plans/push-box-with-disc.stickslip.json
check "a task that is too short" status 0 edit "$push" --field task.horizon=0.3 --field task.steps=15 --field task.t_end=0.3 --to short.stickslip.json
check "says where it is" has out short.stickslip.json
check "which is a scenario" status 0 validate short.stickslip.json
# The member that fails first, and one second of counted work: the solved way is the first that is tried.
check "cannot be solved" status 1 optimise short.stickslip.json --method auto --option member=steady --ways-on 1 --project p.stickslip
check "but with more time" has out "Solvable with 0.9 s and 45 steps instead of 0.3 s and 15 (tried: solved, cost"
check "as the message says first" has out ": Solvable with "
command=$(grep -o "stickslip-cli edit .*time.stickslip.json'" out | head -n 1)
check "a command makes the file" [ -n "$command" ]
check "in a shell" bash -c "stickslip-cli() { '$cli' \"\$@\"; }; $command"
check "which is solved" status 0 optimise short-time.stickslip.json --method auto --option member=steady --quiet
check "in JSON" status 1 optimise short.stickslip.json --method auto --option member=steady --ways-on 1 --json
check "each with its edits" python3 -c '
import json
ways = json.load(open("out"))["ways_on"]
time = [w for w in ways if w["kind"] == "time" and w["outcome"] == "solved"]
assert len(time) == 1 and time[0]["objective"] > 0 and 0 < time[0]["work"] < 2, ways
assert {e["path"]: e["value"] for e in time[0]["edits"]} == {"task.horizon": 0.9, "task.t_end": 0.9, "task.steps": 45}, ways
assert len(ways) > 1 and all(w["outcome"] != "solved" for w in ways[sum(w["outcome"] == "solved" for w in ways):]), ways
'
check "the run keeps them" bash -c "'$cli' show last --project p.stickslip --json | grep -q ways_on"
check "none when off" status 1 optimise short.stickslip.json --method auto --option member=steady --ways-on 0 --json
check "is none" hasnt out "\"ways_on\": \["
check "no text is no number of seconds" status 2 optimise short.stickslip.json --ways-on soon
check "and says so" has err "a number of seconds"

check "edit prints" status 0 edit "$push" --field 'task.targets[0].angle=0.5' --without 'task.targets[0].velocity'
check "what was set" has out '"angle": 0.5'
check "without what was taken out" hasnt out '"velocity"'
check "a formula" status 0 edit "$push" --field 'scene.bodies[1].mass=2 * mu'
check "stays one" has out '"2 * mu"'
check "a wrong path" status 2 edit "$push" --field 'task.targets[7].angle=0.5'
check "is named" has err "task.targets[7].angle"
check "what breaks a rule" status 2 edit "$push" --field task.horizon=-1
check "is told" has err "horizon"
check "nothing to do" status 2 edit "$push"
# A horizon ten times too long becomes one that simulated motions need, and that a plan is found with. The steps go with it.
check "a task that is too long" status 0 edit "$push" --field task.horizon=20 --field task.t_end=20 --to long.stickslip.json --quiet
check "its time is found" status 0 edit long.stickslip.json --find-time --to found.stickslip.json --quiet
check "far shorter, the same for all that simulates" python3 -c '
import json
task = json.load(open("found.stickslip.json"))["task"]
assert 0.2 < task["horizon"] == task["t_end"] < 4 and task["steps"] >= 10, task'
check "enough for a plan" status 0 optimise found.stickslip.json --method auto --option member=steady --quiet
check "not of a plan whose time is free" status 2 edit "$push" --field task.free_time.lower=1 --field task.free_time.upper=2 --find-time
check "which is said" has err "its time is free"
check "not without a goal" status 2 edit "$root/examples/classics/bouncing-ball.stickslip.json" --find-time
check "which is said too" has err "it has no goal"

check "a plan" status 0 optimise "$push" --method auto --option member=steady --project c.stickslip --quiet
check "its controller as C" status 0 export last --plot controller --to plan.c --project c.stickslip
check "as JSON" status 0 export last --plot controller --to plan.json --project c.stickslip
check "as CSV" status 0 export last --plot controller --to plan.csv --project c.stickslip
check "not as a picture" status 2 export last --plot controller --to plan.png --project c.stickslip
check "compiles alone" cc -std=c11 -Wall -Wextra -Werror -Wno-missing-prototypes -c plan.c -o plan.o
cat >main.c <<'C'
#include <stdio.h>
void stickslip_controller (double t, const double *x, double *u);
int main (void)
{
  double t, x[64], u[64];
  int n, m;
  if (scanf ("%d %d", &n, &m) != 2)
    return 1;
  while (scanf ("%lf", &t) == 1) {
    for (int i = 0; i < n; i++)
      if (scanf ("%lf", &x[i]) != 1)
        return 1;
    stickslip_controller (t, x, u);
    for (int a = 0; a < m; a++)
      printf ("%.17g%c", u[a], a + 1 < m ? ' ' : '\n');
  }
  return 0;
}
C
check "and with a main" cc -std=c11 main.c plan.o -lm -o plan
# The law once more, from the numbers of the JSON file.
check "the law of JSON and of C is one" python3 -c '
import bisect, json, random, subprocess
c = json.load(open("plan.json"))
n, m = len(c["states"]), len(c["controls"])
rows, steps = c["rows"], c["steps"]
def law(t, x):
    r = max(0, bisect.bisect_right(rows["t"], t) - 1)
    k = max(0, bisect.bisect_right(steps["t"], t) - 1)
    planned = rows["x"][r]
    if r + 1 < len(rows["t"]) and t > rows["t"][r]:
        s = (t - rows["t"][r]) / (rows["t"][r + 1] - rows["t"][r])
        planned = [a + s * (b - a) for a, b in zip(rows["x"][r], rows["x"][r + 1])]
    u = [w - sum(g * (a - b) for g, a, b in zip(gain, x, planned)) for w, gain in zip(steps["u"][k], steps["K"][k])]
    return [min(max(v, lo), hi) for v, lo, hi in zip(u, c["lower"], c["upper"])]
draw = random.Random(5)
cases = [(draw.uniform(0, 2.4), [draw.uniform(-.02, .02) + v for v in draw.choice(rows["x"])]) for _ in range(500)]
text = f"{n} {m}\n" + "\n".join(" ".join(repr(v) for v in [t, *x]) for t, x in cases)
out = subprocess.run(["./plan"], input=text, capture_output=True, text=True, check=True).stdout.split("\n")
worst = max(abs(float(a) - b) for line, (t, x) in zip(out, cases) for a, b in zip(line.split(), law(t, x)))
assert len(out) == 501 and worst < 1e-12 * 20, worst
table = [line.split(",") for line in open("plan.csv").read().split("\n") if line]
assert table[0][:2] == ["t", "u.fx"] and len(table) == len(steps["t"]) + 1, table[0]
assert float(table[1][1]) == steps["u"][0][0]
'
check "held by the engine" status 0 replay last --project c.stickslip --method stewart-trinkle --dt 0.01 --controller lqr --disturb disc.x=0.003 --trajectory r.csv --quiet
# Row k's controls act from t_k on, in the state of that row. Rounding of a sum of products below 20 N.
check "the C file gives the engine's controls" python3 -c '
import csv, json, subprocess
c = json.load(open("plan.json"))
rows = list(csv.DictReader(open("r.csv")))
use = rows[:-1]
text = "%d %d\n" % (len(c["states"]), len(c["controls"])) + "\n".join(" ".join([r["t"], *(r[s] for s in c["states"])]) for r in use)
out = subprocess.run(["./plan"], input=text, capture_output=True, text=True, check=True).stdout.split("\n")
worst = max(abs(float(a) - float(r["u." + n])) for line, r in zip(out, use) for a, n in zip(line.split(), c["controls"]))
assert len(use) > 50 and worst < 1e-12 * 20, worst
'
cat >touch.c <<'C'
#include <stdio.h>
void stickslip_contact_controller (double t, const double *x, const double *forces, int *phase, double *u);
int main (void)
{
  double t, x[64], f[64], u[64];
  int n, m, k, phase = 0;
  if (scanf ("%d %d %d", &n, &m, &k) != 3)
    return 1;
  while (scanf ("%lf", &t) == 1) {
    for (int i = 0; i < n + k; i++)
      if (scanf ("%lf", i < n ? &x[i] : &f[i - n]) != 1)
        return 1;
    stickslip_contact_controller (t, x, f, &phase, u);
    for (int a = 0; a < m; a++)
      printf ("%.17g%c", u[a], a + 1 < m ? ' ' : '\n');
  }
  return phase > 0 ? 0 : 1;
}
C
check "that which knows contacts" cc -std=c11 -Wall -Wextra -Werror -Wno-missing-prototypes touch.c plan.o -lm -o touch
check "held by it" status 0 replay last --project c.stickslip --method stewart-trinkle --dt 0.01 --controller contact --disturb disc.x=0.003 --trajectory r.csv --quiet
check "the C file gives its controls through an impact, and files have all that it needs" python3 -c '
import csv, json, subprocess
c = json.load(open("plan.json"))
k = c["contact"]
use = list(csv.DictReader(open("r.csv")))[:-1]
text = "%d %d %d\n" % (len(k["states"]), len(c["controls"]), len(k["forces"])) + "\n".join(" ".join([r["t"], *(r[s] for s in k["states"]), *(r[s] for s in k["forces"])]) for r in use)
out = subprocess.run(["./touch"], input=text, capture_output=True, text=True, check=True).stdout.split("\n")
worst = max(abs(float(a) - float(r["u." + n])) for line, r in zip(out, use) for a, n in zip(line.split(), c["controls"]))
assert len(use) > 50 and worst < 1e-12 * 20, worst
table = list(csv.DictReader(open("plan.csv")))
row = k["phases"][0]["row"]
assert float(table[row]["contact.phase"]) == 1 and table[row]["contact.closing"] == k["phases"][0]["closing"] and table[row - 1]["contact.closing"] == ""
assert float(table[row]["contact.K.%s.%s" % (c["controls"][0], k["states"][0])]) == k["K"][row][0][0] and len(k["L"][0][0]) == len(k["forces"])
'
check "what is no plan" status 0 simulate "$fall" --project c.stickslip --quiet
check "has none" status 2 export last --plot controller --to fall.c --project c.stickslip
finish
