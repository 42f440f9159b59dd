#!/usr/bin/env bash
# The verb `accuracy`: references of all kinds, tables and figure, runs kept as a comparison, bad input; the verb `paper`.
#   test-accuracy.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
incline=$root/data/bench/incline.stickslip.json
ball=$root/examples/classics/bouncing-ball.stickslip.json
fall='ball.y=h0+r-g*t^2/2'

# --- a closed form: t^2/2 is exact for the midpoint rule, h t/2 off for the others
check "against a closed form" status 0 accuracy "$ball" --t-end 0.4 --closed-form "$fall" --json \
  --methods moreau-jean,stewart-trinkle,fesd-j:stages=2 --steps 0.04,0.01,0.02 --figure figure.pdf --to orders.tex --table orders
check "orders and errors" python3 -c '
import json
report = json.load(open("out"))
methods = {m["method"]: m for m in report["methods"]}
assert methods["moreau-jean"]["exact"] and methods["fesd-j:stages=2"]["exact"]
theirs = methods["stewart-trinkle"]
assert abs(theirs["order"] - 1) < 1e-3 and theirs["points"] == 3 and theirs["dt_first"] == 0.04, theirs
assert "restitution" in theirs["law"]
runs = [r for r in report["runs"] if r["method"] == "stewart-trinkle"]
assert [r["dt"] for r in runs] == [0.04, 0.02, 0.01], runs
for r in runs: # symplectic Euler in free fall is late by g h t/2
    assert abs(r["errors"]["end"] - 9.81 * r["dt"] * 0.4 / 2) < 1e-9, r
    assert abs(r["surplus"]) < 1e-9 and r["metrics"]["cpu_seconds"] > 0 and abs(r["work"]["gravity"]) > 1
assert report["compared"] == "ball.y" and report["reference"] == "closed form"'
check "the figure is a PDF" has figure.pdf %PDF
check "the table is LaTeX" has orders.tex '\toprule'

# --- an outcome: symplectic Euler is late by g h t/2, its own finest run by that of its step
check "an outcome against the finest run" status 0 accuracy "$ball" --t-end 0.4 --methods stewart-trinkle --steps 0.04,0.02,0.01 \
  --reference own --outcome 'down=final(ball.y)' --json
check "its errors and order" python3 -c '
import json
report = json.load(open("out"))
assert report["error"] == "outcome" and report["asked"] == "down"
for r in report["runs"]:
    assert abs(r["errors"]["outcome"] - 9.81 * (r["dt"] - 0.00125) * 0.4 / 2) < 1e-9, r
assert 0.9 < report["methods"][0]["order"] < 1.3, report["methods"]'
check "a closed form has no outcome" status 2 accuracy "$ball" --t-end 0.4 --closed-form "$fall" --methods stewart-trinkle --outcome 'down=final(ball.y)'
check "says so" has err "An outcome is compared with that of a run"
check "an unknown channel" status 2 accuracy "$ball" --t-end 0.4 --reference own --methods stewart-trinkle --outcome 'down=final(boll.y)'

# --- the finest run, a table, a stored run; the runs become a comparison
check "each method's own finest run" status 0 accuracy "$ball" --t-end 0.4 --methods stewart-trinkle --steps 0.04,0.02,0.01 \
  --reference own --quiet --project study.stickslip
check "it says which" has out "each method with a step of 0.00125 s"
check "the comparison" status 0 list study.stickslip --comparisons --json
check "has the runs and the reference" python3 -c '
import json
(comparison,) = json.load(open("out"))
assert comparison["title"] == "Accuracy: Bouncing Ball" and len(comparison["runs"]) == 4, comparison'
check "a stored run" status 0 accuracy "$ball" --t-end 0.4 --methods stewart-trinkle --steps 0.04,0.02 --reference last --project study.stickslip --quiet
check "a table" sh -c '"$1" simulate "$2" --t-end 0.4 --dt 0.005 --method moreau-jean --quiet --trajectory motion.csv >/dev/null' sh "$cli" "$ball"
check "a table as reference" status 0 accuracy "$ball" --t-end 0.4 --methods stewart-trinkle --steps 0.04,0.02,0.01 --reference motion.csv --json
check "gives the same errors" python3 -c '
import json
for r in json.load(open("out"))["runs"]:
    assert abs(r["errors"]["end"] - 9.81 * r["dt"] * 0.4 / 2) < 1e-9, r'
echo '{"channels": {"ball.y": "h0 + r - g*t^2/2"}}' >fall.json
check "formulas in a file" status 0 accuracy "$ball" --t-end 0.4 --methods moreau-jean --steps 0.04,0.02 --reference fall.json --quiet --to runs.csv
check "a row a run" test "$(wc -l <runs.csv)" = 3

# --- a method that cannot run says why, the others go on
check "one method fails" status 0 accuracy "$incline" --set n=1 --t-end 0.1 --methods time-freezing,moreau-jean --steps 0.02,0.01 --reference fesd-j --quiet
check "the reason" has out "not orthogonal"

# --- bad input
check "no such method" status 2 accuracy "$ball" --methods moreau
check "no such error" status 2 accuracy "$ball" --error least
check "no such table" status 2 accuracy "$ball" --table all
check "no such format" status 2 accuracy "$ball" --to table.doc
check "formats are named" has err ".csv, .tsv, .md, .tex, .jsonl, .txt or .text"
check "two references" status 2 accuracy "$ball" --closed-form "$fall" --reference own
check "a wrong formula" status 2 accuracy "$ball" --closed-form "ball.y=h0-q*t"
check "is told" has err "'q' is neither t nor a parameter"
check "a step too long" status 2 accuracy "$ball" --t-end 1 --steps 2 --methods moreau-jean
check "no step" status 2 accuracy "$ball" --steps 0.1,x
check "a model has no motion" status 2 accuracy "$box"
check "no such channel" status 1 accuracy "$ball" --t-end 0.4 --methods moreau-jean --steps 0.04,0.02 --channels bal.y --closed-form "$fall" --quiet
check "is told, too" has out "bal.y"

# --- a rod that falls, lands and slips: Lobatto IIIC with two stages misses the law in more than 1 % of such long steps
cat > rod.stickslip.json <<'END'
{"format": 1, "name": "rod", "scene": {"friction": 1, "bodies": [
  {"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
  {"name": "rod", "shape": {"type": "segment", "length": 1}, "mass": 1, "inertia": 0.0833333, "angle": 0.9,
   "position": [0, 0.3916634548], "velocity": [0.6, 0]}]}, "task": {"t_end": 0.3, "dt": 0.01}}
END
lobatto=fesd-j:scheme=lobatto-iiic:stages=2
check "runs that fail" status 0 accuracy rod.stickslip.json --methods $lobatto,fesd-j --steps 0.02,0.01,0.005 --quiet
check "say why there is no order" has out "no run to compare: each one failed"
check "runs that may miss the law" status 0 accuracy rod.stickslip.json --methods $lobatto --steps 0.01,0.005,0.0025 --option law-misses=1 --quiet --table orders --to rod.csv
check "have the order 2 of the scheme" python3 -c '
import csv
order = float(next(csv.DictReader(open("rod.csv")))["order"])
assert abs(order - 2) < 0.2, order'

# --- tables and figures of the papers
check "the list" status 0 paper --list --json
check "names every paper" python3 -c '
import json
papers = json.load(open("out"))
assert {p["topic"] for p in papers} == {"crisp", "fesd-j", "time-freezing", "impacts", "constraint-solver", "comparisons"}
assert all(p["place"] and p["words"] for p in papers)'
check "orders of Fig. 6" status 0 paper fesd-j-figure-6 --quiet --to slopes.csv
check "are those of the theory" python3 -c '
import csv
rows = [r for r in csv.DictReader(open("slopes.csv")) if r["agrees"] != "not judged"]
assert len(rows) == 7 and all(abs(float(r["slope"]) - float(r["theory"])) < 0.3 for r in rows), rows'
check "a table as LaTeX" status 0 paper constraint-solver-figure-9 --quiet --to ramp.tex
check "is one" has ramp.tex '\toprule'
check "misprints" status 0 paper errata fesd-j --to errata.csv
check "each with its test or why it has none" python3 -c '
import csv
rows = list(csv.DictReader(open("errata.csv")))
assert len(rows) > 5 and all("misprint" in r["notes"] and r["paper"] == "000" and (r["tests"] or "no " in r["notes"]) for r in rows), rows
assert any(r["item"] == "(12d)" for r in rows)'
check "the equations" status 0 paper equations 000 --json
check "name what implements them" grep -q '"item": *"(30)".*ss-' out
check "no such paper" status 2 paper errata 007
check "no such table" status 2 paper crisp-table-3
check "the nearest is named" has err "did you mean 'crisp-table-2'"
check "no quick part" status 2 paper fesd-j-figure-6 --quick
check "no methods" status 2 paper fesd-j-figure-6 --methods crisp
check "no such format, either" status 2 paper fesd-j-figure-6 --to slopes.doc
finish
