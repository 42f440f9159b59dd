#!/bin/bash
# tests/cli/test-bound.sh: lower bounds and their certificates: search, check, and what is refused.
. "$(dirname "$0")/lib.sh"
problem=$root/tests/data/mpcc/ex9_2_2.stickslip.json
check "a bound" status 0 bound "$problem" --limit 5 --certificate c.json
check "the bound" grep -q "^lower bound" out
check "the gap in words" grep -q "possible" out
check "the certificate is checked" status 0 bound "$problem" --check c.json
check "it holds" has out "the certificate holds"
check "of the search nothing is asked then" status 2 bound "$problem" --check c.json --limit 3
check "JSON" status 0 bound "$problem" --limit 5 --json
cat >change.py <<'P'
import json, sys
c = json.load(open("c.json"))
what, tree = sys.argv[1], c["certificate"]["tree"]
if what == "bound":
    c["lower_bound"] += 1e-3
elif what == "digit":
    leaf = next(n for n in tree if n.get("multipliers") and n["floor"] is not None)
    k = max(range(len(leaf["multipliers"])), key=lambda i: abs(leaf["multipliers"][i][1]))
    leaf["multipliers"][k][1] *= 1.01
elif what == "leaf":  # a branch that has one child twice
    branch = next(n for n in tree if "children" in n)
    branch["children"][1] = branch["children"][0]
elif what == "sign":
    leaf = next(n for n in tree if n.get("multipliers") and n["floor"] is not None)
    leaf["multipliers"] = [[i, -abs(u)] for i, u in leaf["multipliers"]]
json.dump(c, open("d.json", "w"))
P
for what in digit leaf sign; do
  python3 change.py $what
  check "another $what" status 1 bound "$problem" --check d.json
  check "is seen" has err "sha256"
done
python3 change.py bound
check "a claim that is not proved" status 1 bound "$problem" --check d.json
check "is told" has err "proves less"
check "another problem" status 1 bound "$root/tests/data/mpcc/bard1m.stickslip.json" --check c.json
check "is named" has err "another file"
check "other parameters" status 0 bound "$root/examples/crisp/transport.stickslip.json" --set N=5 --limit 2 --quiet --certificate t.json
check "of the same file" status 1 bound "$root/examples/crisp/transport.stickslip.json" --set N=5 --set x10=3.2 --check t.json
check "are named" has err "x10"
check "a known answer" status 0 bound "$problem" --limit 5 --answer 100.5 --quiet
check "no number and no run" status 2 bound "$problem" --answer best
check "no bound" status 1 bound "$root/tests/data/mpcc/taxmcp.stickslip.json" --limit 0.5 --quiet
check "and why" has out "no bound: "
