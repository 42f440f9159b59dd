#!/usr/bin/env bash
# Verbs, options, exit statuses and output formats of stickslip-cli, as cli.md promises them.
#   test-verbs.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# --- help and mistakes on the command line
check "version" status 0 --version
printf "{\"format\": 1, \"name\": \"a\", \"x\": 5\0}" >nul.stickslip.json
for verb in validate simulate optimise "compare --methods stewart-trinkle"; do
  check "a NUL byte, $verb" status 2 $verb nul.stickslip.json
  check "names line" grep -qF "nul.stickslip.json:1: a NUL byte" out err
done
check "help" status 0 --help
check "help lists verbs" has out "compare FILE"
check "no verb" status 2
for verb in validate contacts evaluate simulate optimise worker compare sweep list show export methods; do
  check "help of $verb" status 0 $verb --help
  check "help of $verb tells the exit status" has out "Exit status"
done
check "misspelt verb" status 2 optimse "$box"
check "nearest verb" has err "did you mean 'optimise'?"
check "misspelt option" status 2 optimise "$box" --metod crisp
check "nearest option" has err "did you mean '--method'?"
check "option of another verb" status 2 validate "$box" --plot full
check "missing value" status 2 optimise "$box" --method
check "no number" status 2 simulate "$fall" --dt fast
check "no pair" status 2 optimise "$box" --set j
check "decimal comma" status 2 optimise "$box" --set j=1,5
check "missing argument" status 2 optimise
check "too many arguments" status 2 optimise "$box" "$box"
check "missing file" status 2 optimise nowhere.stickslip.json
check "names the file" has err "nowhere.stickslip.json"
check "folder" status 2 optimise "$work"
check "misspelt method" status 2 optimise "$box" --method crips
check "nearest method" has err "crisp"
check "integrator as optimiser" status 2 optimise "$box" --method stewart-trinkle
check "misspelt option of the method" status 2 optimise "$box" --option mu00=3
check "nearest option of the method" has err "mu0"
check "option out of range" status 2 optimise "$box" --option mu0=-1
check "misspelt parameter" status 2 optimise "$box" --set muu=3
check "scene for an optimiser" status 2 optimise "$fall"
check "model for an integrator" status 2 simulate "$box"

# --- validate: every example is valid; every bad file is refused with its place
check "examples are valid" status 0 validate "$root"/examples/*/*.stickslip.json
bad=0
for file in "$root"/tests/data/bad/*.json; do
  status 2 validate "$file" >/dev/null || { bad=$((bad + 1)) && echo "accepted: $file"; }
  grep -qF "$file" out || { bad=$((bad + 1)) && echo "unnamed: $file"; }
done
check "bad files are refused by name" [ "$bad" = 0 ]
check "file, line and path" status 2 validate "$root/tests/data/bad/negative-mass.stickslip.json"
check "FILE:LINE: PATH: message" grep -qE '^.*negative-mass\.stickslip\.json:[0-9]+: scene\.bodies\[[0-9]+\]\.mass: .*\(expected .*\)$' out
check "one bad file of two" status 2 validate "$box" "$root/tests/data/bad/negative-mass.stickslip.json"
cat >law.stickslip.json <<'END'
{"format": 1, "name": "law", "scene": {"friction": 0.5, "materials": {"steel": {}, "wood": {"restitution": 0.2}},
 "material_pairs": [{"materials": ["steel", "wood"], "friction": 0.3}], "bodies": [
 {"name": "floor", "fixed": true, "material": "steel", "shape": {"type": "half-plane", "normal": [0, 1]}},
 {"name": "ball", "material": "wood", "shape": {"type": "circle", "radius": 0.2}, "mass": 1, "position": [0, 0.45]}],
 "contacts": ["all", {"bodies": ["floor", "ball"], "stiffness": 1e5}]}, "task": {"t_end": 1, "dt": 0.01}}
END
check "contacts and who says their values" status 0 contacts law.stickslip.json
check "one line each" grep -q "floor-ball  *gap  *0.25 m  friction 0.3 (pair)  restitution 0.2 (material)  stiffness 100000 (contact)" out
check "contacts as JSON" status 0 contacts law.stickslip.json --json
check "gap and source" grep -q '"from": *"pair"' out
check "a model has no contacts" status 2 contacts "$box"
check "validate as JSON" status 2 validate "$root/tests/data/bad/negative-mass.stickslip.json" --json
check "JSON names the line" has out '"line": '
for verb in optimise simulate evaluate; do
  check "$verb refuses a bad file" status 2 $verb "$root/tests/data/bad/negative-mass.stickslip.json"
  check "$verb names the line" grep -qE 'negative-mass\.stickslip\.json:[0-9]+: ' err
done

# --- evaluate: the reference's check values (push box, j = 0: reference section 9, ten printed digits)
check "evaluate at zeros" status 0 evaluate "$box" --at zeros --json --set j=12
check "row counts" has out '"n_constraints": 2082'
check "variables" has out '"n_variables": 900'
check "evaluate at the test point" status 0 evaluate "$box" --at test
check "largest row has a place" grep -q 'violation .* at model\.constraints' out

# --- optimise
# doing nothing obeys every law of contact, and is told apart from a plan
check "a task out of reach" status 0 optimise "$box" --method crisp --set xt=1e30
check "is told" has out "the answer does not approach the task"
check "optimise" status 0 optimise "$box" --set j=3 --json --trajectory t.csv --log l.jsonl
check "nothing but JSON on standard output" python3 -c 'import json; json.load(open("out"))'
check "nothing on standard error" [ ! -s err ]
check "outcome" has out '"outcome": "solved"'
check "trajectory has one row per time point" [ "$(wc -l <t.csv)" = 101 ]
check "first column is t" grep -q '^t,px,py,th,' t.csv
check "log has iterations" grep -q '"type":"iteration"' l.jsonl
cp out first.json
check "optimize is accepted too" status 0 optimize "$box" --set j=3 --json --log l.csv --quiet
check "log as a table" grep -q '^iteration,t,objective' l.csv
check "same bits" diff <(grep -v '_seconds\|"run"\|machine_load' first.json) <(grep -v '_seconds\|"run"\|machine_load' out)
check "its own trajectory evaluates to the same objective" bash -c \
  '"$0" evaluate "$1" --at t.csv --set j=3 --json | grep -F "$(grep "\"objective\"" first.json | head -n 1 | tr -d " ,")" -q <<<"$("$0" evaluate "$1" --at t.csv --set j=3 --json | tr -d " ,")"' "$cli" "$box"
check "iteration limit" status 1 optimise "$box" --option max-iterations=2 --json
check "its outcome" has out '"outcome": "max_iterations"'
check "time limit" status 3 optimise "$box" --set N=5000 --method ipopt --time-limit 0.3 --json
check "its outcome" grep -qE '"outcome": "(time_limit|machine_slow)"' out
check "limit of CPU time" status 3 optimise "$box" --set N=5000 --method ipopt --cpu-limit 0.3 --json
check "its outcome" has out '"outcome": "cpu_limit"'
check "was asked" has out '"cpu_seconds": 0.29999'
check "of a simulation" status 3 simulate "$root/examples/sketches/falling-box.stickslip.json" --dt 1e-6 --t-end 100 --cpu-limit 0.3
check "in words" has out "limit of CPU time reached at t = "
check "negative limit of CPU time" status 2 optimise "$box" --cpu-limit -1
# a task that cannot be done: the race's limits, each by its name; its budget is the limit of CPU time
pole=$root/examples/plans/cart-pole-walls.stickslip.json
check "a race at its limit" status 3 optimise "$pole" --cpu-limit 0.5 --json
check "has its outcome" has out '"outcome": "cpu_limit"'
check "says which" has out "the limit of 0.5 s of CPU time ended the race"
check "a race that is left behind at its limit" status 0 optimise "$root/examples/plans/row-of-three.stickslip.json" --cpu-limit 2 --json
check "takes what the run took, not what its member did" python3 -c '
import json
m = json.load(open("out"))["metrics"]
assert m["cpu_seconds"] > 0.5 and m["solve_seconds"] > 0.2, m # of 2 s, by up to two threads'
check "its budget is the same" status 3 optimise "$pole" --option budget=0.5 --json
check "with the same outcome" has out '"outcome": "cpu_limit"'
check "at its time limit" status 3 optimise "$pole" --time-limit 1 --json
check "says so" has out "time limit"
check "unwritable trajectory, told before the run" status 2 optimise "$box" --trajectory /nowhere/t.csv
check "names it" has err "/nowhere/t.csv"
check "no run" [ ! -s out ]
check "folder as log" status 2 optimise "$box" --log "$work"
check "a device is written into" status 0 optimise "$box" --set N=20 --quiet --log /dev/null
check "negative time limit" status 2 optimise "$box" --time-limit -1
check "a step that would do nothing" status 2 optimise "$box" --dt 0.1
check "says what to do" has err "--set"
check "a horizon that would do nothing" status 2 optimise "$box" --t-end 2
check "empty file name" status 2 validate ""

# --- standard streams that are full or closed
status_of() { # status_of N COMMAND...: as status, with the streams as they are
  local expected=$1 got
  shift
  timeout 60 "$@"
  got=$?
  [ "$got" = "$expected" ] || { echo "status $got (expected $expected)"; return 1; }
}
short=("$cli" optimise "$box" --set N=20 --json)
check "a run that is not stored has no id" test "$("${short[@]}" --method auto | grep '"run"' | tr -d ' ,' | sort -u)" = '"run":null'
check "full output" status_of 4 "${short[@]}" >/dev/full 2>err
check "no output" status_of 0 "${short[@]}" >&-
check "no input" status_of 0 "${short[@]}" <&- >out
mkfifo pipe
(exec 3<pipe) & # reads nothing
exec 4>pipe     # is open as soon as it reads
wait $!
"$cli" methods --json >&4 2>err
exec 4>&-
check "a pipe that nobody reads any more is left in silence" test ! -s err
check "no errors" status_of 0 "${short[@]}" 2>&- >out

# --- what two methods say of themselves is what they do
cat >shaft.json <<'EOT'
{"format": 1, "name": "shaft", "scene": {"gravity": [0, -9.81], "friction": 0.5, "bodies": [
  {"name": "left", "fixed": true, "position": [-0.101, 0], "shape": {"type": "half-plane", "normal": [1, 0]}},
  {"name": "right", "fixed": true, "position": [0.101, 0], "shape": {"type": "half-plane", "normal": [-1, 0]}},
  {"name": "disc", "mass": 1, "shape": {"type": "circle", "radius": 0.1}}]}, "task": {"t_end": 1, "dt": 0.01}}
EOT
cat >pendulum.json <<'EOT'
{"format": 1, "name": "pendulum", "scene": {"gravity": [0, -9.81], "bodies": [
  {"name": "bob", "mass": 1, "position": [1, 0], "shape": {"type": "circle", "radius": 0.1}}],
  "joints": [{"name": "hinge", "type": "pin", "bodies": ["world", "bob"], "anchor": [0, 0]}]}, "task": {"t_end": 10, "dt": 0.01}}
EOT
check "a disc in a shaft" status 0 simulate shaft.json --method convex-time-stepping --json
check "falls as the caveat says, up to the speed c/(h mu)" python3 -c '
import json
r = json.load(open("out"))
y, v = r["final_state"]["disc.y"], r["final_state"]["disc.vy"]
assert abs(y + 0.20) < 0.005 and abs(v + 0.001 / (0.01 * 0.5)) < 1e-6, (y, v)
assert any("0.20 m in 1 s" in w and "4.9 m" in w for w in r["warnings"]), r["warnings"]'
check "by another law it falls freely" status 0 simulate shaft.json --method stewart-trinkle --json
check "4.9 m" python3 -c 'import json; y = json.load(open("out"))["final_state"]["disc.y"]; assert abs(y + 4.905) < 0.06, y' # g h t/2
check "the list of methods says it" status 0 methods convex-time-stepping
check "c/(h mu)" has out "c/(h mu)"
check "a pendulum" status 0 simulate pendulum.json --method moreau-jean --json
check "keeps its energy" python3 -c '
import json
m = json.load(open("out"))["metrics"]
lost = (m["energy_initial"] - m["energy_final"]) / 9.81  # m g 1 m above the lowest point
assert abs(lost) < 1e-3, lost'
check "the list of methods says of joints" status 0 methods moreau-jean
check "second order" has out "second order between impacts, with joints and without"
check "backward Euler" status 0 simulate pendulum.json --method stewart-trinkle --option gap=end --json
check "warns that it does not" has out "take energy from what swings"

# --- the methods section: names and ranges are checked with their lines
python3 - "$box" <<'PYTHON'
import json, sys
scenario = json.load(open(sys.argv[1]))
scenario["methods"] = {"fesd-j": {"stages": 2}, "crisp": {"mu0": 5}}
json.dump(scenario, open("good-methods.json", "w"), indent=1)
scenario["methods"] = {"crips": {"mu0": 5}, "crisp": {"muu0": 3, "mu0": -2}}
json.dump(scenario, open("bad-methods.json", "w"), indent=1)
scenario["methods"] = {}
scenario["model"]["cost"][0]["cost"] = "log(px)"
json.dump(scenario, open("infinite.json", "w"))
PYTHON
check "good defaults of methods" status 0 validate good-methods.json
check "bad defaults of methods" status 2 validate bad-methods.json
check "each with its line" [ "$(grep -cE '^bad-methods.json:[0-9]+: methods\.cris?ps?\.muu?0: .*(\(expected |; did you mean )' out)" = 3 ]
check "refused by optimise" status 2 optimise bad-methods.json
check "refused by compare" status 2 compare bad-methods.json --methods ipopt
check "an objective that is not finite" status 1 optimise infinite.json --quiet
check "is named" has out "the objective is not finite"

# --- no least objective, and no feasible point, in every optimiser, of models and of drawn scenes
python3 - <<'PYTHON'
import json
def model(name, variables, cost, **rows):
    constraints = [{"name": "rows", "points": 0, **rows}, {"name": "unused", "points": 1, "zero": variables}]
    json.dump({"format": 1, "name": name, "model": {"points": 2, "time_step": 1, "states": variables, "controls": [],
               "constraints": constraints, "cost": [{"name": "objective", "points": 0, "cost": cost}]}}, open(name + ".json", "w"))
def scene(name, actuator, cost={"cost": "-box.x", "points": "last"}):
    json.dump({"format": 1, "name": name, "scene": {"bodies": [
        {"name": "floor", "fixed": True, "shape": {"type": "half-plane", "normal": [0, 1]}},
        {"name": "box", "shape": {"type": "box", "width": 0.4, "height": 0.3}, "mass": 1, "position": [0, 0.15]}],
        "contacts": [{"bodies": ["floor", "box"], "friction": 0.3}],
        "actuators": [{"name": "f", "type": "force", "body": "box", "direction": [1, 0], **actuator}]},
        "task": {"horizon": 0.25, "steps": 5, "effort": 0, "cost": [cost]}}, open(name + ".json", "w"))
model("pair", ["x", "y"], "-x-y", complementary=[["x", "y"]])
model("steep", ["x", "y"], "-1e9*(x+y)", complementary=[["x", "y"]], nonnegative=["1e3-x", "1e3-y"])
model("apart", ["x", "y"], "x+y", complementary=[["x", "y"]], nonnegative=["x-1", "y-1"])
model("circle", ["x", "y"], "x+y", zero=["x^2+y^2+1"], complementary=[["x", "y"]])
scene("free", {})
scene("held", {"lower": -20, "upper": 20})
scene("place", {}, {"cost": "-box.x^2", "points": "all"})  # rest is stationary, and the highest point
scene("speed", {}, {"cost": "-box.vx^2", "points": "last"})
PYTHON
for method in auto crisp ipopt scholtes; do
  check "$method: a pair that runs away" status 1 optimise pair.json --method $method --json
  check "$method: is unbounded" has out '"outcome": "unbounded"'
  "$cli" optimise steep.json --method $method --json >out 2>err
  check "$method: what is steep is not" hasnt out '"outcome": "unbounded"'
  check "$method: nor without feasible points" hasnt out '"outcome": "infeasible"'
  for scene in free place speed; do
    check "$method: a drawn push without limits ($scene)" status 1 optimise $scene.json --method $method --json
    check "$method: is unbounded ($scene)" has out '"outcome": "unbounded"'
  done
  for rows in apart circle; do
    check "$method: no point ($rows)" status 1 optimise $rows.json --method $method --json
    check "$method: is infeasible ($rows)" has out '"outcome": "infeasible"'
    check "$method: nor B-stationary ($rows)" hasnt out '"b_stationary_verified": 1'
  done
done
check "a drawn push with limits" status 0 optimise held.json --method crisp --json
check "the label" status 1 optimise pair.json --quiet
check "is in words" has out "the objective falls without bound along points that keep every row"

# --- 100 MB of brackets
at_once() { (ulimit -t 2 && "$@"); } # the system ends what takes longer
head -c 100000000 /dev/zero | tr '\0' '[' >brackets.json
for verb in validate optimise; do
  check "100 MB for $verb are refused in 2 s of the processor" at_once status 2 $verb brackets.json
  check "with file and line" grep -qF "brackets.json:1: " out err
done
rm brackets.json

# --- simulate
check "simulate" status 0 simulate "$fall" --json --dt 0.02 --t-end 1
check "steps" has out '"steps": 50'
for method in explicit-euler semi-implicit-euler moreau-jean anitescu-potra; do
  check "simulate by $method" status 0 simulate "$fall" --method $method --quiet
done
check "simulate once more" status 0 simulate "$fall" --json --dt 0.02 --t-end 1
check "state channels" has out '"box.theta"'
check "no momentum among the states" hasnt out momentum
check "no forces in the state" hasnt out '"floor-box.lambda_n"'
# --- times at which forces bend
kink='{"format": 1, "name": "kink", "parameters": {"on": 0.35}, "scene": {"gravity": [0, 0], "bodies": [{"name": "ball", "mass": 2,
  "shape": {"type": "circle", "radius": 0.1}}], "forces": [{"body": "ball", "force": ["max(0, 4*(t - on))", 0]}]}, "task": {'
echo "$kink"'"t_end": 1, "dt": 0.3}}' >kink.stickslip.json
echo "$kink"'"t_end": 1, "dt": 0.3, "breaks": [0.8, "on"]}}' >breaks.stickslip.json
check "a kink without breaks" status 0 validate kink.stickslip.json
check "is warned of at its place" has out "scene.forces[0].force[0]: warning: max() of t bends"
check "a kink with breaks" status 0 validate breaks.stickslip.json
check "is not warned of" hasnt out "warning"
check "steps end at breaks" status 0 simulate breaks.stickslip.json --quiet --trajectory breaks.csv --set on=0.45
check "dt goes on from them" [ "$(awk -F, 'NR > 1 {printf "%.6g ", $1}' breaks.csv)" = "0 0.3 0.45 0.75 0.8 1 " ]
check "negative step" status 2 simulate "$fall" --dt -1

# --- what a verb does not do, it does not offer
check "simulate has no iterates" status 2 simulate "$fall" --keep-iterates 2
check "help of simulate" status 0 simulate --help
check "offers none" hasnt out "keep-iterates"
check "names no other method" hasnt out "METHOD."
check "help of compare" status 0 compare --help
check "does, since it takes several" has out "METHOD.NAME=VALUE"
check "iterates without a project" status 2 optimise "$box" --keep-iterates 2
check "says where they would go" has err "give --project"
check "iterates of integrators" status 2 compare "$fall" --methods stewart-trinkle --keep-iterates 2 --project it.stickslip
check "says why not" has err "integrators have no iterates"

# --- methods
check "methods" status 0 methods
check "methods as JSON" status 0 methods --json
check "all names of the contract" bash -c 'for n in explicit-euler semi-implicit-euler implicit-euler cvode moreau-jean stewart-trinkle anitescu-potra \
  convex-time-stepping constraint-solver event-driven fesd-j time-freezing crisp ipopt scholtes newton sequential set-valued; do
  grep -qF "\"name\": \"$n\"" out || exit 1; done'

# --- numbers do not depend on the locale
localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" >/dev/null 2>&1
check "decimal comma in the locale" env LOCPATH="$work" LC_ALL=de_DE.UTF-8 bash -c \
  '"$0" optimise "$1" --set j=3 --set h=0.02 --json --trajectory comma.csv >comma.json && cmp t.csv comma.csv && python3 -c "import json; json.load(open(\"comma.json\"))"' "$cli" "$box"

finish
