#!/usr/bin/env bash
# Measures of a scene, the verb `measure`, assertions of compare and sweep, distributions over a study. Truth: a ball
# that falls freely, y = 2 - 5 t^2, beside one that stands.
#   test-measure.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >fall.json <<'END'
{"format": 1, "name": "fall", "title": "", "parameters": {"v": {"value": 0, "minimum": -9, "maximum": 9}},
 "scene": {"gravity": [0, -10],
  "bodies": [{"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
   {"name": "ball", "shape": {"type": "circle", "radius": 0.1}, "mass": 1, "position": [3, 2], "velocity": [0, "v"]}],
  "contacts": [],
  "measures": [{"name": "height", "between": ["floor", "ball"]}, {"name": "away", "between": ["0,2", "ball"]}],
  "notes": [{"at": [0, 1], "text": "falls freely"}]},
 "outcomes": {"low": "min(measure.height)"}, "task": {"t_end": 0.5, "dt": 0.001}, "methods": {"event-driven": {}}}
END
check "a scene with measures" status 0 simulate fall.json --method event-driven --project p.stickslip --json
check "are channels of its motion" python3 -c '
import json
r = json.load(open("out"))
assert abs(r["outcomes"]["low"]["value"] - 0.75) < 1e-9 and r["outcomes"]["low"]["unit"] == "m", r["outcomes"]'
# Chosen channels for pgfplots: those of a plot share an axis with its unit, each by its name, and a logarithmic axis is one.
check "channels for LaTeX" status 0 export last --plot channels --channels 'ball.vy,ball.vx;energy.kinetic' --log-y --to plot.tex --project p.stickslip
check "with axes, units, names, and the fall" python3 -c '
import math, re
tex = open("plot.tex").read()
panels = [(re.search(r"ylabel=\{(.*?)\}", p).group(1), "ymode=log" in p, re.findall(r"addlegendentry\{(.*?)\}", p),
           re.findall(r"table\[x=(\w+), y=(\w+)\]", p)) for p in tex.split(r"\nextgroupplot")[1:]]
rows = [line.split() for line in open("plot.dat")]
columns = {n: [float(r[i]) for r in rows[1:]] for i, n in enumerate(rows[0])}
assert [p[2] for p in panels] == [["ball.vy", "ball.vx"], []], panels
assert "m/s" in panels[0][0] and "J)" in panels[1][0], panels
assert [p[1] for p in panels] == [False, True], panels   # no speed is above 0
(x, y), = panels[1][3]
pairs = [(t, k) for t, k in zip(columns[x], columns[y]) if not math.isnan(t)]
assert len(pairs) > 100 and all(abs(k - 50 * t * t) < 1e-6 for t, k in pairs), pairs[:3]'
check "what lies between two times" status 0 measure last --project p.stickslip --from 0.1 --to 0.3 --format jsonl --values v.csv --spectrum s.csv
check "as the closed form" python3 -c '
import json, math
r = {one["channel"]: one for one in map(json.loads, open("out"))}
h, a = r["measure.height"], r["measure.away"]
y = lambda t: 2 - 5 * t * t
assert abs(h["at_from"] - y(.1)) < 1e-9 and abs(h["at_to"] - y(.3)) < 1e-9 and abs(h["slope"] + 2) < 1e-8, h
assert abs(h["mean"] - (2 - 5 * (.3**3 - .1**3) / 3 / .2)) < 1e-5, h   # straight lines between rows: 5/6 of dt^2
assert abs(a["most"] - math.hypot(3, 5 * .09)) < 1e-9 and a["unit"] == "m", a'
check "its rows and its spectrum" python3 -c '
import csv
rows, lines = list(csv.DictReader(open("v.csv"))), list(csv.DictReader(open("s.csv")))
assert len(rows) >= 201 and abs(float(rows[-1]["t"]) - 0.3) < 1e-9 and set(rows[0]) == {"t", "measure.height", "measure.away"}, rows[0]
assert abs(float(lines[0]["frequency"]) - 5) < 1e-9 and len(lines) in (127, 255), lines[0]'
check "a measure that the scene does not keep" status 0 measure last --project p.stickslip --between 0,0 --and ball --format csv
check "from the world" grep -q '0,0 to ball' out
check "no such feature" status 2 measure last --project p.stickslip --between ball.edge1 --and floor
check "says what there is" grep -q 'has 0 edges' err
check "no such channel" status 2 measure last --project p.stickslip --channel ball.z
check "nor half of a measure" status 2 measure last --project p.stickslip --between ball

check "an assertion that holds by all" status 0 compare fall.json --methods event-driven,moreau-jean --assert 'up=always(measure.height > 0.7)' --quiet
check "and one that does not" status 1 compare fall.json --methods event-driven,moreau-jean --assert 'up=always(measure.height > 0.8)' --quiet
check "by whom" grep -q 'up: fails at .* by moreau-jean' err
check "runs of a study" status 1 sweep fall.json --vary v=0:3:4 --methods event-driven --title Falls --project p.stickslip --assert 'up=always(measure.height > 1)'
check "are counted" grep -q 'up: holds in 3 of 4 runs' err
check "the share of them" status 0 figure Falls --table summary --project p.stickslip --to sum.csv
check "in the summary" python3 -c '
import csv
row = next(csv.DictReader(l for l in open("sum.csv") if not l.startswith("#")))
assert abs(float(row["up"]) - 0.75) < 1e-12, row'
check "how an outcome spreads" status 0 figure Falls --kind distribution --metric low --project p.stickslip --to d.csv
check "in bins of the runs" python3 -c '
import csv
rows = list(csv.DictReader(l for l in open("d.csv") if not l.startswith("#")))
assert abs(sum(float(r["share"]) for r in rows) - 1) < 1e-3 and abs(float(rows[0]["from"]) - 0.75) < 1e-6, rows
assert abs(float(rows[-1]["to"]) - 2) < 1e-6, rows'
check "as a picture" status 0 figure Falls --kind distribution --metric low --project p.stickslip --to d.svg
check "with quantiles below" grep -q 'quantiles 5 %' d.svg
finish
