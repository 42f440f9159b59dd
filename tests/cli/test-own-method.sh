#!/usr/bin/env bash
# A scenario's own method, and what laws ignore of a scene: runs, comparisons, studies, figures, tables.
#   test-own-method.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

foundation=$root/examples/constraint-solver/foundation.stickslip.json

# method_is NAME: of the run in the file out
method_is() { python3 -c 'import json, sys; assert json.load(open("out"))["method"]["name"] == sys.argv[1], json.load(open("out"))["method"]' "$1"; }

# --- simulate and optimise take the first of their kind
check "a file about a foundation" status 0 simulate "$foundation" --json
check "runs by its own solver" method_is constraint-solver
# -8.340001781e-06 m: the independent prototype's number, which the description promises
check "and gives what it promises" python3 -c '
import json
r = json.load(open("out"))
assert abs(r["final_state"]["box.y"] - 0.5 - -8.340001781e-06) < 1e-11, r["final_state"]
assert r["warnings"] == [], r["warnings"]'
check "each example of those folders" python3 - "$cli" "$root" <<'PYTHON'
import glob, json, os, subprocess, sys
cli, root = sys.argv[1:]
for folder, names in ("constraint-solver", {"constraint-solver", "semi-implicit-euler"}), ("fesd-j", {"fesd-j"}), ("time-freezing", {"time-freezing", "fesd-j"}):
    for path in sorted(glob.glob(f"{root}/examples/{folder}/*.json")):
        run = subprocess.run([cli, "simulate", path, "--t-end", "0.02", "--json"], capture_output=True, text=True)
        result = json.loads(run.stdout)
        assert result["method"]["name"] in names, (path, result["method"])
        assert not [w for w in result["warnings"] if "does not use" in w], (path, result["warnings"])
PYTHON
python3 - >two.stickslip.json <<'PYTHON'
import json
print(json.dumps({"format": 1, "name": "two", "scene": {"restitution": 0.5, "bodies": [
    {"name": "floor", "fixed": True, "shape": {"type": "half-plane", "normal": [0, 1]}},
    {"name": "ball", "mass": 1, "position": [0, 0.5], "shape": {"type": "circle", "radius": 0.1}}],
    "contacts": [{"bodies": ["floor", "ball"], "stiffness": 1e5}]},
    "methods": {"scholtes": {"sigma0": 1}, "anitescu-potra": {}, "moreau-jean": {}},
    "task": {"t_end": 0.4, "dt": 0.01}}))
PYTHON
check "the first integrator of several methods" status 0 simulate two.stickslip.json --json
check "whatever stands before it" method_is anitescu-potra
check "--method wins" status 0 simulate two.stickslip.json --method stewart-trinkle --json
check "as ever" method_is stewart-trinkle
check "equations too" status 0 equations two.stickslip.json
check "are of its own law" has out "Anitescu"
sed 's/anitescu-potra/anitescu-porta/' two.stickslip.json >misspelt.stickslip.json
check "a misspelt method without options" status 2 validate misspelt.stickslip.json
check "is told with its path" has out "methods.anitescu-porta"
check "a plan" status 3 optimise "$root/examples/fesd-j/cart-wall.stickslip.json" --time-limit 0.01 --json
check "by its first optimiser" method_is scholtes

# --- compare, sweep
check "a comparison without --methods" status 0 compare two.stickslip.json --json
check "takes those of the file" python3 -c '
import json
assert [r["method"]["name"] for r in json.load(open("out"))["runs"]] == ["anitescu-potra", "moreau-jean"]'
check "a single one" status 0 compare "$foundation" --t-end 0.1 --project p.stickslip
check "stands beside the default" has out "stewart-trinkle"
check "which is told what it ignores" has out "does not use stiffness: the 1e+07 N/m of contact springs is ignored"
check "none at all" status 2 compare "$fall"
check "needs --methods" has err "as the scenario names none"
check "a study without --methods" status 0 sweep two.stickslip.json --vary dt=0.01,0.005 --title Own --project p.stickslip --quiet
check "is of the file's own method" has out "Anitescu"
check "and of no other" hasnt out "Moreau"

# --- what a law ignores is told of runs, studies, figures and tables
check "a run by another law" status 0 simulate "$foundation" --method stewart-trinkle --t-end 0.1 --json
check "warns of each thing" python3 -c '
import json
w = json.load(open("out"))["warnings"]
assert any("does not use stiffness: the 1e+07 N/m of contact springs is ignored" in x for x in w), w
assert any("does not use damping: the 100 N s/m of contact springs is ignored" in x for x in w), w'
sed 's/"position": \[0, 0.5\]/"position": [0, 0.1], "velocity": [0, -1]/' two.stickslip.json >strikes.stickslip.json
check "an impact" status 0 impact strikes.stickslip.json --law sequential --json
check "without rebound" has out "sequential does not use restitution"
check "event-driven's law" status 0 simulate two.stickslip.json --method event-driven --option law=sequential --json
check "has no restitution either" has out "event-driven does not use restitution"
check "but with law.restitution" status 0 simulate two.stickslip.json --method event-driven --option law=sequential --option law.restitution=poisson --json
check "it has" hasnt out "does not use restitution"
check "and the law by itself" status 0 impact strikes.stickslip.json --law sequential --option restitution=poisson --json
check "likewise" hasnt out "does not use restitution"
check "but newton's" status 0 simulate two.stickslip.json --method event-driven --json
check "has" hasnt out "does not use restitution"
check "a study" status 0 sweep two.stickslip.json --vary dt=0.01,0.005 --methods semi-implicit-euler,moreau-jean,implicit-euler --title Ignored --project p.stickslip --quiet
check "says so below its table" has out "ignores restitution and stiffness of contacts."
for table in runs summary; do
  check "table $table" status 0 figure Ignored --project p.stickslip --table $table
  check "has it as a note" has out "ignores restitution and stiffness of contacts."
  check "of each method its own" has out "ignores restitution of contacts."
done
for format in text md tex; do
  check "runs in $format" status 0 table --project p.stickslip --format $format
  check "have it as a note" has out "ignores restitution and stiffness of contacts."
  check "once" [ "$(grep -c '(penalty) ignores restitution and stiffness' out)" = 1 ]
done
check "runs that it does not hold of" status 0 table --project p.stickslip --filter outcome=none
check "do not have it" hasnt out "ignores restitution"
check "the table of a figure" status 0 figure Ignored --project p.stickslip --kind curves
check "too" has out "ignores restitution and stiffness of contacts."
for kind in curves box success; do
  check "the figure $kind" status 0 figure Ignored --project p.stickslip --kind $kind --to $kind.pdf
  check "says it" bash -c "pdftotext $kind.pdf - | tr '\n' ' ' | grep -q 'ignores restitution and stiffness of contacts'"
done
check "pgfplots" status 0 figure Ignored --project p.stickslip --kind curves --to curves.tikz
check "says it" has curves.tikz "ignores restitution and stiffness of contacts"
check "what ignores nothing" status 0 figure Own --project p.stickslip --kind curves --to own.pdf
check "says nothing" bash -c "! pdftotext own.pdf - | grep -q 'ignores restitution'"
finish
