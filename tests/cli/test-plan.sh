#!/usr/bin/env bash
# Plans of scenes on the command line: steps and horizon, starts from other motions, coordinates, what a plan leaves out.
#   test-plan.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

push=$root/examples/plans/push-box-with-disc.stickslip.json
metric() { python3 -c 'import json, sys; print(json.load(open("out"))["metrics"].get(sys.argv[1]))' "$1"; }
smaller() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) < float(sys.argv[2]))' "$1" "$2"; }
# change FILE PYTHON: an edited copy of the example.
change() { python3 -c "import json, sys; d = json.load(open(sys.argv[1])); $2; json.dump(d, open(sys.argv[2], 'w'))" "$push" "$1"; }

check "a plan" status 0 optimise "$push" --method crisp --project p.stickslip --trajectory plan.csv --json
check "of fifty steps" [ "$(wc -l <plan.csv)" = 52 ]
plan=$(python3 -c 'import json; print(json.load(open("out"))["run"])')
from_scratch=$(metric iterations)

check "by default a race" status 0 optimise "$push" --option budget=1 --project race.stickslip --json
check "by its name" has out '"name": "auto"'
check "of members, one of which won" has out ' won: '
check "one of its answers is the run's" status 0 optimise "$push" --option budget=3 --option answer=cheapest --project race.stickslip --json
check "marked, measured, a run" python3 - out <<'PY'
import json, math, sys
r = json.load(open(sys.argv[1]))
solved = [m for m in r['race']['members'] if m['state'] == 'solved']
front = [m for m in solved if m['front']]
least = min(m['objective'] for m in solved)
best = [m for m in front if 'cheapest' in m['marks']]
assert len(best) == 1 and best[0]['run'] == r['run'] and best[0]['objective'] == least == r['metrics']['objective'], r['race']
assert best[0]['replay'] == r['metrics']['replay_tenth'] and best[0]['feedback'] == r['metrics']['replay_feedback'], best
steadiest = [m for m in front if 'steadiest' in m['marks']]
assert len(steadiest) == 1 and steadiest[0]['replay'] <= 1.01 * min(m['replay'] for m in solved) + 1e-5, front
t = r['tries']
counted = sum(n for ends in t['counts'].values() for n in ends.values())
honest = [i['objective'] for i in t['list'] if i['end'] == 'honest']
assert t['account'].startswith('%d tries (' % counted) and min(honest) == t['best'] <= least, t
assert sum(ends['honest'] for ends in t['counts'].values()) == len(honest), t
open('marked', 'w').write(steadiest[0]['run'])
PY
check "RUN:MARK is another of them" status 0 show last:steadiest --project race.stickslip
check "by its id" has out "$(cat marked)"
check "back from it" status 0 show "$(cut -c1-12 marked):cheapest" --project race.stickslip
check "no such mark" status 2 show last:fastest --project race.stickslip
check "names those that are" has err "cheapest, steadiest or steadiest_feedback"
check "tries as a picture" status 0 export last --plot tries --to tries.svg --project race.stickslip
check "as numbers" status 0 export last:steadiest --plot tries --to tries.csv --project race.stickslip
check "of honest members" grep -q "member.honest,number,1," tries.csv
for to in csv tex; do check "curves of its convergence as $to" status 0 export last --plot convergence --to "race.$to" --project race.stickslip; done
check "are one a member, the answer last" python3 - <<'PY'
import csv, re
rows = list(csv.DictReader(open('race.csv')))
of = {q: list(dict.fromkeys(r['quantity'].split(', ', 1)[1] for r in rows if r['quantity'].startswith(q))) for q in ('objective', 'violation')}
assert len(of['objective']) > 2 and of['objective'][-1] == of['violation'][-1] == 'Answer', of
iterations = [float(r['x']) for r in rows if r['quantity'] == 'objective, ' + of['objective'][0]]
assert iterations == sorted(iterations) and 'nan' not in iterations, iterations
assert sum(r['quantity'].endswith(', Answer') for r in rows) == 2
drawn = re.findall(r'addplot\[stickslip look (\d+), (only)?.*?addlegendentry{(.*?)}', open('race.tex').read(), re.S)
assert [d[2] for d in drawn] == of['objective'] + of['violation'], drawn
assert len({d[0] for d in drawn}) == len(of['objective']) and [d[1] for d in drawn].count('only') == 2, drawn
PY
check "an option of CRISP's means CRISP" status 1 optimise "$push" --option max-iterations=1 --ways-on 0 --json
check "and says so" has out '"name": "crisp"'
check "once more from its end" status 0 optimise "$push" --project p.stickslip --from "$plan" --option preset=warm --json
check "takes a tenth of the iterations" smaller "$(metric iterations)" "$((from_scratch / 10 + 1))"
check "names where it starts" has out "\"start_from\": \"$plan\""
check "in half the steps" status 0 optimise "$push" --project p.stickslip --from "$plan" --option preset=warm --dt 0.02 --trajectory fine.csv --json
check "a hundred of them" [ "$(wc -l <fine.csv)" = 102 ]
check "is near it too" smaller "$(metric iterations)" "$((from_scratch / 2))"
check "from a table" status 0 optimise "$push" --from plan.csv --option preset=warm --json
check "is no run" hasnt out start_from
check "a simulation" status 0 simulate "$push" --project p.stickslip --quiet
check "from a simulation" status 0 optimise "$push" --project p.stickslip --from last --json
check "a longer horizon" status 1 optimise "$push" --t-end 2.4 --option max-iterations=1 --ways-on 0 --trajectory long.csv --quiet
check "keeps the steps" [ "$(wc -l <long.csv)" = 62 ]
check "no multiple" status 2 optimise "$push" --dt 0.03
check "says of what" has err "the horizon 2 s is no multiple of the step 0.03 s"
check "no step" status 2 optimise "$push" --dt 0
check "names the option" has err "--dt"

check "equations" status 0 optimise "$box" --set N=20 --project p.stickslip --quiet
check "from half the points" status 0 optimise "$box" --set N=40 --project p.stickslip --from last --json
check "steps of equations" status 2 optimise "$box" --dt 0.1
check "are parameters" has err "--set NAME=VALUE"

python3 - "$push" >job <<'PY'
import base64, csv, json, struct, sys
rows = list(csv.reader(open('plan.csv')))
data = base64.b64encode(b''.join(struct.pack('<d', float(v)) for row in rows[1:] for v in row)).decode()
start = {'run': 'here', 'channels': rows[0], 'shape': [len(rows) - 1, len(rows[0])], 'data': data}
job = {'type': 'job', 'id': '1', 'verb': 'optimise', 'scenario': json.load(open(sys.argv[1])), 'method': 'crisp', 'options': {'preset': 'warm'}, 'dt': 0.02}
print(json.dumps({**job, 'start': start}))
print(json.dumps({**job, 'id': '2', 'start': {'run': 'here'}}))
print(json.dumps({**job, 'id': '3', 'verb': 'simulate', 'method': 'stewart-trinkle', 'start': start}))
PY
"$cli" worker <job | grep '"type":"result"' >out
check "a worker's job starts there" has out '"start_from":"here"'
check "and is solved" has out '"outcome":"solved"'
check "others are refused" [ "$(grep -c '\"outcome\":\"failed\"' out)" = 2 ]

check "nothing of it" status 2 optimise "$box" --from plan.csv
check "says so" has err "no channel of the trajectory to start from is a variable of 'push-box'"
check "a run without project" status 2 optimise "$push" --from "$plan"
check "asks for it" has err "needs --project"
check "no such run" status 2 optimise "$push" --from 0000ffff --project p.stickslip
check "no such table" status 2 optimise "$push" --from none.csv
check "only of optimisers" status 2 simulate "$push" --from plan.csv

check "compared replays" status 0 compare "$push" --methods stewart-trinkle,moreau-jean --plan plan.csv --option stewart-trinkle.gap=end
check "by their distance" has out "to plan [m]"
check "an optimiser replays nothing" status 2 compare "$push" --methods crisp --plan plan.csv

change joint.json 'd["methods"] = {"crisp": {"coordinates": "joint"}}'
check "coordinates in a file" status 0 validate joint.json
check "are used" status 0 optimise joint.json --json
check "and in the result" has out '"coordinates": "joint"'
check "with the transcription" has out '"transcription": "time-stepping"'
change polar.json 'd["methods"] = {"crisp": {"coordinates": "polar"}}'
check "no such coordinates" status 2 validate polar.json
check "names the place" has out "methods.crisp.coordinates"
check "methods" status 0 methods ipopt
check "lists them" has out "absolute|joint"

change few.json 'd["task"]["contacts"] = ["floor-box", "box-disc"]'
check "a contact left out" status 1 optimise few.json --option max-iterations=1 --ways-on 0
check "is told" has err "left out of the plan by task.contacts: floor-disc"
check "nothing left out" status 1 optimise "$push" --option max-iterations=1 --ways-on 0
check "is not" hasnt err "left out"
# A ball beside a thin wall shall get to its other side: between two points it can, and every row is obeyed.
cat >shot.json <<'JSON'
{"format": 1, "name": "shot", "scene": {"gravity": [0, 0], "friction": 0.3, "bodies": [
  {"name": "wall", "fixed": true, "shape": {"type": "box", "width": 0.02, "height": 2}},
  {"name": "ball", "mass": 0.5, "position": [-0.4, 0], "shape": {"type": "circle", "radius": 0.05}}], "contacts": "all", "actuators": [
  {"name": "fx", "type": "force", "body": "ball", "direction": [1, 0], "lower": -50, "upper": 50},
  {"name": "fy", "type": "force", "body": "ball", "direction": [0, 1], "lower": -50, "upper": 50}]},
  "task": {"horizon": 1, "steps": 6, "t_end": 1, "dt": 0.1, "effort": 0.01, "targets": [{"body": "ball", "position": [0.4, 0]}]}}
JSON
check "through a wall" status 1 optimise shot.json --method crisp --ways-on 0 --project n.stickslip --trajectory shot.csv --json
check "is no plan" has out '"outcome": "not_replayable"'
check "though its rows are obeyed" smaller "$(metric max_violation)" 1e-6
check "by its overlap" smaller 0.059 "$(metric max_swept_overlap)"
check "which is said first" has out '"message": "contact wall-ball overlaps by 0.06 m at t = '
check "kept" [ "$(wc -l <shot.csv)" = 8 ]
check "listed" status 0 list --project n.stickslip
check "as what it is" has out " not_replayable "
check "shown" status 0 show last --project n.stickslip
check "with the reason" has out "contact wall-ball overlaps"
check "in words of the drawing" has out "  ball passes through wall between t = "
check "a plan that had to stop" status 1 optimise "$push" --method crisp --option max-iterations=2 --ways-on 0 --project w.stickslip
check "says why" grep -q '^  because  ' out
check "and what ran out" has out "budget of 2 iterations used after "
check "as JSON" status 1 optimise "$push" --method crisp --option max-iterations=2 --ways-on 0 --project w.stickslip --json
check "with kind, number, unit and time" python3 -c 'import json; r = json.load(open("out"))["reasons"]; assert 2 <= len(r) <= 5 and r[-1]["kind"] == "budget" and all(set(i) == {"kind", "text", "value", "unit", "t", "until"} for i in r) and r[0]["value"] > 0 and r[0]["unit"]'
check "and kept" status 0 show last --project w.stickslip
check "for later" grep -q "^Reasons" out
check "a model" status 1 optimise "$box" --method crisp --option max-iterations=2 --json
check "by block, row and point" python3 -c 'import json; r = json.load(open("out"))["reasons"]; assert r[0]["kind"] == "row" and " at k = " in r[0]["text"], r'
check "compared" status 1 compare shot.json --methods crisp
check "as no success" has out " not_replayable"
check "the law alone does not see it" status 0 replay last --project n.stickslip --option gap=end --json
# A wall that the task leaves out is nothing to the plan; the law has it.
sed 's/"task": {/"task": {"contacts": [], /; s/"steps": 6/"steps": 40/' shot.json >open.json
check "through a wall left out" status 1 optimise open.json --method crisp --ways-on 0 --quiet --json
check "is no plan either" has out '"outcome": "not_replayable"'
check "by its penetration" smaller 0.02 "$(metric max_penetration)"
# Half a centimetre and more is told.
check "a plan to tell of" status 0 optimise "$root/examples/plans/ball-into-bucket.stickslip.json" --option bounds=rows --json
check "of an overlap" has out '"contact plate-ball overlaps by 0.01'
check "of a gift" has out 'most of it contact plate-ball'
# A bar about its end that is to turn at 3 rad/s: without 3 m/s of its centre the pin takes 3^2 / (2 (1/m + 1/I)) of it.
cat >bar.json <<'JSON'
{"format": 1, "name": "bar", "parameters": {"v": {"value": 0}}, "scene": {"gravity": [0, 0], "bodies": [{"name": "bar", "shape": {"type": "box",
  "width": 2, "height": 0.1}, "mass": 1, "inertia": 0.5, "position": [1, 0], "velocity": [0, "v"], "angular_velocity": 3}], "joints": [{"type": "pin",
  "name": "pin", "bodies": ["world", "bar"], "anchors": [[0, 0], [-1, 0]]}], "actuators": [{"name": "u", "type": "joint", "joint": "pin"}]},
  "task": {"horizon": 0.5, "steps": 5, "t_end": 0.5, "dt": 0.1, "targets": [{"body": "bar", "angular_velocity": 0}]}}
JSON
check "a start that fits no joint is valid" status 0 validate bar.json --json
check "and told with the energy that goes" python3 -c 'import json; s = json.load(open("out"))[0]["start"]; assert s["joint"] == "pin" and abs(s["energy"] - 1.5) < 1e-9 and abs(s["kinetic"] - 2.25) < 1e-9, s'
check "in words" status 0 validate bar.json
check "as a warning" has out 'warning: the start velocities do not fit joint pin: '
check "a plan from it" status 0 optimise bar.json --method crisp --ways-on 0
check "says so, too" has err 'the start velocities do not fit joint pin: it changes them at once, and the kinetic energy by 1.5 of 2.25 J'
sed 's/"anchors"/"stiffness": 1e4, &/' bar.json >spring-bar.json
check "a pin that is a spring of some methods" status 0 validate spring-bar.json
check "may keep them" hasnt out 'do not fit'
check "and takes them by a plan, to which it is rigid" status 0 optimise spring-bar.json --method crisp --ways-on 0
check "which says so" has err 'the start velocities do not fit joint pin'
check "one from a start that fits" status 0 optimise bar.json --method crisp --ways-on 0 --set v=3
check "says nothing" hasnt err 'do not fit'
finish
