#!/usr/bin/env bash
# Runs that say how sure their steps are: counts and the second solution in results, in words, in a fan and a project.
#   test-certainty.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

rod=$root/examples/fesd-j/sliding-rod.stickslip.json
# value EXPRESSION: of the JSON in the file out, as r.
value() { python3 -c 'import json, sys; r = json.load(open("out")); print(eval(sys.argv[1]))' "$1"; }

check "counted" status 0 simulate "$rod" --method stewart-trinkle --option certainty=count --json
check "every step once" [ "$(value 'sum(r["steps"][k] for k in ("unique", "several", "undecided")) == r["metrics"]["steps"]')" = True ]
check "one is several" [ "$(value 'r["steps"]["several"], r["steps"]["undecided"]')" = "(1, 0)" ]
check "where it is" [ "$(value 'r["steps"]["first_several"]["contacts"], r["steps"]["first_several"]["t"]')" = "(['ground'], 0.135)" ]
check "a solution" [ "$(value 'r["steps"]["first_several"]["residual"] <= 1e-8 and r["steps"]["first_several"]["apart"] > 1')" = True ]
# the rod's lower end is caught by the floor: vx + pt, vy + z, (rx z - ry pt)/J with a tangent at rest
check "both velocities" [ "$(value '[v["body"] for v in r["steps"]["first_several"]["velocities"]], len(r["steps"]["first_several"]["velocities"][0]["second"])')" = "(['rod'], 3)" ]
check "one motion" hasnt out '"branches"'

check "branches" status 0 simulate "$rod" --method stewart-trinkle --option certainty=branches --project p.stickslip --json
check "two at least" [ "$(value 'len(r["branches"]) >= 2 and r["branches"][1]["from"] == r["steps"]["first_several"]["t"]')" = True ]
check "half each" [ "$(value 'abs(sum(b["share"] for b in r["branches"]) - 1) < 1e-12 and r["branches"][1]["share"] == 0.5')" = True ]
check "all by the law" [ "$(value 'r["metrics"]["max_law_residual"] <= 1e-8')" = True ]
check "in words" status 0 show last --project p.stickslip
check "counts" has out "several (first from 0.135 s on, at ground), 0 undecided"
check "the second solution" has out "has a second solution"
check "a summary" status 0 simulate "$rod" --method moreau-jean --option certainty=count
check "of the other law" has out "steps' certainty         120 unique in velocities, 0 several, 0 undecided"

check "nobody looks" status 0 simulate "$rod" --method stewart-trinkle --json
check "nothing is said" hasnt out '"steps": {'
check "several problems a step" status 0 simulate "$rod" --method stewart-trinkle --option certainty=count --option gap=end --t-end 0.1 --json
check "undecided" [ "$(value 'r["steps"]["undecided"] == r["metrics"]["steps"]')" = True ]
check "it says why" has err "gap=linear has one"
check "the relaxed law has one velocity" status 2 simulate "$rod" --method convex-time-stepping --option certainty=count
finish
