#!/bin/bash
# tests/cli/test-fit.sh: numbers of a scene from measured motions. The films are made here by closed forms.
. "$(dirname "$0")/lib.sh"
cat >slide.json <<'J'
{"format": 1, "name": "slide", "parameters": {"mu": {"value": 0.5, "minimum": 0, "maximum": 1}}, "scene": {"gravity": [0, -9.81], "friction": "mu", "contacts": "all", "bodies": [
  {"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
  {"name": "box", "mass": 2, "position": [0, 0.1], "velocity": [1, 0], "shape": {"type": "box", "width": 0.4, "height": 0.2}}]},
 "task": {"t_end": 1, "dt": 0.05}}
J
# film FILE SEED SPEED SCALE: x = v t - mu g t^2 / 2 with mu = 0.31 until it rests, 1 mm of noise, gaps and outliers.
cat >film.py <<'P'
import random, sys
name, seed, v, scale = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
random.seed(seed)
with open(name, "w") as out:
    print("t,box.x,box.y,frame", file=out)
    for k in range(90):
        t = k / 100
        s = min(t, v / (0.31 * 9.81))
        x = scale * (v * s - 0.31 * 9.81 * s * s / 2) + random.gauss(0, 1e-3) + (0.05 if random.random() < 0.02 else 0)
        y = scale * 0.1 + random.gauss(0, 1e-3)
        print(f"{t},{'' if k % 17 == 5 else x},{'nan' if k % 23 == 7 else y},{k}", file=out)
P
python3 film.py one.csv 1 1.4 1
python3 film.py two.csv 2 1.9 1
python3 film.py far.csv 3 1.9 1.5
trials="--motion one.csv --motion two.csv"
check "a fit" status 0 fit slide.json $trials --free mu,box.x,box.vx
check "what it says" has out "good fit"
check "JSON" status 0 fit slide.json $trials --free mu=0.05:0.9,box.x,box.vx --profile mu --json --values values.csv --fitted fitted.json --project p.stickslip
cat >look.py <<'P'
import json
r = json.load(open("out"))
mu = r["estimates"]["mu"]
assert r["outcome"] == "solved" and r["verdict"] == "good" and r["trials"] == 2, r
assert mu["identifiable"] and abs(mu["value"] - 0.31) < 0.05 * 0.31 and mu["interval"][0] < mu["value"] < mu["interval"][1], mu
assert abs(r["estimates"]["box.vx[2]"]["value"] - 1.9) < 0.02, r["estimates"]
assert 0.5e-3 < r["residuals"]["box.x"]["deviation"] < 1.5e-3 and r["residuals"]["box.x"]["outliers"] < 0.06, r["residuals"]
names, matrix = r["correlation"]["names"], r["correlation"]["matrix"]
assert names[0] == "mu" and all(abs(matrix[i][i] - 1) < 1e-12 for i in range(len(names)))
p = r["profiles"]["mu"]
assert min(p["rise"]) <= 0.5 and p["rise"][0] > 3.84 and p["values"] == sorted(p["values"])
assert len(r["runs"]["measured"]) == len(r["runs"]["fitted"]) == 2
P
check "what is in it" python3 look.py
# --- data without noise, of the method itself
check "a motion of the program" status 0 simulate slide.json --set mu=0.31 --method event-driven --trajectory exact.csv --quiet
check "is fitted" status 0 fit slide.json --motion exact.csv --free mu=0.05:0.9 --starts 2 --method event-driven --json --quiet
check "to the number that made it" python3 -c '
import json
r = json.load(open("out"))
mu = r["estimates"]["mu"]
assert r["verdict"] == "good" and mu["identifiable"] and abs(mu["value"] - 0.31) < 1e-6 and mu["interval"][1] - mu["interval"][0] < 1e-3, r'
check "values" grep -q '^1,box.x,0.01,' values.csv
check "the fitted scenario is one" status 0 simulate fitted.json --method event-driven --quiet
check "runs are stored" status 0 list p.stickslip
check "measured ones" has out "imported"
check "and fitted ones" has out "event-driven"
check "which come out the same again" status 0 reproduce last --project p.stickslip
check "another model" status 0 fit slide.json $trials --free mu,box.x,box.vx --also mu=0.5
check "is refused by the data" has out "strongly against"
check "a wrong scale" status 1 fit slide.json --motion far.csv --free mu,box.x,box.vx --json
check "gets no interval" python3 -c 'import json; r = json.load(open("out")); e = r["estimates"]["mu"]; assert r["verdict"] == "poor" and e["interval"] is None and not e["identifiable"], r'
check "no motion" status 2 fit slide.json --free mu
check "nothing free" status 2 fit slide.json --motion one.csv
check "an unknown name" status 2 fit slide.json --motion one.csv --free nu
check "is named" has err "did you mean 'mu'"
check "a formula" status 2 fit slide.json --motion one.csv --free scene.friction
check "has parameters" has err "name its parameter"
check "bounds that are none" status 2 fit slide.json --motion one.csv --free mu=0.3
check "an unknown loss" status 2 fit slide.json --motion one.csv --free mu --loss cubes
check "a motion of another scene" status 2 fit "$fall" --motion values.csv --free mu
# columns that are called otherwise, in other units: the same fit
awk -F, -v OFS=, 'NR == 1 { print "Time [s]", "X (mm)", "height", "frame"; next } { x = $2; y = $3; if (x != "") x *= 1000; if (y != "nan") y *= 100; print $1, x, y, $4 }' one.csv >other.csv
check "columns that are called otherwise" status 2 fit slide.json --motion other.csv --free mu
check "are asked for" has err "other.csv: no column is a channel of the scene"
check "by their names, and told" status 0 fit slide.json --motion other.csv --free mu,box.x,box.vx --map guess,height=box.y:cm
check "the guess is told" has out "Column X (mm) is box.x [mm]"
check "in JSON" status 0 fit slide.json --motion other.csv --free mu,box.x,box.vx --map guess,height=box.y:cm --json
cp out mapped.json
check "as with their own names" status 0 fit slide.json --motion one.csv --free mu,box.x,box.vx --json
cat >same.py <<'P'
import json
a, b = json.load(open("mapped.json")), json.load(open("out"))
assert a["columns"]["X (mm)"] == {"channel": "box.x", "unit": "mm", "guessed": True} and a["columns"]["frame"] is None, a["columns"]
assert a["columns"]["height"] == {"channel": "box.y", "unit": "cm", "guessed": False}, a["columns"]
for name in ("mu", "box.x", "box.vx"):  # rounding of the table: awk writes 6 digits
    assert abs(a["estimates"][name]["value"] - b["estimates"][name]["value"]) < 1e-2 * b["estimates"][name]["standard_error"] + 1e-5, name
P
check "are the same numbers" python3 same.py
check "no such column" status 2 fit slide.json --motion other.csv --free mu --map width=box.x
check "is named" has err "no table has a column “width”"
check "no such unit" status 2 fit slide.json --motion other.csv --free mu --map height=box.y:inch
check "is told with those" has err "expected m, cm, mm"
check "two for one" status 2 fit slide.json --motion other.csv --free mu --map guess,height=box.x
check "are named" has err "two columns, “X (mm)” and “height”"
for p in fitted paths residuals estimates ellipse descent; do
  check "a picture of $p" status 0 fit slide.json $trials --free mu,box.x,box.vx --plot $p --figure $p.svg --quiet
  check "is one" grep -q '</svg>' $p.svg
done
check "numbers of a plot" status 0 fit slide.json $trials --free mu,box.x,box.vx --plot residuals --trial 2 --figure r.csv --quiet
check "of one trial" python3 -c 'import csv; rows = list(csv.DictReader(open("r.csv"))); assert {r["run"] for r in rows} == {"trial 2"} and {r["quantity"] for r in rows} == {"box.x residual", "box.y residual"}'
check "two estimates" status 0 fit slide.json $trials --free mu,box.x,box.vx --plot ellipse --pair "mu,box.vx[2]" --figure e.json --quiet
check "are named there" python3 -c 'import json; c = json.load(open("e.json"))["curves"]; assert [k["run"] for k in c] == ["68 %", "95 %"] and c[0]["x_name"] == "mu" and c[0]["quantity"] == "box.vx[2]"'
check "no such plot" status 2 fit slide.json $trials --free mu --plot motion --figure x.svg
check "lists those that are" has err "fitted, paths, residuals, estimates, ellipse or descent"
check "no film of a plot" status 2 fit slide.json $trials --free mu --figure x.webp
check "runs have no such plot" status 2 export last --plot residuals --to x.svg --project p.stickslip
check "which says where it is" has err "fit FILE"
head -n 3 one.csv >short.csv
check "two rows" status 2 fit slide.json --motion short.csv --free mu
check "are too few" has err "short.csv has 2 rows"
check "a model" status 2 fit "$box" --motion one.csv --free mu
finish
