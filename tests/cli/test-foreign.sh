#!/usr/bin/env bash
# What comes from elsewhere: names of projects that SQLite would take for its own, texts of a foreign project on a terminal and in a
# spreadsheet, tables with a byte-order mark.
#   test-foreign.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# --- a project is a file, whatever its name
for name in :memory: file:x.stickslip 'file:y?mode=memory'; do
  check "store in $name" status 0 optimise "$box" --set N=20 --project "$name" --quiet
  check "is a file: $name" [ -s "./$name" ]
  check "with the run: $name" status 0 list "$name"
  check "in it: $name" has out push-box
done
check "a folder 'file:' that is not there" status 2 optimise "$box" --set N=20 --project "file://$work/z" --quiet
check "nothing else was made" [ "$(ls | grep -c -E '^(x|y|z)')" = 0 ]
check "no name" status 2 list ""
check "no name to store in" status 2 optimise "$box" --project ""

# --- texts of a foreign project reach no terminal as they are. A worker that is none of ours stores them.
cat >hostile <<'SCRIPT'
#!/usr/bin/env python3
import json, sys
job = json.loads(sys.stdin.readline())
evil = "\x1b]0;owned\x07\x1b[31mred\x9b2J\x7f\u202etxt\r\n\tend"
def send(**event):
    print(json.dumps({"id": job["id"], "t": 0.1, **event}), flush=True)
send(type="start")
send(type="log", level="warning", text=evil)
send(type="iteration", iteration=0, objective=-1.5, violation=0.5, remark="=1+1", **{"=cmd": 1, "+plus": "-2+3"})
send(type="iteration", iteration=1, objective=-2.5, violation=0.5, remark="@SUM(A1)", **{"=cmd": 1, "+plus": "\t=1"})
send(type="result", outcome="failed", message=evil, warnings=[evil], metrics={"objective": 1, evil: evil}, final_state={evil: 1},
     events=[{"t": 0.5, "kind": "impact", "contact": "=HYPERLINK(\"x\")", "impulse": -1.5},
             {"t": 0.6, "kind": "impact", "contact": evil, "impulse": 1}])
sys.stdin.read()
SCRIPT
chmod +x hostile
# clean FILE: no control character but newline, no C1 control, none that turns the direction of writing.
clean() {
  python3 - "$1" <<'PYTHON'
import re, sys
text = open(sys.argv[1], encoding="utf-8", newline="").read()
bad = re.findall("[^\\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
assert not bad, [ascii(b) for b in bad]
PYTHON
}
# titles, descriptions and names of bodies of a foreign scenario
python3 - "$fall" "$box" <<'PYTHON'
import json, sys
evil = "\x1b]0;owned\x07\x1b[31mred\x9b2J\x7f\u202etxt"
for name, path in (("scene", sys.argv[1]), ("model", sys.argv[2])):
    scenario = json.load(open(path))
    scenario["title"] = scenario["description"] = evil
    for block in scenario.get("model", {}).get("blocks", []):
        block["description"] = evil
    json.dump(scenario, open("evil-%s.stickslip.json" % name, "w"))
PYTHON
for kind in scene model; do
  for how in "" --latex; do
    check "equations of a foreign $kind $how" status 0 equations evil-$kind.stickslip.json $how
    check "equations of a foreign $kind $how: clean" clean out
    check "equations of a foreign $kind $how: the title is there" has out red
  done
  check "validate a foreign $kind" status 0 validate evil-$kind.stickslip.json
  check "validate a foreign $kind: clean" clean out
done
check "contacts of a foreign scene" status 0 contacts evil-scene.stickslip.json
check "contacts of a foreign scene: clean" clean out
export STICKSLIP_WORKER=$work/hostile
check "compare" status 1 compare "$box" --methods crisp --project evil.stickslip
check "compare: table" clean out
check "compare: messages" clean err
check "compare: the text is there" has err 'red'
check "compare as JSON" status 1 compare "$box" --methods crisp --json --quiet
check "compare as JSON: clean" clean out
unset STICKSLIP_WORKER
python3 - <<'PYTHON'
import sqlite3
db = sqlite3.connect("evil.stickslip")
db.execute("UPDATE run SET scenario_name = ?1, label = '=1+1', note = ?1", ("\x1b[2Jname\x9b\x07",))
db.commit()
PYTHON
by_hand evil.stickslip "SELECT 1" >/dev/null
check "list" status 0 list evil.stickslip
check "list: clean" clean out
check "list: the name is there" has out name
check "list: a line a run" [ "$(wc -l <out)" = 2 ]
check "list as JSON" status 0 list evil.stickslip --json
check "list as JSON: clean" clean out
check "list as JSON: nothing is lost" python3 -c 'import json; assert json.load(open("out"))[0]["note"] == "\x1b[2Jname\x9b\x07"'
check "show" status 0 show last --project evil.stickslip
check "show: clean" clean out
check "show as JSON" status 0 show last --project evil.stickslip --json
check "show as JSON: clean" clean out
check "a message with such a name" status 2 show "$(printf '\033[31mzzzz')" --project evil.stickslip
check "is clean" clean err
cp evil.stickslip "$(printf 'b\033[31mad.stickslip')"
check "a file of such a name" status 2 export zzzz --to x.csv --project "$(printf 'b\033[31mad.stickslip')"
check "export: clean" clean err

# --- tables hold nothing that a spreadsheet takes for a formula; numbers stay numbers
cat >formulas.py <<'PYTHON'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8")))
for row in rows:
    for field in row:
        try:
            float(field)
        except ValueError:
            assert field[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n"), ascii(field)
assert any(field[:2] in ("'=", "'@") for row in rows for field in row), rows
assert any(field.startswith("-") for row in rows for field in row), "numbers below zero are gone"
PYTHON
check "export events" status 0 export last --plot events --to events.csv --project evil.stickslip
check "events: no formula" python3 formulas.py events.csv
check "export log" status 0 export last --plot log --to log.csv --project evil.stickslip
check "log: no formula" python3 formulas.py log.csv
check "export the data of a figure" status 0 export last --plot convergence --to figure.csv --project evil.stickslip
check "figure: no formula" python3 formulas.py figure.csv

# --- tables with a byte-order mark
cat >cart.stickslip.json <<'JSON'
{"format": 1, "name": "cart", "scene": {"gravity": [0, -10], "bodies": [{"name": "cart", "mass": 2, "shape": {"type": "circle", "radius": 1}}],
  "actuators": [{"name": "push", "type": "force", "body": "cart", "direction": [1, 0], "formula": "1"}]}, "task": {"t_end": 1, "dt": 0.1}}
JSON
mark='\357\273\277'
{ printf "$mark"; printf 't,u.push\r\n0,3\r\n0.5,-3\r\n1,0\r\n'; } >plan.csv
check "a plan with a byte-order mark" status 0 replay cart.stickslip.json --plan plan.csv --quiet
{ printf "$mark"; printf 'u.push,"t"\n3,0\n0,1\n'; } >plan.csv
check "with t elsewhere" status 0 replay cart.stickslip.json --plan plan.csv --quiet
"$cli" optimise "$box" --set N=20 --trajectory answer.csv --quiet >/dev/null
{ printf "$mark"; cut -d , -f 2- answer.csv; } >marked.csv
check "a point with a byte-order mark" status 0 evaluate "$box" --set N=20 --at marked.csv
check "a start with a byte-order mark" bash -c '{ printf "$2"; cat answer.csv; } >start.csv; "$0" optimise "$1" --set N=20 --from start.csv --quiet >out 2>err' "$cli" "$box" "$mark"

finish
