#!/bin/bash
# tests/cli/test-pull.sh: pulled outcomes from the command line. The truth is x = v^2 / (2 mu g).
. "$(dirname "$0")/lib.sh"
cat >slide.json <<'J'
{"format": 1, "name": "slide", "parameters": {"mu": {"value": 0.4, "minimum": 0.2, "maximum": 0.6}}, "scene": {"gravity": [0, -9.81], "friction": "mu", "contacts": "all", "bodies": [
  {"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
  {"name": "box", "mass": 2, "position": [0, 0.1], "velocity": [2, 0], "shape": {"type": "box", "width": 0.4, "height": 0.2}}]},
 "task": {"t_end": 1.5, "dt": 0.05}}
J
check "a pull" status 0 pull slide.json --want 'final(box.x)=0.7' --change mu --pulled pulled.json
check "says so" has out "Reached"
check "the scene with it" status 0 simulate pulled.json --method event-driven --outcome 'x=final(box.x)' --json
check "ends there" python3 -c 'import json; r = json.load(open("out")); assert abs(r["outcomes"]["x"]["value"] - 0.7) < 1e-6, r["outcomes"]'
check "a range" status 0 pull slide.json --want 'final(box.x)=0.6' --change mu --range mu --points 5 --to range.csv --figure range.svg --json
cat >look.py <<'P'
import csv, json
r = json.load(open("out"))
mu = r["changes"]["mu"]["value"]
assert r["reached"] and r["verdict"] == "none" and r["stop"] is None and abs(mu - 4 / (2 * 9.81 * 0.6)) < 1e-6, r
assert abs(r["outcomes"][0]["slopes"]["mu"] + 0.6 / mu) < 1e-6, r["outcomes"]
for p in r["range"]["points"]:
    assert abs(p["values"][0] - 4 / (2 * 9.81 * p["at"])) < 1e-6, p
rows = list(csv.DictReader(open("range.csv")))
assert len(rows) == len(r["range"]["points"]) and float(rows[0]["mu"]) == 0.2, rows
P
check "what is in it" python3 look.py
check "the picture" grep -q "<svg" range.svg
check "out of reach" status 1 pull slide.json --want 'final(box.x)=0.1' --change mu
check "says what stands in the way" has out "end of its range"
check "nothing wanted" status 2 pull slide.json --change mu
check "nothing changes" status 2 pull slide.json --want 'final(box.x)=1'
check "no value" status 2 pull slide.json --want 'final(box.x)' --change mu
check "an unknown number" status 2 pull slide.json --want 'final(box.x)=1' --change nu
check "a table without a range" status 2 pull slide.json --want 'final(box.x)=1' --change mu --to x.csv
check "no plot of runs" status 2 export last --plot reach --to x.svg
check "is told where it is" has err "pull FILE"
check "asked beside" status 0 pull slide.json --want 'final(box.x)=1' --change mu --outcome 'fastest=max(box.vx)' --outcome 'stops=count(stick)' --json --quiet
check "it answers of the motion that was found" python3 -c '
import json
answers = json.load(open("out"))["answers"]
assert abs(answers["fastest"]["value"] - 2) < 1e-9 and answers["fastest"]["unit"] == "m/s" and answers["stops"]["value"] >= 1, answers'
check "a word that no event has" status 2 pull slide.json --want 'final(box.x)=1' --change mu --outcome 'a=count(impact nothing)'
check "is refused" has err "no event has the word 'nothing'"
check "an option of other verbs" status 2 fit slide.json --outcome 'a=final(box.x)'
check "is told as such" has err "of other verbs"
finish
