#!/usr/bin/env bash
# What a project keeps of motions: sweep --keep, shrink, and what a study's runs still answer. Truth: the same study with
# all of its motions.
#   test-keep.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >ball.json <<'EOF2'
{"format": 1, "name": "ball", "title": "", "parameters": {"e": {"value": 0.5, "minimum": 0, "maximum": 1}},
 "scene": {"gravity": [0, -10], "restitution": "e",
  "bodies": [{"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
   {"name": "ball", "shape": {"type": "circle", "radius": 0.1}, "mass": 2, "position": [0, 0.55]}],
  "contacts": [{"bodies": ["floor", "ball"], "friction": 0}]},
 "task": {"t_end": 0.5, "dt": 0.0002}, "methods": {"moreau-jean": {}}}
EOF2
for keep in all thinned metrics; do
  check "a study that keeps $keep" status 0 sweep ball.json --vary e=0,0.5 --outcome "high=max(ball.vy)" --keep $keep --title S --project $keep.stickslip --format csv --quiet
  cut -d, -f1-6 out >$keep.csv # but for times and ids
done
check "the same metrics" cmp all.csv thinned.csv
check "and outcomes" cmp all.csv metrics.csv
check "in less room" python3 -c '
import os
size = [os.path.getsize(name + ".stickslip") for name in ("all", "thinned", "metrics")]
assert size[0] > size[1] > size[2], size'
check "no such way" status 2 sweep ball.json --keep some --project x.stickslip --quiet
check "is refused" has err "all, thinned or metrics"

check "a thinned motion is drawn" status 0 export last --plot motion --to motion.svg --project thinned.stickslip
check "and told" has err "rows of the motion"
check "but not replayed" status 2 replay last --project thinned.stickslip --quiet
check "another question of all motions" status 0 sweep --resume S --outcome "low=min(ball.y)" --project all.stickslip --format csv --quiet
check "is answered" python3 -c '
import csv
rows = list(csv.DictReader(open("out")))
assert len(rows) == 2 and all(abs(float(row["low"]) - 0.1) < 5e-3 for row in rows), rows'
check "of a thinned one" status 0 sweep --resume S --outcome "low=min(ball.y)" --project thinned.stickslip --format csv
check "is not" has err "2 runs keep no motion"
check "and not claimed" python3 -c '
import csv
assert "low" not in next(csv.DictReader(open("out")))'
check "other limits" status 0 sweep --resume S --cpu-limit 50 --project all.stickslip --quiet
check "stay with the study" status 0 command --study S --project all.stickslip
check "as a command" has out "all.stickslip#study:"
check "that repeats it" status 0 sweep --study "$(sed "s/.*--study '\(.*\)' --project.*/\1/" out)" --project again.stickslip --format csv --quiet
check "all of it" python3 -c '
import csv
rows = list(csv.DictReader(open("out")))
assert len(rows) == 2 and "low" in rows[0] and "high" in rows[0], rows'

check "runs of a study in a list" status 0 table --project all.stickslip --filter "study:S" --format csv
check "have what varies in it" python3 -c '
import csv
rows = list(csv.DictReader(open("out")))
assert [row["e"] for row in rows] == ["0.5", "0"], rows'
check "of another one" status 0 table --project all.stickslip --filter "study:T" --format csv
check "are none" [ "$(wc -l <out)" = 1 ]
check "runs of a study are tagged" status 0 tag --study S --add seen --project all.stickslip
check "in a list" status 0 table --project all.stickslip --filter "tag:seen" --format csv
check "both" [ "$(wc -l <out)" = 3 ]
check "and have a note" status 0 note --study S --text "with a step" --project all.stickslip --quiet
check "no runs are named" status 2 tag --add seen --project all.stickslip
check "shrunk" status 0 shrink --study S --keep thinned --project all.stickslip
check "says what that gave" has out "2 runs: "
check "is whole" status 0 list --check --project all.stickslip
check "once more" status 0 shrink last --keep metrics --project all.stickslip --quiet
check "is whole" status 0 list --check --project all.stickslip
check "without a motion" status 2 export last --plot motion --to motion.svg --project all.stickslip
check "reproduced" status 0 reproduce --study S --project metrics.stickslip
check "by its metrics" has out "metrics alone were compared"
check "kept again" status 0 reproduce last --keep --project metrics.stickslip
check "with its motion" status 0 export last --plot motion --to motion.svg --project metrics.stickslip
check "archived" status 0 archive --study S --project metrics.stickslip --to archive.stickslip
check "with its study" status 0 sweep --list --project archive.stickslip --format csv
check "whole" has out ",S,2,2,"
check "on a cluster" status 0 sweep ball.json --vary e=0,0.5 --keep metrics --title C --slurm cluster --submit true --quiet
for task in 0 1; do
  check "a task" status 0 sweep --study cluster/study.json --task $task --events cluster/$task.jsonl --quiet
done
check "merged" status 0 sweep --merge cluster --project merged.stickslip
check "as the study says" status 2 export last --plot motion --to motion.svg --project merged.stickslip
check "whole" status 0 list --check --project merged.stickslip
check "a run is deleted" status 0 delete last --project thinned.stickslip --quiet
check "nothing is named" status 0 shrink --project thinned.stickslip
check "its motion goes" has out "1 runs: "
check "is whole" status 0 list --check --project thinned.stickslip
check "of what?" status 2 shrink --keep metrics --project all.stickslip
check "is asked" has err "needs RUN... or --study STUDY"
finish
