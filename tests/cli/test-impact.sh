#!/usr/bin/env bash
# The verb impact: files of numbers and scenes, every law, tables; numbers are those of the reference data.
#   test-impact.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
models=$root/tests/data/set-valued

# --- laws on a file of numbers
check "all simultaneous solutions" status 0 impact "$models/compass-gait.json" --law anitescu-potra --option all=on --json
check "are the three of the reference" python3 - "$models/compass-gait-reference.json" <<'PYTHON'
import json, sys
ours, theirs = json.load(open("out")), json.load(open(sys.argv[1]))["simultaneous_anitescu_potra"]["solutions"]
assert ours["contacts"] == ["A", "B"] and len(ours["outcomes"]) == len(theirs) == 3, ours
for a, b in zip(ours["outcomes"], theirs):
    assert max(abs(x - y) for x, y in zip(a["v"], b["v"])) < 1e-9, (a, b)
    assert set(a) >= {"v", "vn", "vt", "ln", "lt", "kinetic_energy", "modes", "order", "solves"}
assert [o["modes"][1] for o in ours["outcomes"]] == ["stick", "slide+", "lift"]
PYTHON
check "a sequence" status 0 impact "$models/box-wall.json" --law sequential --option order=B,A --json
check "in its order" python3 -c '
import json
o = json.load(open("out"))["outcomes"]
assert len(o) == 1 and o[0]["order"] == ["B", "A"] and o[0]["solves"] == 2 and abs(o[0]["vn"][1] - 0.105642286542) < 1e-9, o'
check "Newton's law" status 0 impact "$models/rocking-block.json" --law newton
check "as a table" has out "0.221472"

# --- samples
check "samples" status 0 impact "$models/rocking-block.json" --option samples=4096 --option seed=7 --plane vn_A,vn_B --samples-out s.csv --json
check "numbers of the set" python3 - <<'PYTHON'
import csv, json
r = json.load(open("out"))
assert r["samples"] == 4096 and abs(r["lcps_per_sample"] - 2.4725) < 0.06 and r["finished_fraction"] == 1, r
assert r["policy"] == "lemke" and r["seed"] == 7 and r["unfinished"] == 0 and r["dropped"] == 0 and r["pointed"] is True
assert r["ambiguous_fraction"] is None and r["max_residual"] < 1e-9 and abs(r["r"] - 1) < 1e-9
assert abs(sum(m["fraction"] for m in r["modes"]) - 1) < 1e-12 and all(abs(m["fraction"] - 1 / 3) < 0.04 for m in r["modes"]), r["modes"]
assert abs(r["configuration"]["kinetic_energy"] - 0.0981) < 1e-12 and len(r["configuration"]["hash"]) == 64
hull = r["hulls"][0]["vertices"]
area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(hull, hull[1:] + hull[:1])) / 2
assert r["hulls"][0]["x"] == "vn_A" and 0.0030 < area < 0.00433, area
rows = list(csv.reader(open("s.csv")))
assert rows[0] == ["vn_A", "vt_A", "vn_B", "vt_B", "kinetic_energy"] and len(rows) == 4097
assert abs(max(float(x[4]) for x in rows[1:]) - r["kinetic_energy_max"]) < 1e-15
PYTHON
check "bounds of the set" python3 - <<'PYTHON'
import json
r = json.load(open("out"))
most = 0.7 * 0.3 * (2 * 9.81 * 0.01) ** 0.5  # one corner after the other
assert r["bound"] == "modes" and [e["speed"] for e in r["extents"]] == ["vn_A", "vt_A", "vn_B", "vt_B"], r["extents"]
for e in r["extents"][::2]:
    assert abs(e["outer"][1] - most) < 1e-9 and 0.99 * most < e["inner"][1] < most + 1e-9 and e["outer"][0] == 0, e
hull = r["hulls"][0]
legs = {tuple(p["mode"]): p["vertices"] for p in hull["outer"]}
assert set(legs) == {("lift", "stick"), ("stick", "lift")} and all(len(v) == 2 for v in legs.values()), legs
for p in hull["inner"]:
    on = 1 if p["mode"] == ["lift", "stick"] else 0  # nothing off the legs
    assert all(abs(v[on]) < 1e-9 for v in p["vertices"]) or p["mode"] == ["stick", "stick"], p
PYTHON
check "both told" status 0 impact "$models/rocking-block.json" --option samples=4096 --quiet
check "as a table" has out "outer from"
# [002 (78)-(79)]
check "with the theorems' numbers" has out "Theorem 8: |r| 1, c 64: with probability 0.95 a sample ends within 91 steps"
check "of steps and samples" has out "Theorem 9: with probability 0.95, at least 10^"
check "a drawn scene" status 0 impact "$root/examples/impacts/ramone.stickslip.json" --option samples=500 --json
check "has them too" python3 -c '
import json
r = json.load(open("out"))
assert r["pointed"] and r["c"] > 0 and r["theorem_8"]["steps"] > r["c"] and r["theorem_9"]["log10_samples"] > 100, r["theorem_9"]'
check "draws at corners" status 0 impact "$models/rocking-block.json" --option draw=corners --option bound=off --plane vn_A,vn_B --json
check "reach the extremes by themselves" python3 -c '
import json
r = json.load(open("out"))
assert r["extents"] == [] and r["bound"] is None and r["hulls"][0]["outer"] is None, r["extents"]
assert abs(max(v[0] for v in r["hulls"][0]["vertices"]) - 0.0930184) < 1e-6, r["hulls"]'
check "more contacts than modes can be listed of" status 0 impact "$models/disk-stack.json" --option samples=1000 --json
check "are bounded by their energy" python3 -c '
import json
r = json.load(open("out"))
assert r["bound"] == "energy" and "energy" in r["message"], r["message"]
assert all(e["outer"][0] <= e["inner"][0] + 1e-9 and e["inner"][1] <= e["outer"][1] for e in r["extents"]), r["extents"]'
check "two threads" status 0 impact "$models/rocking-block.json" --option samples=4096 --option seed=7 --option threads=2 --samples-out t.csv --quiet
check "the same bits" cmp s.csv t.csv
check "all solutions of each step" status 0 impact "$models/compass-gait.json" --option policy=enumerate --option samples=2000 --json
check "most steps have several" python3 -c 'import json; f = json.load(open("out"))["ambiguous_fraction"]; assert abs(f - 0.9) < 0.05, f'

# --- Poisson's restitution: a cradle of balls that touch sends its last one
cradle=$root/examples/classics/newtons-cradle.stickslip.json
check "a cradle of balls that touch" status 0 simulate "$cradle" --set gap=0 --method event-driven --option law=sequential --option law.restitution=poisson --t-end 0.4 --dt 0.01 --json
check "sends its last ball" python3 -c '
import json, math
r = json.load(open("out"))
s, v = r["final_state"], math.sqrt(2 * 9.81 * 0.5 * (1 - math.cos(0.6)))  # of the first at the bottom
impact = [e for e in r["events"] if e["kind"] == "impact"]
assert r["outcome"] == "completed" and len(impact) == 1 and abs(impact[0]["impulse"] - v) < 1e-6, impact
assert all(math.hypot(s[f"ball{i}.vx"], s[f"ball{i}.vy"]) < 1e-9 for i in range(1, 5)), s
m = r["metrics"]
assert abs(m["energy_final"] - m["energy_initial"]) < 1e-9, m'

check "given rates" status 0 impact "$models/rocking-block.json" --option rates=1,1 --json
check "end at rest by symmetry" python3 -c '
import json
o = json.load(open("out"))["outcomes"]
assert len(o) == 1 and max(abs(x) for x in o[0]["v"]) < 1e-9, o'

# --- scenes
cat >block.stickslip.json <<'SCENE'
{"format": 1, "name": "block", "scene": {"friction": 1, "bodies": [
  {"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
  {"name": "block", "mass": 1, "shape": {"type": "box", "width": 1, "height": 2}, "position": [0, 1.2], "velocity": [0, -1]}]},
 "task": {"t_end": 0.3, "dt": 0.1}}
SCENE
# [002 (13)]
check "nothing touches" status 2 impact block.stickslip.json
check "says so" has err "nothing touches"
check "a motion" status 0 simulate block.stickslip.json --trajectory m.csv --quiet
check "at a time of it, with a gap" status 0 impact block.stickslip.json --from m.csv --at 0.1 --touching 0.2 --law sequential --json
check "turns on one corner" python3 -c '
import json
o = json.load(open("out"))["outcomes"][0]
assert json.load(open("out"))["contacts"] == ["floor-block.1", "floor-block.2"] and abs(o["vn"][0] / 0.21 - json.load(open("out"))["configuration"]["vn"][0] / -1) < 1e-9, o'

# --- examples: the scenes of the paper, with the steps that their files name
check "a drawn scene with joints" status 0 impact "$root/examples/impacts/compass-gait.stickslip.json" --json
check "is the reference's" python3 -c '
import json
r = json.load(open("out"))
assert r["contacts"] == ["A", "B"] and r["step"] == 0.25 and r["max_steps"] == 5 and abs(r["lcps_per_sample"] - 3.25) < 0.06, r
assert abs(sum(m["fraction"] for m in r["modes"] if m["mode"][1] == "lift") - 0.1) < 0.03'
check "integrators refuse a body without inertia" status 2 simulate "$root/examples/impacts/compass-gait.stickslip.json"
check "and name it" has err "'leading' has no inertia"

# --- seven contacts at once: three disks on the floor, one on two of them
python3 - "$root/examples/impacts/disk-stack.stickslip.json" <<'PYTHON'
import copy, json, sys
d = json.load(open(sys.argv[1]))
third = copy.deepcopy(d["scene"]["bodies"][3])
third.update(name="third", position=["4*radius", "radius"])
d["scene"]["bodies"].append(third)
d["scene"]["contacts"] += [{"name": "F", "bodies": ["floor", "third"]}, {"name": "G", "bodies": ["right", "third"]}]
json.dump(d, open("seven.json", "w"))
PYTHON
for policy in lemke random-covering; do
  check "a pyramid by $policy" status 0 impact seven.json --option policy=$policy --option samples=4096 --json
  check "every sample ends, with less energy than before" python3 -c '
import json
r = json.load(open("out"))
assert len(r["contacts"]) == 7 and r["finished_fraction"] == 1 and r["max_residual"] <= 1e-9, r
assert 0 <= r["kinetic_energy_min"] <= r["kinetic_energy_max"] < r["kinetic_energy_before"], r'
done
check "too many modes" status 2 impact seven.json --option policy=enumerate
check "their number" has err "823543 modes"

# --- runs are stored: result, samples, branches, seed, policy, hash
check "a set is stored" status 0 impact "$models/box-wall.json" --project p.stickslip --seed 9 --option samples=3000 --samples-out b.csv --quiet
check "its id is told" grep -q '^run ' out
check "outcomes of a scene too" status 0 impact "$root/examples/impacts/compass-gait.stickslip.json" --law anitescu-potra --option all=on --project p.stickslip --json
check "as branches" python3 - <<'PYTHON'
import json, sqlite3
r, db = json.load(open("out")), sqlite3.connect("p.stickslip")
rows = db.execute("SELECT role, branch, share, n_rows FROM motion WHERE run_id = ?", (r["run"],)).fetchall()
assert len(r["outcomes"]) == len(rows) and all(x[0] == "branch" and x[3] == 2 for x in rows), rows
assert abs(sum(x[2] for x in rows) - 1) < 1e-12 and [m["role"] for m in r["motions"]] == ["branch"] * len(rows)
PYTHON
check "both are listed" status 0 list p.stickslip --json
check "with seed and law" python3 -c '
import json
new, old = json.load(open("out"))
assert (old["method"], old["outcome"], old["seed"], old["options"]["samples"]) == ("set-valued", "completed", 9, "3000"), old
assert new["method"] == "anitescu-potra" and new["scenario"] == "compass-gait" and old["scenario"] == "box-wall"'
id=$("$cli" list p.stickslip --ids | head -n 1)
check "shown" status 0 show "$id" --project p.stickslip
check "with its modes" has out "A stick, B stick"
check "shown as JSON" status 0 show "$id" --project p.stickslip --json
check "with what made it" python3 -c '
import json
r = json.load(open("out"))["result"]
assert r["policy"] == "lemke" and r["seed"] == 9 and r["metrics"]["samples"] == 3000 and len(r["configuration"]["hash"]) == 64
assert r["sample_table"]["shape"] == [3000, 7] and "data" not in r["sample_table"]'
check "samples are written" status 0 export "$id" --project p.stickslip --plot samples --to stored.csv
check "as they were drawn, in single precision" python3 - <<'PYTHON'
import csv
a, b = list(csv.reader(open("b.csv"))), list(csv.reader(open("stored.csv")))
assert len(a) == len(b) == 3001 and b[0][:5] == a[0] and b[0][5:] == ["lcps", "state"]
assert all(abs(float(x) - float(y)) <= 1e-7 * abs(float(x)) + 1e-40 for p, q in zip(a[1:], b[1:]) for x, y in zip(p, q))
PYTHON
check "so are shares" status 0 export "$id" --project p.stickslip --plot shares --to shares.tex
check "of the same set" has shares.tex "tabular"
check "the planes" status 0 export "$id" --project p.stickslip --to planes.svg
check "the configuration" status 0 export "$id" --project p.stickslip --plot configuration --to again.json
check "which is the same" status 0 impact again.json --option samples=3000 --seed 9 --samples-out again.csv --quiet
check "and gives the same" cmp b.csv again.csv
check "of joints too" status 0 export last --project p.stickslip --plot configuration --to gait.json
check "in as many coordinates as move" python3 -c 'import json; assert len(json.load(open("gait.json"))["M"]) == 4'
check "with its three answers" status 0 impact gait.json --law anitescu-potra --option all=on --json
check "of the reference" python3 -c '
import json
vn = sorted(o["vn"][1] for o in json.load(open("out"))["outcomes"])
assert len(vn) == 3 and abs(vn[2] - 0.099555) < 1e-6, vn'
check "outcomes have no planes" status 2 export last --project p.stickslip --plot shares --to no.tex
check "a simulation" status 0 simulate block.stickslip.json --project p.stickslip --quiet
check "has no samples" status 2 export last --project p.stickslip --plot samples --to no.csv
check "but a state for an impact" status 0 impact block.stickslip.json --from last --at 0.1 --touching 0.2 --law sequential --project p.stickslip --json
check "which is kept with its run" python3 - <<'PYTHON'
import json, sqlite3
r = json.load(open("out"))
assert r["start_from"] == sqlite3.connect("p.stickslip").execute("SELECT id FROM run WHERE method != 'sequential' ORDER BY started DESC").fetchone()[0]
PYTHON
check "with its gap" python3 -c 'import json; assert json.load(open("out"))["configuration"]["touching"] == 0.2'
check "and exported" status 0 export last --project p.stickslip --plot configuration --to state.json
check "again" status 0 impact state.json --law sequential --json
check "the same outcome" python3 - <<'PYTHON'
import json, sqlite3
again = json.load(open("out"))
text = sqlite3.connect("p.stickslip").execute("SELECT result FROM run JOIN run_result ON run = number WHERE method = 'sequential' ORDER BY started DESC").fetchone()[0]
made = json.loads(text)
assert all(abs(a - b) < 1e-12 for a, b in zip(again["outcomes"][0]["vn"], made["outcomes"][0]["vn"])), (again, made)
PYTHON

# --- Ctrl-C and limits: what there is, within a moment, and it is stored
"$cli" impact "$models/disk-stack-published-code.json" --option policy=enumerate --option samples=1000000 --project p.stickslip --json --quiet >out 2>err &
pid=$!
await has_used $pid 500
kill -INT $pid
wait $pid
check "Ctrl-C has its status" [ $? = 3 ]
check "and the samples so far" python3 -c '
import json
r = json.load(open("out"))
assert r["outcome"] == "cancelled" and 0 < r["samples"] < 1000000 and r["sample_table"]["shape"][0] == r["samples"], r
assert abs(r["finished_fraction"] + r["unfinished"] + r["dropped"] - 1) < 1e-12 and r["max_residual"] < 1e-9'
n=$(python3 -c 'import json; print(json.load(open("out"))["samples"])')
check "which are stored" status 0 export last --project p.stickslip --plot samples --to cancelled.csv
check "all of them" [ "$(wc -l <cancelled.csv)" = $((n + 1)) ]
check "a time limit" status 3 impact "$models/disk-stack-published-code.json" --option samples=16777216 --time-limit 0.3
check "says so" grep -qE "\((time_limit|machine_slow)\)" out
check "a memory limit" status 4 impact "$models/rocking-block.json" --option samples=16777216 --memory-limit 400M

# --- contacts that give way (speeds: rocking-block-compliant.json, at the ends of both sweeps)
block=$root/examples/impacts/rocking-block.stickslip.json
check "a sweep of the stiffness" status 0 impact "$block" --compliant ratio --option cases=3 --samples-out ratio.csv
check "a sweep of the angle" status 0 impact "$block" --compliant angle --option cases=3 --json
check "both reach the figure's ends" python3 - out ratio.csv "$models/rocking-block-compliant.json" <<'PYTHON'
import csv, json, sys
angle = json.load(open(sys.argv[1]))
ratio = list(csv.DictReader(open(sys.argv[2])))
reference = json.load(open(sys.argv[3]))
ends = {"ratio": [[float(r["vn_floor-block.1"]), float(r["vn_floor-block.2"])] for r in (ratio[0], ratio[-1])],
        "angle": [r[3:5] for r in (angle["rows"][0], angle["rows"][-1])]}
assert angle["columns"][3:5] == ["vn_floor-block.1", "vn_floor-block.2"]
for name, runs in ("ratio", reference["stiffness_ratio_sweep"]), ("angle", reference["initial_angle_sweep"]):
    for mine, theirs in zip(ends[name], (runs[0], runs[-1])):
        assert all(abs(a - b) < 1e-5 for a, b in zip(mine, theirs["vn"])), (name, mine, theirs)
PYTHON
python3 - "$block" <<'PYTHON'
import csv, json, subprocess, sys
d = json.load(open(sys.argv[1]))
body = next(b for b in d["scene"]["bodies"] if not b.get("fixed"))
body.update(position=[0, 5], velocity=[0, 0])
json.dump(d, open("above.json", "w"))
state = [0, 1, 0, 0, -(2 * 9.81 * 0.01) ** 0.5, 0]
names = [body["name"] + "." + k for k in ("x", "y", "theta", "vx", "vy", "omega")]
with open("landing.csv", "w") as f:
    f.write(",".join(["t"] + names) + "\n")
    for t, row in (0, [0, 5, 0, 0, 0, 0]), (0.5, state), (1, [0, 7, 0, 0, 1, 0]):
        f.write(",".join(["%.17g" % x for x in [t] + row]) + "\n")
PYTHON
check "in the air nothing touches" status 2 impact above.json --compliant ratio
check "from a motion at its landing" status 0 impact above.json --compliant ratio --option cases=3 --from landing.csv --at 0.5 --samples-out landed.csv
check "the same sweep" python3 - <<'PYTHON'
import csv
a, b = list(csv.reader(open("ratio.csv"))), list(csv.reader(open("landed.csv")))
# speeds; gravity's energy has another height
assert a[0] == b[0] and all(abs(float(x) - float(y)) < 1e-12 for p, q in zip(a[1:], b[1:]) for x, y in zip(p[:7], q[:7])), (a, b)
PYTHON
check "at its end nothing touches" status 2 impact above.json --compliant ratio --from landing.csv
check "no time without a motion" status 2 impact above.json --compliant ratio --at 1
"$cli" impact "$block" --compliant angle --option cases=100000 --json >out 2>err &
pid=$!
await has_used $pid 500
kill -INT $pid
wait $pid
check "Ctrl-C ends a sweep" [ $? = 3 ]
check "with the cases so far" python3 -c 'import json; r = json.load(open("out")); assert r["outcome"] == "cancelled" and 0 < len(r["rows"]) < 100000'
check "no third sweep" status 2 impact "$block" --compliant mu
check "no law besides" status 2 impact "$block" --compliant ratio --law newton

# --- a box lands beside a ball that rests: the ball's share of the problem is rounding, which is no reason to have no answer
cat >two.json <<'JSON'
{"format": 1, "name": "two", "scene": {"gravity": [0, -9.81], "bodies": [{"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
  {"name": "box", "mass": 1.3, "shape": {"type": "box", "width": 0.7, "height": 0.3}, "position": [0, 0.15], "velocity": [0.1, -1.1]},
  {"name": "ball", "mass": 0.3, "shape": {"type": "circle", "radius": 0.1}, "position": [2, 0.1]}], "contacts": [{"bodies": ["floor", "box"],
  "friction": 0.5}, {"bodies": ["floor", "ball"], "friction": 0.3, "restitution": 0.5}]}, "task": {"t_end": 1, "dt": 0.01}}
JSON
check "what lands beside what rests" status 0 impact two.json --law anitescu-potra

# --- what is wrong is said
check "misspelt law" status 2 impact "$models/rocking-block.json" --law seqential
check "nearest law" has err "sequential"
check "misspelt option" status 2 impact "$models/rocking-block.json" --option sampels=3
check "no such plane" status 2 impact "$models/rocking-block.json" --plane vn_A,vn_Z --json
check "order with a stranger" status 2 impact "$models/rocking-block.json" --law sequential --option order=A,C
check "names it" has err "'C'"
python3 - "$models/rocking-block.json" <<'PYTHON'
import json, sys
model = json.load(open(sys.argv[1]))
model["mu"] = [1, -1]
model["Jt"][1] = [1, 0]
json.dump(model, open("wrong.json", "w"), indent=1)
PYTHON
check "wrong numbers" status 2 impact wrong.json
check "all of them, with their places" bash -c 'grep -q "Jt\[1\]: this has 2 (expected 3 numbers)" err && grep -q "mu\[1\]: .*from 0 to 1e9" err'
check "a time without a motion" status 2 impact block.stickslip.json --at 1
finish
