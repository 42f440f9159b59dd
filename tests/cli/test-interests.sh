#!/usr/bin/env bash
# Quantities of interest, --outcome. Truth: a ball that falls from rest hits the floor after sqrt(2 h / g) with
# sqrt(2 g h), and a law of restitution e leaves e^2 of its energy.
#   test-interests.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >ball.json <<'EOF'
{"format": 1, "name": "ball", "title": "", "parameters": {"e": {"value": 0.5, "minimum": 0, "maximum": 1}},
 "scene": {"gravity": [0, -10], "restitution": "e",
  "bodies": [{"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
   {"name": "ball", "shape": {"type": "circle", "radius": 0.1}, "mass": 2, "position": [0, 0.55]}],
  "contacts": [{"bodies": ["floor", "ball"], "friction": 0}]},
 "task": {"t_end": 0.4, "dt": 0.001}, "methods": {"event-driven": {}}}
EOF
ask=(--outcome "hit=first(impact ball).t" --outcome "speed=max(abs(ball.vy))" --outcome "kept=energy.kinetic/start(energy.potential)"
  --outcome "n=count(impact)" --outcome "low=min(ball.y) < 0.2" --outcome "never=first(slip).t" --outcome "flown=integral(ball.vy)")
check "a run that is asked" status 0 simulate ball.json --method event-driven "${ask[@]}" --json --project p.stickslip
check "answers as the closed form" python3 -c '
import json, math
r = json.load(open("out"))["outcomes"]
v = {name: one["value"] for name, one in r.items()}
assert abs(v["hit"] - 0.3) < 1e-9 and r["hit"]["unit"] == "s", r
assert abs(v["speed"] - 3) < 1e-2 + 1e-9 and r["speed"]["unit"] == "m/s", r  # a row may be dt before the impact
assert v["n"] == 1 and v["low"] == 1 and v["never"] is None and r["n"]["unit"] == "", r
after = 1.5 - 10 * 0.1                                                       # e v - g (t - hit)
assert abs(v["flown"] - (-0.45 + 1.5 * 0.1 - 5 * 0.01)) < 2e-3 and r["flown"]["unit"] == "m", r
assert abs(v["kept"] - after**2 / (2 * 10 * 0.55)) < 1e-6 and r["kept"]["unit"] == "", r'
check "in words" status 0 simulate ball.json --method event-driven --outcome "hit=first(impact floor).t" --quiet
check "with the unit" grep -qE "hit +0.3[0-9]* s$" out
check "no formula" status 2 simulate ball.json --outcome "hit=first(impact" --quiet
check "says where" has err "a bracket is not closed"
check "before the run" [ ! -s out ]
check "no name" status 2 simulate ball.json --outcome "=1" --quiet
check "a word of no event" status 2 simulate ball.json --outcome "x=count(impact balll)" --quiet
check "is told, for it would count 0" has err "no event has the word 'balll'"
check "no such channel" status 2 simulate ball.json --outcome "x=final(bal.y)" --quiet
check "is said with what is near" has err "did you mean ball.y"
check "units that do not fit" status 2 simulate ball.json --outcome "x=final(ball.y) + final(ball.vy)" --quiet
check "are said" has err "units do not fit: m beside m/s"

# --- assertions: the ball is below .2 m from about .265 s to .335 s
check "what holds" status 0 simulate ball.json --method event-driven --assert "low=always(ball.y > 0.09)" --assert "hits=ever(ball.y < 0.11)" --quiet
check "is told" grep -qE "low +holds$" out
check "what fails" status 1 simulate ball.json --method event-driven --assert "low=always(ball.y > 0.2)" --outcome "later=always(ball.y > 0.2, from=0.5)" --json
check "is told with what it asked" has err "stickslip-cli: --assert low: fails at 0.26"
check "from the first row below" python3 -c '
import json, math
r = json.load(open("out"))["outcomes"]
t = math.sqrt(2 * 0.35 / 10)
assert r["low"]["verdict"] == "fails" and r["low"]["value"] == 0 and t <= r["low"]["broken_at"] <= t + 1e-3, r
assert r["later"]["verdict"] == "untold" and r["later"]["value"] is None and "broken_at" not in r["later"], r'
check "no row to tell by is no success" status 1 simulate ball.json --assert "late=always(ball.y > 0.2, from=0.5)" --quiet
check "after the fall" status 0 simulate ball.json --assert "late=always(ball.y > 0.1, from=0.35, to=0.4)" --quiet
check "no condition" status 2 simulate ball.json --assert "y=final(ball.y)" --quiet
check "is refused" has err "neither holds nor fails"
check "no condition within" status 2 simulate ball.json --assert "y=always(ball.y)" --quiet
check "is refused, too" has err "takes a condition"

# --- the section of a scenario
sed 's/"task":/"outcomes": {"hit": "first(impact ball).t", "kept": {"formula": "energy.kinetic\/start(energy.potential)", "description": "what is left"}},\n "task":/' ball.json >asking.json
check "a scenario that asks" status 0 simulate asking.json --method event-driven --outcome "n=count(impact)" --json --project a.stickslip
check "is answered beside --outcome" python3 -c '
import json
r = json.load(open("out"))["outcomes"]
assert set(r) == {"hit", "kept", "n"} and abs(r["hit"]["value"] - 0.3) < 1e-9 and r["n"]["value"] == 1, r'
check "is stored" status 0 list --project a.stickslip --json
check "with the run" python3 -c '
import json
o = json.load(open("out"))[0]["outcomes"]
assert abs(o["hit"]["value"] - 0.3) < 1e-9 and o["hit"]["unit"] == "s" and o["kept"]["unit"] == "" and o["n"]["value"] == 1, o'
check "shown" status 0 show last --project a.stickslip
check "with the unit" grep -qE "hit +0.3[0-9]* s$" out
check "filtered by" status 0 table --project a.stickslip --filter "hit<0.3005 n=1" --format csv
check "the name" has out "hit,"
check "the file as it was" status 0 command last --project a.stickslip
check "asks again" has out "--outcome 'n=count(impact)'"
check "reproduced" status 0 reproduce last --project a.stickslip
sed 's/first(impact ball).t/final(bal.y)/' asking.json >wrong.json
check "a channel that is not there" status 2 validate wrong.json
check "is told with its place" has out "outcomes.hit"
check "and what is near" has out "did you mean ball.y"
check "with its line" has out "wrong.json:6: "
sed 's/"hit":/"e":/' asking.json >wrong.json
check "a parameter's name" status 2 validate wrong.json
check "is told" has out "is a parameter already"
check "of methods side by side" status 0 compare asking.json --methods event-driven,stewart-trinkle --quiet
check "columns" grep -qE "method +outcome +hit \[s\] +kept" out

# --- stored runs
check "a study" status 0 sweep ball.json --vary e=0,0.5,1 --methods event-driven,stewart-trinkle --project s.stickslip --quiet
check "as columns" status 0 table --project s.stickslip --outcome "kept=energy.kinetic/start(energy.potential)" --outcome "hit=first(impact).t" --sort kept --format jsonl
check "of every run, in order" python3 -c '
import json
rows = [json.loads(line) for line in open("out")]
assert len(rows) == 6 and all(abs(row["hit"] - 0.3) < 1.1e-3 for row in rows), rows
kept = [row["kept"] for row in rows]
assert kept == sorted(kept), kept
for row in rows:
    v = 3 * row["e"] - 10 * 0.1 if row["e"] > 0 else 0
    assert abs(row["kept"] - v * v / 11) < 2e-2, row'
check "filtered" status 0 table --project s.stickslip --outcome "hit=first(impact).t" --filter "hit<0.3005 e=1" --format csv
check "by the name" [ "$(wc -l <out)" = 3 ]
check "asked of a study" status 0 sweep ball.json --vary e=0,0.5,1 --methods event-driven,stewart-trinkle --outcome "kept=energy.kinetic/start(energy.potential)" --title Kept --project t.stickslip --format csv --quiet
check "as a column" python3 -c '
import csv
rows = list(csv.DictReader(open("out")))
assert len(rows) == 6 and all("kept" in row for row in rows), rows
for row in rows:
    v = 3 * float(row["e"]) - 1 if float(row["e"]) > 0 else 0
    assert abs(float(row["kept"]) - v * v / 11) < 2e-2, row'
check "drawn" status 0 figure Kept --project t.stickslip --kind curves --metric kept --to kept.svg --quiet
check "as a table" status 0 figure Kept --project t.stickslip --kind heat --metric kept --table summary
check "by its name" has out "kept"
check "asked later" status 0 figure Kept --project t.stickslip --kind heat --outcome "hit=first(impact).t" --metric hit --quiet
check "no such metric" status 2 figure Kept --project t.stickslip --kind heat --metric kepd
check "with what is near" has err "kept comes nearest"
check "a parameter's name" status 2 sweep ball.json --vary e=0 --outcome "e=1" --project t.stickslip --quiet
check "is refused" has err "a parameter of that name"
check "a head for people" status 0 table --project s.stickslip --outcome "hit=first(impact).t"
check "has the unit" has out "hit [s]"
check "a name that is taken" status 2 table --project s.stickslip --outcome "objective=1"
check "is refused" has err "choose another name"
for name in objective energy_final time method seed; do
  check "a column's name: $name" status 2 simulate ball.json --outcome "$name=final(ball.y)" --quiet
  check "is refused" has err "outcome $name: lists and tables call a column of theirs '$name': choose another name"
done
check "a parameter's name in a run" status 2 simulate ball.json --outcome "e=final(ball.y)" --quiet
sed 's/"task":/"outcomes": {"time": "first(impact ball).t"},\n "task":/' ball.json >named.json
check "a column's name in a scenario" status 2 simulate named.json --quiet
check "is refused" has err "outcomes: outcome time: lists and tables"
check "columns of runs that no row needs" status 0 table --project s.stickslip --columns method,seed,work=W --format csv
check "columns of runs that no row needs: all" grep -qE '^method,seed,(work|W)' out
check "no run fits" status 0 table --project s.stickslip --filter "steps<1" --columns method,steps,e --format csv
check "no run fits: its heads" grep -qx "method,steps,e" out
check "no run fits, an outcome" status 0 table --project t.stickslip --filter "steps<1" --columns method,kept --format csv
check "no run fits, an outcome: its heads" grep -qx "method,kept" out
check "no channel in any run" status 2 table --project s.stickslip --outcome "x=final(box.y)"
check "is refused" has err "no channel 'box.y'"

# --- runs that keep no motion
check "a study of metrics" status 0 sweep ball.json --vary e=0.5 --methods event-driven --outcome "hit=first(impact).t" --keep metrics --project m.stickslip --quiet
check "a word that no event has" status 2 table --project m.stickslip --outcome "n=count(impact nothing)"
check "is refused, as before a run" has err "no event has the word 'nothing'"
check "no channel of the scenario" status 2 table --project m.stickslip --outcome "x=final(box.y)"
check "is refused" has err "no channel 'box.y'"
check "what was asked then" status 0 table --project m.stickslip --outcome "hit=first(impact).t" --format csv --columns hit
check "is answered" grep -q '^0\.3' out
check "another formula of that name" status 0 table --project m.stickslip --outcome "hit=last(impact).t" --format csv --columns hit
check "is not" grep -qvE '[0-9]' out
check "nor is its answer there" test "$(sed 1d out | tr -d '[:space:]')" = ""
check "in a table" status 0 table --project m.stickslip --outcome "hit=last(impact).t" --columns hit
check "it is said why" has out "1 of 1 runs keep no whole motion"
check "what is answered" status 0 table --project m.stickslip --outcome "hit=first(impact).t" --columns hit
check "lacks nothing" hasnt out "keep no whole motion"
check "in a figure's table" status 0 figure last --project m.stickslip --kind box --metric late --outcome "late=last(impact).t"
check "too" has out "1 of 1 runs keep no whole motion"
check "it is made again" status 0 reproduce last --keep --project m.stickslip
check "and answers" status 0 table last --project m.stickslip --outcome "hit=last(impact).t" --format csv --columns hit
check "then" grep -q '^0\.3' out

# --- a median over some of the runs says so: before 0.1 s nothing has hit the floor
check "a study with a run without an impact" status 0 sweep ball.json --vary t_end=0.1,0.6,1 --methods event-driven --outcome "hit=first(impact).t" --title Some --project v.stickslip --quiet
check "its summary" status 0 figure Some --table summary --metric hit --project v.stickslip
check "says how many tell" has out "Of runs that have a value: hit of Event-Driven 2 of 3."
check "its distribution" status 0 figure Some --kind distribution --metric hit --project v.stickslip
check "too" has out "Of runs that have a value: Event-Driven 2 of 3."
check "where all tell" status 0 figure Some --kind box --metric steps --project v.stickslip
check "nothing is said" hasnt out "have a value"

# --- rows of some steps alone: 0.3 m high at most between them, which no straight line tells
asked=(--outcome "top=max(ball.vy)" --outcome "mean=mean(ball.y)" --outcome "rms=rms(ball.vy)" --outcome "way=integral(abs(ball.vy))"
  --outcome "first=start(ball.y)" --assert "up=always(ball.y > 0.11)" --assert "late=ever(ball.vy > 1, from=0.4)" --outcome "mixed=max(ball.vy)/count(impact)")
check "asked of all rows" status 1 simulate ball.json "${asked[@]}" --json
cp out whole
check "of rows that are not kept" status 1 simulate ball.json --every 50 "${asked[@]}" --project s.stickslip --json
check "all steps answer, bit by bit" python3 -c '
import json
whole, few = (json.load(open(name))["outcomes"] for name in ("whole", "out"))
assert len(whole) == 8 and whole["up"]["broken_at"] > 0, whole
assert few["top"]["of_all_rows"] and "of_all_rows" not in few["first"], few
for name in whole:
    few[name].pop("of_all_rows", None)
assert few == whole, (few, whole)'
check "such an answer is kept" status 0 table last --project s.stickslip --outcome "top=max(ball.vy)" --columns top
check "and nothing lacks" hasnt out "keep no whole motion"
check "another question is not answered" status 0 table last --project s.stickslip --outcome "top=min(ball.vy)" --columns top
check "by rows that are gone" has out "1 of 1 runs keep no whole motion"
check "it is made again" status 0 reproduce last --project s.stickslip
check "as it was" has out "Equal: all"
check "what goes on does not answer of some rows" status 2 simulate --continue last --t-end 1.2 --every 50 --outcome "top=max(ball.y)" --project s.stickslip --quiet
check "and says so" has err "keeps rows of every 50 steps"
check "the end is told" status 0 simulate ball.json --every 50 --outcome "end=final(ball.y)" --outcome "n=count(impact)" --project e.stickslip --quiet
check "nor is it asked later" status 0 table last --project e.stickslip --outcome "top=max(ball.y)" --outcome "end=final(ball.y)" --columns top,end
check "it is said of that run, too" has out "1 of 1 runs keep no whole motion"
check "a span of such rows" status 0 measure last --channel ball.y --project e.stickslip
check "has a note" has err "rows of every 50 steps"
check "what goes on from such rows lacks them, too" status 2 simulate --continue last --t-end 1.2 --assert "low=always(ball.y < 9)" --project e.stickslip --quiet
check "it says so" has err "keeps rows of every 50 steps"
check "without what lies between them" status 0 simulate --continue last --t-end 1.2 --outcome "end=final(ball.y)" --project e.stickslip --quiet
check "the whole is not asked either" status 0 table last --project e.stickslip --outcome "top=max(ball.y)" --columns top
check "and says it" has out "1 of 1 runs keep no whole motion"

# --- a contact's bodies in either order
check "a contact by its bodies in the other order" status 0 simulate ball.json --outcome "n=count(impact ball-floor)" --outcome "push=max(ball_floor.lambda_n)" --assert "touches=ever(ball_floor.lambda_n > 0)" --set ball-floor.friction=0.5 --method stewart-trinkle --project o.stickslip --json --quiet
check "is that contact" python3 -c '
import json
r = json.load(open("out"))["outcomes"]
assert r["n"]["value"] >= 1 and r["push"]["value"] > 0 and r["touches"]["verdict"] == "holds", r'
check "in measure" status 0 measure last --channel ball-floor.lambda_n --from 0 --to 0.4 --project o.stickslip
check "under its name" has out "floor-ball.lambda_n"
check "in a plot" status 0 export last --plot channels --channels "ball-floor.lambda_n" --to push.csv --project o.stickslip
check "under its name, too" has push.csv "floor-ball.lambda_n"
check "of bodies without a contact" status 2 simulate ball.json --outcome "n=max(ball_wall.lambda_n)" --quiet
check "nothing is found" has err "no channel 'ball_wall.lambda_n'"

# --- a field of the scene that has no parameter: three boxes of one mass, two of which meet once. The second slides 1 m to
# the third, which gets (1 + e)/2 of its speed and slides to rest: s = v^2/(2 mu g).
boxes=$root/examples/fesd-j/three-boxes.stickslip.json
check "does restitution matter for where the third box ends" status 0 sweep "$boxes" --vary box2-box3.restitution=0:1:5 --set box2.vx=8 --methods event-driven --outcome "third=final(box3.x)" --title Third --project b.stickslip --format csv --quiet
check "as the closed form says" python3 -c '
import csv
rows = list(csv.DictReader(open("out")))
assert len(rows) == 5, rows
for row in rows:
    e, g = float(row["box2-box3.restitution"]), 9.81
    v = (1 + e) / 2 * (8 * 8 - 2 * 0.2 * g * 1) ** 0.5
    assert abs(float(row["third"]) - (3 + v * v / (2 * 0.2 * g))) < 1e-4, row' # six digits are printed
check "one run by the same names" status 0 simulate "$boxes" --set box2.vx=8 --set box2-box3.restitution=0.5 --method event-driven --outcome "third=final(box3.x)" --json --quiet
check "is the same" python3 -c '
import json
assert abs(json.load(open("out"))["outcomes"]["third"]["value"] - 11.6118) < 1e-4'
check "a field that is none" status 2 simulate "$boxes" --set box2-box3.restitutoin=0.5
check "is told" has err "no number 'box2-box3.restitutoin'"
check "out of its range" status 2 sweep "$boxes" --vary box2-box3.restitution=0,1.5 --methods event-driven --dry-run
check "is told" has err "out of the range of 'box2-box3.restitution', 0 to 1"
finish
