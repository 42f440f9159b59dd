#!/usr/bin/env bash
# AMPL's files from the outside: .nl in the place of a scenario, `convert`, and stickslip-ampl as a solver. Truth: closed
# forms, and the published optima of tests/data/mpcc.
#   test-ampl.sh PROGRAM SOURCE_ROOT
# shellcheck source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
ampl=$(dirname "$cli")/stickslip-ampl

# head_of VARIABLES ROWS OBJECTIVES: a header
head_of() {
  printf 'g3 1 1 0\n %s %s %s 0 0\n 0 0\n 0 0\n 0 0 0\n 0 0 0 1\n 0 0 0 0 0\n 0 0\n 0 0\n 0 0 0 0 0\n' "$1" "$2" "$3"
}
# solve STATUS ARGUMENTS...
solve() {
  local expected=$1 got
  shift
  "$ampl" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" = "$expected" ] || { echo "status $got (expected $expected): $*"; return 1; }
}
# sol FILE CONDITION: of the solution's x, y (duals), code and message
sol() {
  python3 - "$@" <<'PYTHON'
import sys
text = open(sys.argv[1]).read()
message, rest = text.split("\n\n", 1)
lines = rest.split()
assert lines[:5] == ["Options", "3", "1", "1", "0"], lines[:5]
m, n_y, n, n_x = map(int, lines[5:9])
numbers = [float(v) for v in lines[9:9 + n_y + n_x]]
y, x = numbers[:n_y], numbers[n_y:]
assert lines[9 + n_y + n_x] == "objno" and len(lines) == 12 + n_y + n_x, lines[9 + n_y + n_x:]
objno, code = map(int, lines[-2:])
near = lambda a, b, t=1e-5: abs(a - b) <= t
if not eval(sys.argv[2]):
    sys.exit(f"{sys.argv[2]} is false: x {x}, y {y}, code {code}, {message}")
PYTHON
}

# --- a quadratic problem with a known answer: (x-3)^2 + (y-2)^2, x + y <= 3, y >= 0: x = 2, y = 1, slope by the bound -2
{ head_of 2 1 1
  printf 'C0\nn0\nO0 0\no0\no5\no1\nv0\nn3\nn2\no5\no1\nv1\nn2\nn2\nr\n1 3\nb\n3\n2 0\nk1\n1\nJ0 2\n0 1\n1 1\nG0 2\n0 0\n1 0\n'
} >least.nl
for method in auto crisp ipopt scholtes; do
  check "$method solves" solve 0 least method=$method
  check "$method is right" sol least.sol 'code == 0 and objno == 0 and near(x[0], 2) and near(x[1], 1)'
  check "$method says so" has out "$method: solved"
done
check "by Ipopt" solve 0 least.nl -AMPL method=ipopt
check "is silent for AMPL" [ ! -s out ]
check "duals are slopes by bounds" sol least.sol 'len(y) == 1 and near(y[0], -2)'
sed 's/O0 0/O0 1\no16/' least.nl >most.nl
check "of the negative, maximised" solve 0 most method=ipopt
check "the same" sol most.sol 'near(x[0], 2) and near(y[0], 2) and "objective -2" in message'
check "keywords of the environment" env stickslip_options="method=scholtes outlev=0" "$ampl" least
check "are taken" grep -q scholtes least.sol
check "the command line counts more" env stickslip_options=method=scholtes "$ampl" least method=crisp outlev=0
check "than they" grep -q "crisp: solved" least.sol
check "options of the method" solve 0 least method=crisp relax=10
check "none of another" solve 1 least method=ipopt relax=10
check "are named" has err relax
check "a method that there is not" solve 1 least method=knitro
check "is named" has err knitro
check "a keyword without a value" solve 1 least fast
check "a number that is none" solve 1 least cpu_limit=long
check "no option" solve 1 least -z
check "version" solve 0 -v
check "is one" grep -q '^stickslip-ampl [0-9]' out
check "help" solve 0 --help
check "lists keywords" has out objno
check "no file" solve 1 none
check "is named" has err none.nl

# --- how runs end
{ head_of 1 1 1
  printf 'C0\nn0\nO0 0\nn0\nr\n1 -1\nb\n2 0\nJ0 1\n0 1\n'
} >empty.nl
check "infeasible" solve 0 empty
check "is told" sol empty.sol 'code == 200'
{ head_of 1 0 1
  printf 'O0 0\nn0\nb\n3\nG0 1\n0 1\n'
} >endless.nl
check "unbounded" solve 0 endless
check "is told" sol endless.sol 'code == 300'
check "a limit" solve 0 least method=crisp max-iterations=1
check "is told" sol least.sol '400 <= code < 500'
{ head_of 1 0 2
  printf 'O0 0\no5\nv0\nn2\nO1 0\no5\no1\nv0\nn4\nn2\nb\n3\n'
} >two.nl
check "the second objective" solve 0 two objno=2
check "is solved for" sol two.sol 'near(x[0], 4) and objno == 1'
check "none" solve 0 two objno=0
check "is a point" sol two.sol 'objno == -1 and "objective" not in message'
check "a third" solve 1 two objno=3

# --- vectors, tables, sums: 0 <= x _|_ M x + q >= 0, M positive definite. x = (1, 2, 0), as M x + q = (0, 0, 3)
cat >lcp.stickslip.json <<'JSON'
{
  "format": 1,
  "name": "lcp",
  "parameters": {"n": {"value": 3, "integer": true, "minimum": 1}},
  "data": {"M": [[2, -1, 0], [-1, 2, -1], [0, -1, 2]], "q": [0, -3, 5]},
  "model": {
    "points": 1,
    "states": ["x[n]"],
    "constraints": [{"complementary": [
      {"for": "i", "from": 1, "to": "n", "rows": [["x[{i}]", "q[{i}] + sum(j, 1, n, M[{i},j]*x[j])"]]}]}]
  }
}
JSON
check "as .nl" status 0 convert lcp.stickslip.json lcp.nl
for method in crisp auto; do
  check "an LCP by $method" status 0 optimise lcp.stickslip.json --method $method --trajectory x.csv
  check "is right" python3 -c '
import csv
row = next(csv.DictReader(open("x.csv")))
assert all(abs(float(row["x%d" % (i + 1)]) - x) < 1e-5 for i, x in enumerate((1, 2, 0))), row'
  check "its .nl too" solve 0 lcp method=$method
  check "is right" sol lcp.sol 'near(x[0], 1) and near(x[1], 2) and near(x[2], 0)'
done
check "two of them" status 0 optimise lcp.stickslip.json --set n=2 --trajectory x.csv
check "an index out of range" status 2 validate lcp.stickslip.json --set n=4

# --- mixed complementarity: v in [-1, 1] complements f = v^2 - w, minimise (w - wt)^2: w <= 1 inside or v at a bound
mixed() {
  head_of 2 1 1
  printf 'C0\no5\nv0\nn2\nO0 0\no5\no1\nv1\nn%s\nn2\nx1\n0 %s\nr\n5 3 1\nb\n0 -1 1\n3\nk1\n1\nJ0 2\n0 0\n1 -1\nG0 1\n1 0\n' "$1" "$2"
}
mixed 0.25 0.1 >mixed.nl
check "mixed" solve 0 mixed
check "inside f is 0" sol mixed.sol 'code == 0 and near(x[1], .25) and (near(x[0] ** 2, .25) or near(x[0], -1))'
mixed 3 0.9 >mixed.nl
check "mixed, beyond" solve 0 mixed
check "at the upper bound f is negative" sol mixed.sol 'code == 0 and near(x[1], 3) and near(x[0], 1)'

# --- published problems, written as .nl and solved from there
for line in bard1m:17 ralph2:0 ex9_1_1:-13 scholtes4:0 jr1:0.5 gnash10:-230.82; do
  name=${line%:*} value=${line#*:}
  check "$name is written" status 0 convert "$root/tests/data/mpcc/$name.stickslip.json" "$name.nl" --names --quiet
  check "$name is solved" solve 0 "$name"
  check "$name has the published optimum" python3 - "$name" "$value" <<'PYTHON'
import sys
name, known = sys.argv[1], float(sys.argv[2])
got = float(open(name + ".sol").read().split("\nobjective ")[1].split()[0])
# to the digits that were published, from above: other local optima are no failure of the file, but these have none
assert abs(got - known) <= 2e-3 * (1 + abs(known)), (got, known)
n, m = map(int, open(name + ".nl").read().split("\n")[1].split()[:2])
assert len(open(name + ".col").read().split()) == n and len(open(name + ".row").read().split()) == m
PYTHON
done

# --- in the place of a scenario
check "valid" status 0 validate bard1m.nl
check "says what it is" has out "bard1m.nl: valid (bard1m, model)"
check "equations" status 0 equations bard1m.nl
check "with pairs" has out "⟂"
check "no next point" hasnt out "next point"
check "optimise" status 0 optimise bard1m.nl --method auto --project p.stickslip --json
check "objective" python3 -c 'import json; assert abs(json.load(open("out"))["metrics"]["objective"] - 17) < 1e-4'
check "is stored as a scenario" status 0 reproduce last --project p.stickslip
check "evaluate" status 0 evaluate bard1m.nl
check "compare" status 0 compare bard1m.nl --methods auto,ipopt
check "back to a scenario" status 0 convert bard1m.nl back.json --quiet
check "that is one" status 0 validate back.json
check "no ending" status 2 convert bard1m.nl back.txt
check "names what it may be" has err "expected a name ending in .nl, .json or .xml"
check "a scene without a plan" status 2 convert "$fall" fall.nl
check "a plan's equations" status 0 convert "$root/examples/plans/push-box-with-disc.stickslip.json" plan.nl --quiet
check "are a problem" status 0 validate plan.nl
check "parameters" status 0 convert "$box" box.nl --set mu=0.3 --quiet
check "not of a scenario" status 2 convert "$box" box.json --set mu=0.3
head -n 30 bard1m.nl >broken.nl
check "is refused" status 2 optimise broken.nl
check "with its line" has err "broken.nl:31: "
sed '7s/.*/ 0 2 0 0 0/' bard1m.nl >integer.nl
check "is refused" status 2 validate integer.nl
check "with line and reason" has out "integer.nl:7: the problem has 2 integer or binary variables"
check "by the solver, too" solve 1 integer
check "in the same words" has err "integer.nl:7: the problem has 2 integer"
cat >static.stickslip.json <<'JSON'
{"format": 1, "name": "static", "model": {"points": 1, "states": ["x", "y"],
  "constraints": [{"complementary": [["x", "y"]]}], "cost": [{"cost": "(x - 1)^2 + (y - 2)^2"}]},
 "task": {"guess": {"values": {"x": 0.5, "y": 0.6}}}}
JSON
check "a model of one point" status 0 optimise static.stickslip.json --method auto --json
check "has its optimum" python3 -c 'import json; assert abs(json.load(open("out"))["metrics"]["objective"] - 1) < 1e-5'
sed 's/(y - 2)/(next(y) - 2)/' static.stickslip.json >next.stickslip.json
check "next() has no place there" status 2 validate next.stickslip.json

# --- a folder
mkdir folder
cp bard1m.nl jr1.nl static.stickslip.json folder
check "a collection" status 0 bench collection folder --methods auto,ipopt --project c.stickslip --to c.csv --json --quiet
check "is counted" python3 - <<'PYTHON'
import csv, json
methods, runs = (table["rows"] for table in json.load(open("out"))["tables"])
assert [row["method"] for row in methods] == ["auto", "ipopt"] and len(runs) == 6, methods
assert all(row["problems"] == row["solved"] == row["best"] == 3 for row in methods), methods
assert methods[0]["proved"] == 3 and methods[1]["proved"] == 0, methods
found = {(r["file"], r["method"]): r["objective"] for r in runs}
assert abs(found["bard1m.nl", "auto"] - 17) < 1e-3 and abs(found["static.stickslip.json", "ipopt"] - 1) < 1e-3, found
assert len(list(csv.reader(open("c.csv")))) == 7
PYTHON
check "its data profile" status 0 figure --all-of-project --kind data --to profile.csv --project c.stickslip
check "has both methods" [ "$(tail -n +2 profile.csv | cut -d, -f1 | sort -u | wc -l)" = 2 ]
echo '{' >folder/bad.nl
cp "$fall" folder
check "what is no problem is left out" status 1 bench collection folder --methods auto
check "with its line" has err "folder/bad.nl:1: "
check "and its reason" has err "falling-box"
check "the others are run" grep -q "auto  *3  *3  *3" out
check "no folder" status 2 bench collection nowhere
check "none named" status 2 bench collection
mkdir bare
check "an empty one" status 2 bench collection bare
check "is told" has err "expected .stickslip.json or .nl"
mkdir plan
cp "$root/examples/plans/arm-push-box.stickslip.json" plan
check "a transcription that the scene has none of" status 4 bench collection plan --methods crisp:transcription=time-freezing
check "is asked, not passed over" has err "the transcription time-freezing needs"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
