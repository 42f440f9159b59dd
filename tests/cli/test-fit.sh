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
head -n 3 one.csv >short.csv
check "two rows" status 2 fit slide.json --motion short.csv --free mu
check "are too few" has err "short.csv has 2 rows"
check "a model" status 2 fit "$box" --motion one.csv --free mu
finish
