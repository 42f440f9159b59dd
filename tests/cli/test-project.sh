#!/usr/bin/env bash
# Storing, comparing, listing, showing and exporting runs.
#   test-project.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

check "store a run" status 0 optimise "$box" --set j=3 --project p.stickslip --quiet
check "store another" status 0 simulate "$fall" --project p.stickslip --quiet
check "one file" [ "$(ls p.stickslip*)" = p.stickslip ]
check "a misspelt option is no run" status 2 optimise "$box" --option mu00=1 --project p.stickslip
check "list" status 0 list p.stickslip
check "two runs" [ "$(wc -l <out)" = 3 ]
check "a table of them" status 0 table --project p.stickslip --format jsonl --sort objective
check "with all their digits" python3 -c '
import json, sqlite3
rows = [json.loads(line) for line in open("out")]
assert len(rows) == 2 and rows[1].get("objective") is None, rows
(value,) = sqlite3.connect("p.stickslip").execute("SELECT value FROM metric WHERE name = \"objective\" AND value IS NOT NULL").fetchone()
assert rows[0]["objective"] == value and rows[0]["outcome"] == "Solved", rows'
cp out every
check "all of them, by that word" status 0 table all --project p.stickslip --format jsonl --sort objective
check "is the same table" cmp out every
check "columns for a page" status 0 table --project p.stickslip --columns "objective=J,method" --format tex --long
check "in their order, with their heads" has out "\\begin{longtable}{rl}"
check "and no others" has out "J & Method"
check "a column that is none" status 2 table --project p.stickslip --columns objectiv
check "the nearest" has err "did you mean objective"
check "a filter" status 0 table --project p.stickslip --filter "method:crisp objective>0" --format csv
check "one row under its head" [ "$(wc -l <out)" = 2 ]
check "what no run has" status 2 table --project p.stickslip --filter "scenari:box"
check "is said with what is near" has err "did you mean “scenario”"
check "list by option" status 0 list --project p.stickslip --json
id=$(grep -m 1 '"run"' out | cut -d '"' -f 4)
check "show the last" status 0 show last --project p.stickslip
check "provenance" has out "compiler"
check "show by prefix" status 0 show "${id:0:8}" --project p.stickslip --json
check "the whole id" has out "$id"
check "unknown run" status 2 show 0000ffff --project p.stickslip
check "no project" status 2 show last
check "no comparisons" status 0 list p.stickslip --comparisons
check "nothing printed" [ ! -s out ]
by_hand p.stickslip "INSERT INTO comparison (id, title, created) VALUES ('c1', 'Two of them', '2026-01-02T03:04:05');
  INSERT INTO comparison_run SELECT 1, 2 - number, id, 'run ' || number FROM run" # the second run first
check "a comparison" status 0 list p.stickslip --comparisons --json
check "with its runs in their order" python3 -c '
import json, sqlite3
(c,) = json.load(open("out"))
ids = [row[0] for row in sqlite3.connect("p.stickslip").execute("SELECT id FROM run ORDER BY number DESC")]
assert c["title"] == "Two of them" and c["runs"] == ids and c["labels"] == ["run 2", "run 1"], c'
check "missing project" status 2 list nowhere.stickslip
check "no such file" has err "no such file"
echo "this is text, not a database, and longer than a header" >text.stickslip
check "not a project" status 2 list text.stickslip
check "says what it is not" has err "not an SQLite database"
check "not a project to store in" status 2 optimise "$box" --project text.stickslip
check "and left as it was" has text.stickslip "this is text"

check "compare" status 0 compare "$box" --methods crisp,ipopt --set j=9 --set N=20 --project p.stickslip --quiet
check "a row each" bash -c 'grep -q "^crisp  *solved" out && grep -q "^ipopt  *solved" out'
check "columns are aligned" [ "$(head -n 3 out | awk '{print length}' | sort -u | wc -l)" = 1 ]
check "compare in parallel" status 0 compare "$box" --methods crisp,ipopt --set N=20 --parallel --json
check "as JSON" python3 -c 'import json; r = json.load(open("out")); assert len(r["runs"]) == 2 and r["parallel"]'
check "option for one method" status 0 compare "$box" --methods crisp,ipopt --set N=20 --option crisp.mu0=5 --json
check "reaches it" has out '"mu0": 5.0'
check "option out of range" status 2 compare "$box" --methods crisp --option mu0=-1 --quiet
check "says why" has err "expected a number from"
cp "$cli" renamed-cli
check "under another name" bash -c 'cd / && "$0" compare "$1" --methods crisp --set N=20 --quiet >/dev/null' "$work/renamed-cli" "$box"
check "option for nobody" status 2 compare "$box" --methods crisp,ipopt --option nonsense=5
check "misspelt method" status 2 compare "$box" --methods crisp,ipot
check "nearest" has err "ipopt"
check "integrators and optimisers" status 2 compare "$fall" --methods crisp,stewart-trinkle
check "integrators" status 0 compare "$fall" --methods stewart-trinkle --quiet
check "one without success" status 1 compare "$box" --methods crisp --option max-iterations=2 --quiet

for plot in motion convergence channels phase full; do
  for suffix in pdf svg png csv; do
    check "export $plot as $suffix" status 0 export last --project p.stickslip --plot $plot --to $plot.$suffix
    check "$plot.$suffix is there" [ -s $plot.$suffix ]
  done
done
check "pdf" [ "$(head -c 4 full.pdf)" = %PDF ]
check "png" [ "$(head -c 4 full.png | tail -c 3)" = PNG ]
check "export a film" status 0 export last --project p.stickslip --plot motion --fps 5 --width 60 --to f.webp
check "a film of what does not move" status 2 export last --project p.stickslip --plot convergence --to x.webp
check "export a log" status 0 export last --project p.stickslip --plot log --to log.csv
check "export a trajectory" status 0 export last --project p.stickslip --plot trajectory --to t.csv
check "rows" [ "$(wc -l <t.csv)" = 21 ]
check "store a run with events" status 0 simulate "$root/examples/classics/bouncing-ball.stickslip.json" --method moreau-jean --project p.stickslip --json
check "impacts with contact and impulse" python3 -c '
import json
events = json.load(open("out"))["events"]
impacts = [e for e in events if e["kind"] == "impact"]
assert len(impacts) > 4 and all(e["contact"] == "floor-ball" and e["impulse"] > 0 for e in impacts), events
assert abs(impacts[0]["t"] - (2 / 9.81) ** 0.5) < 2e-3, impacts[0]
assert all(e["impulse"] is None for e in events if e["kind"] != "impact")
assert [e["t"] for e in events] == sorted(e["t"] for e in events)
json.dump(events, open("events-of-it", "w"))'
check "show them" status 0 show last --project p.stickslip
check "in words" has out "impact at floor-ball"
for plot in phase states steps modes; do
  for suffix in pdf svg png csv; do
    check "export $plot of a simulation as $suffix" status 0 export last --project p.stickslip --plot $plot --to $plot.$suffix
  done
done
check "a phase plane of other channels" status 0 export last --project p.stickslip --plot phase --x t --y ball.vy --to vy.csv
check "has both" python3 -c '
import csv
assert {r["quantity"] for r in csv.DictReader(open("vy.csv"))} == {"Time [s]", "ball.vy [m/s]"}'
check "a channel that there is none of" status 2 export last --project p.stickslip --plot phase --y ball.z --to no.pdf
check "its nearest name" has err "ball."
check "channels elsewhere" status 2 export last --project p.stickslip --plot motion --y ball.y --to no.pdf
check "snapshots at times" status 0 export last --project p.stickslip --plot motion --times 0,0.25,0.5 --to times.png
check "times that are none" status 2 export last --project p.stickslip --plot motion --times 0,x --to no.png
# panels PDF ROWS: the times that are written above its panels, so many rows of them, are put into the file shown.
panels() {
  pdftotext -layout "$1" - | python3 -c '
import re, sys
rows = [[float(t) for t in re.findall(r"(\d+\.\d+) s\b", line)] for line in sys.stdin]
rows = [row for row in rows if row]
assert len(rows) == int(sys.argv[1]), rows
print(*[t for row in rows for t in row])' "$2" >shown
}
"$cli" simulate "$fall" --project board.stickslip --quiet >/dev/null
check "a storyboard, evenly spread" status 0 export last --project board.stickslip --plot storyboard --times even:7 --width 180 --to even.pdf
check "in two rows of a page" panels even.pdf 2
check "their times" python3 -c '
shown = [float(t) for t in open("shown").read().split()]
assert len(shown) == 7 and shown[0] == 0, shown
assert all(abs(t - shown[-1] * i / 6) <= 0.005 + 1e-9 for i, t in enumerate(shown)), shown  # in hundredths'
check "in a column" status 0 export last --project board.stickslip --plot storyboard --times even:7 --width 88 --to column.pdf
check "in three rows of a column" panels column.pdf 3
check "a storyboard at events" status 0 export last --project p.stickslip --plot storyboard --times events --to at.pdf
check "which are told" panels at.pdf 1
check "begin, events that lie apart, end" python3 -c '
import csv, json
shown = [float(t) for t in open("shown").read().split()]
events = [float(e["t"]) for e in json.load(open("events-of-it"))]
assert len(shown) > 4 and shown == sorted(shown) and shown[0] == 0, shown
assert all(any(abs(t - e) < 0.006 for e in events) for t in shown[1:-1]), (shown, events)
span = shown[-1] - shown[0]
assert all(b - a >= span / 40 - 0.02 for a, b in zip(shown, shown[1:])), shown'
check "more panels than there may be" status 2 export last --project p.stickslip --plot motion --times even:61 --to no.png
check "times elsewhere" status 2 export last --project p.stickslip --plot steps --times 0,1 --to no.png
check "nothing was written" [ ! -e no.pdf ]
check "export them" status 0 export last --project p.stickslip --plot events --to events.csv
check "a line each" python3 -c '
import csv
rows = list(csv.DictReader(open("events.csv")))
assert sum(r["kind"] == "impact" for r in rows) > 4 and rows[0]["contact"] == "floor-ball" and float(rows[0]["impulse"]) > 6'
check "store a run that rocks" status 0 simulate "$root/examples/classics/rocking-block.stickslip.json" --method moreau-jean --project p.stickslip --json
check "its corners hit in turn" python3 -c '
import json
impacts = [e for e in json.load(open("out"))["events"] if e["kind"] == "impact"][:4]
assert len(impacts) == 4 and all(a["point"] != b["point"] for a, b in zip(impacts, impacts[1:])), impacts
assert len({e["point"] for e in impacts}) == 2 and all(e["impulse"] > 0 for e in impacts), impacts
json.dump([[e["t"], e["point"], e["impulse"]] for e in impacts], open("impacts.json", "w"))'
check "show its points" status 0 show last --project p.stickslip
check "in words with the point" has out "impact at floor-block, point"
check "export its points" status 0 export last --project p.stickslip --plot events --to points.csv
check "the same points in the table and in the project" python3 -c '
import csv, json, sqlite3
impacts = json.load(open("impacts.json"))
rows = [r for r in csv.DictReader(open("points.csv")) if r["kind"] == "impact"][:4]
assert [[float(r["t"]), int(r["point"]), float(r["impulse"])] for r in rows] == impacts, rows
stored = sqlite3.connect("p.stickslip").execute(
    "SELECT t, point, impulse FROM event WHERE kind = \"impact\" AND run = (SELECT max(number) FROM run) ORDER BY number LIMIT 4")
assert [list(r) for r in stored] == impacts'
check "unknown plot" status 2 export last --project p.stickslip --plot fulll --to x.pdf
check "unknown format" status 2 export last --project p.stickslip --plot full --to x.docx
check "a table is no picture" status 2 export last --project p.stickslip --plot log --to log.pdf
check "no target" status 2 export last --project p.stickslip
check "simulation has channels" bash -c '"$0" export "$("$0" list p.stickslip --json | grep -B 3 stewart | grep -m 1 "\"run\"" | cut -d "\"" -f 4)" \
  --project p.stickslip --plot trajectory --to s.csv && grep -q "^t,floor.x" s.csv' "$cli"

# --- sketches
check "add two sketches" status 0 add "$box" "$box" --project s.stickslip
check "their names" bash -c '[ "$(cat out)" = "push-box
push-box-2" ]'
check "a name for one of them alone" status 2 add "$box" "$box" --name x --project s.stickslip
check "what is no scenario is not added" status 2 add s.stickslip --project s.stickslip
check "a sketch is read as a file" status 0 validate s.stickslip#push-box
check "its text is the file's" bash -c '"$0" show s.stickslip#push-box-2 | cmp - "$1"' "$cli" "$box"
check "solve a sketch" status 0 optimise s.stickslip#push-box --project s.stickslip --quiet
check "list sketches" status 0 list s.stickslip --sketches --json
check "the run belongs to one" python3 -c '
import json
rows = {r["name"]: r for r in json.load(open("out"))}
assert sorted(rows) == ["push-box", "push-box-2"] and sum(r["runs"] for r in rows.values()) == 1, rows
assert all(r["title"] == "Push Box" for r in rows.values())'
check "its versions" status 0 list s.stickslip --versions push-box --json
check "one, which it is" python3 -c 'import json; [v] = json.load(open("out")); assert v["version"] == 1 and not v["damaged"], v'
check "a version is read as a file" bash -c '"$0" show s.stickslip#push-box@1 | cmp - "$1"' "$cli" "$box"
check "no such version" status 2 show s.stickslip#push-box@7
check "which is told" has err "no version 7"
check "no such sketch" status 2 show s.stickslip#nobody
check "which there are" has err push-box-2
check "equations of a sketch" status 0 equations s.stickslip#push-box --method scholtes
check "its pairs" has out "⟂"
check "equations as LaTeX" status 0 equations "$root/examples/classics/rocking-block.stickslip.json" --latex
check "a document" has out "end{document}"
check "no method of it" status 2 equations "$box" --method moreau-jean
check "equations with an option" status 0 equations "$root/examples/constraint-solver/ramp.stickslip.json" --method constraint-solver --option law=literal
check "the program as printed" has out "minimise ½ ζ"
check "the index of its paper" has out "paper equations constraint-solver"
check "an option that is none" status 2 equations "$box" --method crisp --option preste=paper
check "the nearest" has err "preset"

# --- two programs on one project
"$cli" optimise "$box" --set j=1 --project q.stickslip --quiet >/dev/null & a=$!
"$cli" optimise "$box" --set j=2 --project q.stickslip --quiet >/dev/null & b=$!
wait $a; ra=$?
wait $b; rb=$?
check "both succeed" [ "$ra$rb" = 00 ]
check "both runs are there" bash -c '[ "$("$0" list q.stickslip | wc -l)" = 3 ]' "$cli"

# --- tags, notes, what is deleted
kept=$("$cli" list q.stickslip --ids | head -1) gone=$("$cli" list q.stickslip --ids | tail -1)
check "tags" status 0 tag "$kept" "$gone" --tags "good, paper,good" --project q.stickslip
check "more tags" status 0 tag "$gone" --add late --project q.stickslip
check "a note" status 0 note "$kept" --text "of Fig. 3" --project q.stickslip
check "deleted" status 0 delete "$gone" --project q.stickslip
check "the other one is left" [ "$("$cli" list q.stickslip --ids)" = "$kept" ]
check "with its marks" status 0 table --filter tag:paper --format jsonl --project q.stickslip
check "each tag once" python3 -c '
import json
(row,) = [json.loads(line) for line in open("out")]
assert (row["tags"], row["note"]) == ("good, paper", "of Fig. 3"), row'
check "one that is not there" status 2 tag "$kept" 0000ffff --tags "" --project q.stickslip
check "changes no other" [ "$("$cli" table --filter tag:paper --format csv --project q.stickslip | wc -l)" = 2 ]
check "it comes back" status 0 delete "$gone" --undo --project q.stickslip
check "with its tags" [ "$("$cli" table --filter tag:late --format csv --project q.stickslip | wc -l)" = 2 ]
check "the project is sound" status 0 list q.stickslip --check
check "nothing to delete" status 2 delete --project q.stickslip
check "no such study" status 2 delete --study none --project q.stickslip
check "a study" status 0 sweep "$fall" --vary mu=0.1,0.2 --methods moreau-jean --title two --project q.stickslip --quiet
check "is deleted" status 0 delete --study two --project q.stickslip
study=$(cut -d ' ' -f 2 out) study=${study%:}
check "its runs stay" [ "$("$cli" list q.stickslip --ids | wc -l)" = 4 ]
check "nothing of it is listed" [ "$("$cli" sweep --list --project q.stickslip | wc -l)" = 1 ]
check "a study comes back" status 0 delete --study "$study" --undo --project q.stickslip
check "by its title" status 0 sweep --list --project q.stickslip
check "as it was" has out two

# --- killed while it runs
"$cli" optimise "$box" --set N=3000 --method ipopt --project k.stickslip --quiet >/dev/null 2>&1 & victim=$!
await bash -c '[ -s k.stickslip ] && "$0" list k.stickslip 2>/dev/null | grep -q running' "$cli"
kill -9 $victim
wait $victim 2>/dev/null
check "list after a kill" status 0 list k.stickslip
check "interrupted" has out interrupted

finish
