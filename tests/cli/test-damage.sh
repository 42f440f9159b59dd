#!/usr/bin/env bash
# What somebody else, or a disk, changed in a project: things that are not ours are refused before anything is written, what is not as it was
# stored is told and marked, in the Python module too; what can be read is saved as a copy; runs whose program is gone are ended. Mutants:
# 15 of them, 1000 with --all (tests/cli/mutants.py).
#   test-damage.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

p=p.stickslip
ball=$root/examples/classics/bouncing-ball.stickslip.json
python=/usr/bin/python3 # Debian's, which has numpy
export PYTHONPATH=$root/data/python PYTHONDONTWRITEBYTECODE=1
check "a sketch" status 0 add "$box" --project $p --name "a box" --quiet
check "a simulation" status 0 simulate "$ball" --method moreau-jean --dt 0.1 --project $p --quiet
check "samples" status 0 impact "$root/examples/impacts/rocking-block.stickslip.json" --option samples=50 --project $p
check "a comparison" status 0 compare "$p#a box" --methods crisp,scholtes --set N=4 --project $p --quiet
cp $p early.stickslip # a state of it that was
check "a study" status 0 sweep "$ball" --vary dt=0.1 --methods moreau-jean --title Bounces --project $p --quiet
run=$("$cli" list $p --ids | head -n 1)
optimum=$("$cli" list $p --json | python3 -c 'import json, sys; print([r["run"] for r in json.load(sys.stdin) if r["method"] == "crisp"][0])')
check "all of it is as it was stored" status 0 list $p --check
check "which is said" has out "8 checked, 0 damaged"

# python CODE: runs it with the module `stickslip`, what it prints goes to the file out; its status is what it gives `sys.exit`, 1 for an error that
# nothing catches. One interpreter runs all of them: its start, with numpy, takes as long as twenty of them.
cat >python.py <<'PYTHON'
import contextlib, gc, os, stickslip, sys, traceback
while code := sys.stdin.readline():
    status = 0
    with open("out", "w") as out, open("err", "w") as err, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            exec(code.rstrip("\n").replace("\x1f", "\n"), {"stickslip": stickslip, "sys": sys})
        except SystemExit as end:
            status = end.code or 0
        except BaseException:
            traceback.print_exc()
            status = 1
        gc.collect()
    os.write(1, b"%d\n" % status)
PYTHON
coproc PYTHON { exec "$python" python.py; }
python() {
  local status
  printf '%s\n' "${1//$'\n'/$'\x1f'}" >&"${PYTHON[1]}"
  read -r -t 300 status <&"${PYTHON[0]}" && return "$status"
}

# module FILE: what the Python module says on opening and of all runs.
module() {
  python "try:
    with stickslip.open('$1') as project:
        print([(run.outcome, run.damage) for run in project.runs()], project.check() if project.format >= 7 else '')
except stickslip.Error as error:
    print('Error:', error)"
}
check "the module agrees" module $p
check "with every checksum" has out ", '')] []"
check "it knows our tables by the files of the schema" "$python" - "$root" <<'PYTHON'
import sqlite3, sys, stickslip
root = sys.argv[1] + "/data/"
for form, digest in stickslip.project.SCHEMAS.items():
    db = sqlite3.connect(":memory:")
    for k in range(1, form + 1):
        db.executescript(open(f"{root}schema-{k}.sql").read())
        if k == 5:
            db.executescript(open(root + "sketches-of-runs.sql").read() + "; DROP TABLE scenario")
    assert stickslip.project._schema_digest(db) == digest, (form, stickslip.project._schema_digest(db))
assert max(stickslip.project.SCHEMAS) == stickslip.NEWEST_FORMAT
PYTHON

# raises WORDS: whether that expression of the module on d.stickslip raises its error, or its answer has "damaged".
raises() {
  python "project = stickslip.open('d.stickslip')
try:
    sys.exit($1)
except stickslip.Error as error:
    sys.exit(0 if 'damaged' in str(error) else 1)"
}

# --- what is not ours: refused, named, and the file stays as it is, byte by byte; by every verb, in each format
refuse() {
  local name=$1 file=$2 sql=$3 word=$4
  cp "$file" f.stickslip
  sqlite3 f.stickslip "$sql"
  cp f.stickslip f.before
  check "$name: refused" status 2 list f.stickslip
  check "$name: named" has err "$word"
  check "$name: with a way on" has err "stickslip-cli copy"
  check "$name: to write into, too" status 2 simulate "$ball" --method moreau-jean --dt 0.1 --project f.stickslip --quiet
  check "$name: to import" status 2 import f.stickslip --project into.stickslip
  check "$name: to read a sketch of" status 2 validate "f.stickslip#a box"
  check "$name: nothing was written" cmp f.stickslip f.before
  check "$name: by the module" module f.stickslip
  check "$name: in words" has out "Error: f.stickslip: the project is not as Stickslip made it"
}
trigger='CREATE TRIGGER evil AFTER INSERT ON metric BEGIN UPDATE metric SET value = 42; END'
for file in $p "$root"/tests/data/projects/format-[356].stickslip; do
  refuse "a trigger in $(basename "$file")" "$file" "$trigger" "trigger evil on metric"
done
refuse "a trigger in format 1" "$root/tests/data/projects/format-1.stickslip" \
  "CREATE TRIGGER evil AFTER INSERT ON run BEGIN UPDATE run SET objective = 42; END" "trigger evil on run"
refuse "a view" $p "CREATE VIEW evil AS SELECT 1" "view evil"
refuse "a view in the place of a table" $p "ALTER TABLE metric RENAME TO m; CREATE VIEW metric AS SELECT run, name, 42.0 AS value FROM m" "view metric"
refuse "another definition of our view" $p "DROP VIEW run_overview; CREATE VIEW run_overview AS SELECT 1" "view run_overview (defined otherwise)"
refuse "another default" $p "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace (sql, '''running''', '''solved''') WHERE name = 'run'" "table run (defined otherwise)"
refuse "a generated column" $p "ALTER TABLE metric ADD COLUMN twice AS (2 * value)" "table metric (defined otherwise)"
refuse "an index by an expression" $p "CREATE INDEX evil ON metric (abs (value))" "index evil on metric"
refuse "a virtual table" $p "CREATE VIRTUAL TABLE evil USING fts5 (x)" "table evil"
refuse "a table" $p "CREATE TABLE evil (x)" "table evil"
refuse "a table that is missing" $p "DROP TABLE checksum" "table checksum (missing)"
refuse "a lower format, which has no checksums" $p "PRAGMA user_version = 6" "table checksum"
cp $p f.stickslip
sqlite3 f.stickslip ANALYZE
check "what SQLite itself writes is no stranger" status 0 list f.stickslip
check "not to the module either" module f.stickslip
check "which reads it" has out "completed"

# --- what is not as it was stored. damage NAME SQL WORDS: marked by the lists or by the run, refused by what goes on from it
damages=0
damage() {
  local name=$1 sql=$2 words=$3
  cp $p d.stickslip
  sqlite3 d.stickslip "$sql"
  check "$name: found" status 1 list d.stickslip --check
  check "$name: in words" has out "$words"
  check "$name: the run shows it" status 1 show "$optimum" --project d.stickslip
  check "$name: in words, too" has err "$words"
  check "$name: is marked" has out "outcome                damaged"
  # What other verbs do with such a run does not depend on the part: they ask for its mark.
  ((${STICKSLIP_TEST_ALL:-0} || damages++ % 4 == 0)) || return 0
  check "$name: no picture" status 2 export "$optimum" --plot motion --to d.pdf --project d.stickslip
  check "$name: which says why" has err "$words"
  check "$name: not repeated" status 2 reproduce "$optimum" --project d.stickslip
  check "$name: the other runs can be read" status 0 show "$run" --project d.stickslip
  check "$name: an archive tells of it" status 1 archive all --project d.stickslip --to a.stickslip
  check "$name: which has the mark" status 1 list a.stickslip --check
  check "$name: an import tells of it" status 1 import d.stickslip --project i.stickslip
  check "$name: and marks it there" status 1 list i.stickslip --check
  check "$name: the module marks it" module d.stickslip
  check "$name: by name" has out "('run', '$optimum'"
  rm -f a.stickslip i.stickslip
}
number="(SELECT number FROM run WHERE id = '$optimum')"
damage "a metric" "UPDATE metric SET value = 42 WHERE name = 'objective' AND run = $number" "its metrics"
check "the list marks it" status 0 list d.stickslip
check "and shows no number" has out "damaged                     -              -              -              -"
check "a table marks it" status 0 table --project d.stickslip --format csv
check "as damaged" has out amaged
damage "a metric that is gone" "DELETE FROM metric WHERE name = 'objective' AND run = $number" "its metrics"
damage "an outcome" "UPDATE run SET outcome = 'solved', message = 'fine' WHERE number = $number; UPDATE run SET outcome = 'failed' WHERE number = $number" "outcome"
damage "an option" "UPDATE run SET options = '{\"mu0\": 7}' WHERE number = $number" "options"
damage "a time" "UPDATE run SET started = '2026-01-01T00:00:00.000Z' WHERE number = $number" "times"
damage "a result" "UPDATE run_result SET result = replace (result, '1', '2') WHERE run = $number" "its result"
damage "a result that is gone" "DELETE FROM run_result WHERE run = $number" "its result"
damage "an iteration" "UPDATE iteration SET columns = replace (columns, '1', '2') WHERE run_id = '$optimum'" "its iterations"
damage "a line of the log" "INSERT INTO log (run_id, t, level, text) VALUES ('$optimum', 0, 2, 'x')" "its log"
damage "the text of its scenario" "UPDATE scenario_text SET text = text || ' ' WHERE sha256 = (SELECT scenario_sha256 FROM run WHERE number = $number)" "the text of its scenario"
damage "where it was made" "UPDATE run SET provenance_id = 9 WHERE number = $number; INSERT INTO provenance SELECT 9, version, git_commit, compiler, build_flags, host, 'other', cpu_count, os, libraries FROM provenance" "where it was made"
damage "a note" "UPDATE run SET note = 'the best of all' WHERE number = $number" "its note, tags or removal"
damage "a channel of a motion" "UPDATE motion SET channels = replace (channels, 'px', 'py') WHERE run_id = '$optimum'" "the list of its motions"
damage "a checksum" "DELETE FROM checksum WHERE part = 'row' AND number = $number" "its name"
cp $p d.stickslip
sqlite3 d.stickslip "UPDATE run SET deleted = '2026-01-01T00:00:00.000Z' WHERE number = $number"
check "a removal: found" status 1 list d.stickslip --check
check "a removal: the list has the run" status 0 list d.stickslip
check "a removal: marked" has out damaged
check "a removal: an archive tells of it" status 1 archive all --project d.stickslip --to a.stickslip
cp $p d.stickslip
sqlite3 d.stickslip "UPDATE run SET outcome = 'running' WHERE number = $number"
check "an end that is undone: found" status 1 list d.stickslip --check
check "an end that is undone: marked" status 1 show "$optimum" --project d.stickslip
check "an end that is undone: it is not ended as if its program were gone" has out "outcome                damaged"
check "an end that is undone: an archive tells of it" status 1 archive all --project d.stickslip --to b.stickslip
check "an end that is undone: the module marks it" module d.stickslip
check "an end that is undone: by name" has out "('run', '$optimum'"
for sums in "part = 'row'" 1; do # what had ended is known by the checksums of its other parts, or by its end
  cp $p d.stickslip
  sqlite3 d.stickslip "UPDATE run SET outcome = 'running' WHERE number = $number; DELETE FROM checksum WHERE of = 'run' AND number = $number AND $sums"
  check "an end that is undone, and its checksum ($sums): not ended again" status 0 list d.stickslip
  check "an end that is undone, and its checksum ($sums): marked" has out damaged
  check "an end that is undone, and its checksum ($sums): found" status 1 list d.stickslip --check
  check "an end that is undone, and its checksum ($sums): the module marks it" module d.stickslip
  check "an end that is undone, and its checksum ($sums): by name" has out "('run', '$optimum'"
done
for sql in "INSERT INTO log (run_id, t, level, text) VALUES ('no-such-run', 0, 1, 'x')" "INSERT INTO study_run SELECT 99, key, run_id, task FROM study_run" \
  "INSERT INTO checksum VALUES ('run', 1, 'motion answer 7 -1', zeroblob (32))" "INSERT INTO checksum VALUES ('nothing', 1, 'row', zeroblob (32))"; do
  cp $p d.stickslip
  sqlite3 d.stickslip "PRAGMA foreign_keys = OFF; $sql"
  check "${sql:0:24}, of nothing: found" status 1 list d.stickslip --check
  check "${sql:0:24}, of nothing: in words" has out "a row belongs to nothing"
  check "${sql:0:24}, of nothing: the module, too" raises "0 if 'belongs to nothing' in str(project.check()) else 1"
done
cp $p d.stickslip
sqlite3 d.stickslip "INSERT INTO scenario_text SELECT replace (sha256, 'a', 'b'), text, created FROM scenario_text"
check "a text of no run: found" status 1 list d.stickslip --check
check "a text of no run: in words" has out "a scenario's text that no run has"
check "a text of no run: the module, too" raises "0 if 'text that no run has' in str(project.check()) else 1"
cp $p d.stickslip
sqlite3 d.stickslip "UPDATE motion SET data = zeroblob (length (data)) WHERE run_id = '$run'"
check "numbers of a motion: found" status 1 list d.stickslip --check
check "numbers of a motion: in words" has out "its motion answer 0 -1"
check "numbers of a motion: not written" status 2 export "$run" --plot trajectory --to d.csv --project d.stickslip
check "numbers of a motion: not a start" status 2 simulate "$ball" --method moreau-jean --plan "$run" --project d.stickslip
cp $p d.stickslip
sqlite3 d.stickslip "UPDATE sketch SET text = replace (text, '1', '2')"
check "a sketch: found" status 1 list d.stickslip --check
check "a sketch: marked" status 0 list d.stickslip --sketches
check "a sketch: in words" has out "(damaged)"
check "a sketch: not read" status 2 validate "d.stickslip#a box"
cp $p d.stickslip
sqlite3 d.stickslip "UPDATE study_run SET key = 'x'"
check "a task: no figure" status 2 figure Bounces --project d.stickslip --table runs
check "a task: in words" has err "damaged"
cp $p d.stickslip
sqlite3 d.stickslip "PRAGMA foreign_keys = OFF; DELETE FROM run WHERE id = '$run'"
check "a run that is gone: found" status 1 list d.stickslip --check
check "a run that is gone: the list has a row of it" status 0 list d.stickslip
check "a run that is gone: marked" has out missing-

# --- what names runs tells of those that are gone or look removed; `last` is no other run in their place
member=$(sqlite3 $p "SELECT run_id FROM study_run LIMIT 1")
beside=$(sqlite3 $p "SELECT run_id FROM comparison_run LIMIT 1")
newest=$("$cli" list $p --ids | tail -n 1)
for change in "DELETE FROM run" "UPDATE run SET deleted = '2026-01-01T00:00:00.000Z'"; do
  changed() { # ID
    cp $p d.stickslip
    sqlite3 d.stickslip "PRAGMA foreign_keys = OFF; $change WHERE id = '$1'"
  }
  changed "$member"
  check "$change, of a study: in the list of studies" status 0 sweep --list --project d.stickslip
  check "$change, of a study: told" has out damaged
  "$cli" figure Bounces --table runs --project d.stickslip >out 2>err
  check "$change, of a study: told by its table" grep -q damaged out err
  check "$change, of a study: told by the module" raises "0 if '${member:0:8}' in project.studies()[0].damage else 1"
  changed "$beside"
  check "$change, of a comparison: in the list of comparisons" status 0 list d.stickslip --comparisons
  check "$change, of a comparison: told" has out damaged
  changed "$newest"
  check "$change, the last: no other one is it" status 2 show last --project d.stickslip
  check "$change, the last: told" has err "not known which run is the last"
  check "$change, the last: told by the module" raises "project.run('last').id and 1"
done
cp $p d.stickslip
sqlite3 d.stickslip "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_study_1') WHERE name = 'sqlite_autoindex_run_1'"
check "an index of ids that is another table's: no run is shown" status 2 show "$newest" --json --project d.stickslip
check "an index of ids that is another table's: told" has err damaged
cp $p d.stickslip
sqlite3 d.stickslip "PRAGMA foreign_keys = OFF; DELETE FROM checksum WHERE of = 'run' AND number = (SELECT number FROM run WHERE id = '$newest');
DELETE FROM run WHERE id = '$newest'"
check "the last is gone with its checksums, its metrics are there: no other one is it" status 2 show last --project d.stickslip
check "the last is gone with its checksums: told" has err "not known which run is the last"
check "the last is gone with its checksums: told by the module" raises "project.run('last').id and 1"
cp $p d.stickslip
sqlite3 d.stickslip "UPDATE run SET deleted = NULL, method = 'x' WHERE id = '$optimum'"
check "a filter hides no damaged run" status 0 table --filter method:crisp --project d.stickslip
check "a filter hides no damaged run: it is marked" has out Damaged
check "a filter of the module, too" raises "0 if '$optimum' in [run.id for run in project.runs(method='crisp')] else 1"
cp $p d.stickslip
sqlite3 d.stickslip "UPDATE scenario_text SET text = text || ' '"
check "a study of a damaged text" status 0 figure Bounces --table runs --project d.stickslip
check "a study of a damaged text: what it ignores is not known" has out "damaged"
cp $p d.stickslip
sqlite3 d.stickslip "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT sum (rootpage) FROM sqlite_schema WHERE name IN ('run_by_time', 'run_by_scenario')) - rootpage WHERE name IN ('run_by_time', 'run_by_scenario')"
check "an index of other rows: not asked for the last" status 0 show last --project d.stickslip
check "an index of other rows: the newest" has out "$newest"
check "an index of other rows: found" status 1 list d.stickslip --check
check "an index of other rows: in words" has out "the file is damaged"
check "an index of other rows: the module, too" raises "0 if project.check() else 1"

# --- rows that are gone, or look as if they had been removed: each list has a row of them, the module refuses them
for of in sketch comparison study; do
  case $of in
  sketch) verb=(list d.stickslip --sketches) list=sketches ;;
  comparison) verb=(list d.stickslip --comparisons) list=comparisons ;;
  study) verb=(figure Bounces --table runs --project d.stickslip) list=studies ;;
  esac
  gone="DELETE FROM $of; DELETE FROM checksum WHERE of = '$of'" # as where pages are those of earlier; the members tell
  [ $of = sketch ] && gone="DELETE FROM sketch"
  for change in "DELETE FROM $of" "$gone" "UPDATE $of SET deleted = '2026-01-01T00:00:00.000Z'" "UPDATE $of SET number = 0"; do
    cp $p d.stickslip
    sqlite3 d.stickslip "PRAGMA foreign_keys = OFF; $change"
    "$cli" "${verb[@]}" >out 2>err
    check "$change: told where it is listed" grep -q damaged out err
    check "$change: found" status 1 list d.stickslip --check
    check "$change: the module refuses" python "try:
    stickslip.open('d.stickslip').$list()
except stickslip.Error:
    sys.exit(0)
sys.exit(1)"
  done
done

# --- a FIFO is no file to the module either
mkfifo fifo
for read in open read_csv read_result; do
  check "$read of a FIFO" timeout 60 "$python" -c "import stickslip, sys
try:
    stickslip.$read('fifo')
except stickslip.Error:
    sys.exit(0)
sys.exit(1)"
done

# --- a readable copy
copy() { # NAME STATUS WORDS: of c.stickslip
  rm -f new.stickslip
  cp c.stickslip c.before
  check "copy of $1" status "$2" copy c.stickslip --to new.stickslip
  check "copy of $1: says" has out "$3"
  check "copy of $1: can be read" status 0 list new.stickslip
  check "copy of $1: with what was there" has out push-box
  check "copy of $1: the old file stays" cmp c.stickslip c.before
}
cp $p c.stickslip && sqlite3 c.stickslip "$trigger"
copy "a foreign project" 0 "left out: trigger evil on metric"
check "it is sound" status 0 list new.stickslip --check
check "is not overwritten" status 2 copy c.stickslip --to new.stickslip
cp $p c.stickslip && sqlite3 c.stickslip "ALTER TABLE run ADD COLUMN new TEXT; CREATE TABLE newer (x); PRAGMA user_version = 999"
check "a newer project" status 2 list c.stickslip
check "says what to do" has err "stickslip-cli copy"
copy "a newer project" 0 "left out: table newer"
check "and is sound" status 0 list new.stickslip --check
cp "$root/tests/data/projects/format-5.stickslip" c.stickslip && sqlite3 c.stickslip "CREATE VIEW v AS SELECT 1"
rm -f new.stickslip
check "copy of an older one" status 0 copy c.stickslip --to new.stickslip
check "has its runs" status 0 show 4a94c685 --project new.stickslip
cp $p c.stickslip
# A page of the table of metrics: all its bytes.
page=$(sqlite3 c.stickslip "SELECT rootpage FROM sqlite_schema WHERE name = 'metric'")
size=$(sqlite3 c.stickslip "PRAGMA page_size")
head -c "$size" /dev/zero | tr '\0' '\377' | dd of=c.stickslip bs="$size" seek=$((page - 1)) conv=notrunc 2>/dev/null
check "a damaged file" status 2 list c.stickslip
check "is told" has err damaged
copy "a damaged file" 1 "not all could be read of: metric"
check "marks the runs that lost something" has out damaged
check "the module has its own error" module c.stickslip
check "of a damaged file" has out "Error: c.stickslip: the project is damaged"
head -c 100 /dev/urandom >no.stickslip
check "copy of what is no project" status 2 copy no.stickslip --to no-copy.stickslip
check "leaves nothing" [ ! -e no-copy.stickslip ]

# --- runs of other machines that are recorded as running
running="UPDATE run SET outcome = 'running', ended = NULL, owner_host = 'cluster-node-7', owner_pid = 1, started = "
cp $p r.stickslip
by_hand r.stickslip "DELETE FROM run_result WHERE run IN (SELECT number FROM run WHERE id IN ('$run', '$optimum')); $running strftime ('%Y-%m-%dT%H:%M:%fZ', 'now', '-6 days') WHERE id = '$run'; $running strftime ('%Y-%m-%dT%H:%M:%fZ', 'now', '-8 days') WHERE id = '$optimum'"
check "opened" status 0 list r.stickslip
check "the old one ended" [ "$(grep -c interrupted out)" = 1 ]
check "the other may be at work" [ "$(grep -c running out)" = 1 ]
check "until it is ended" status 0 end "$run" --project r.stickslip
check "which is so" status 0 show "$run" --project r.stickslip
check "then" has out "outcome                interrupted"
check "and sound" status 0 list r.stickslip --check
check "not twice" status 2 end "$run" --project r.stickslip
check "in words" has err "not recorded as running"

# --- mutants
check "no mutant reads as if nothing were wrong" python3 "$root/tests/cli/mutants.py" "$cli" $p "$([ "${STICKSLIP_TEST_ALL:-0}" = 1 ] && echo 1000 || echo 15)" 1 early.stickslip
finish
