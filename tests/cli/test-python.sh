#!/usr/bin/env bash
# data/python/stickslip/project.py: what it reads of a project is what the command line prints and exports, bit by bit; projects
# of older formats; what is refused. The figure of data/python/example_figure.py: with --all (it needs matplotlib).
#   test-python.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

p=p.stickslip
python=/usr/bin/python3 # Debian's, which has numpy
check "numpy" "$python" -c "import numpy"
check "where the module is" status 0 python-path
check "is named" [ -f "$(cat out)/stickslip/project.py" ]
PYTHONPATH=$(cat out)
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1

check "a sketch" status 0 add "$box" --project $p --name "a box" --quiet
check "an optimum" status 0 optimise "$p#a box" --method crisp --option preset=paper --keep-iterates 5 --project $p --quiet
check "a simulation" status 0 simulate "$root/examples/classics/bouncing-ball.stickslip.json" --method moreau-jean --dt 0.01 --project $p --quiet
check "a fan" status 0 simulate "$root/examples/impacts/rocking-block.stickslip.json" --method event-driven --option law=set-valued --option branches=5 --dt 0.002 --t-end 0.1 --seed 11 --project $p --quiet
check "samples" status 0 impact "$root/examples/impacts/rocking-block.stickslip.json" --option samples=300 --project $p
check "two methods" status 0 compare "$p#a box" --methods crisp,scholtes --set N=10 --project $p --quiet
check "a study" status 0 sweep "$root/examples/classics/bouncing-ball.stickslip.json" --vary e=0.5,0.7 --methods moreau-jean --title Bounces --project $p --quiet
by_hand $p "UPDATE run SET tags = 'good, for the paper' WHERE scenario_name = 'push-box'"
check "runs as listed" status 0 list $p --json
mv out list.json
for run in $("$cli" list $p --ids); do
  "$cli" show "$run" --project $p --json >"$run.json" || exit 1
  "$cli" export "$run" --plot trajectory --to "$run.csv" --project $p 2>/dev/null
  "$cli" export "$run" --plot log --to "$run.log.csv" --project $p 2>/dev/null
done
cp $p before

cat >compare.py <<'END'
import csv, json, math, pathlib, sqlite3, sys
import numpy as np
import stickslip

checks = 0


def same(a, b, what):
    global checks
    checks += 1
    assert a == b or (a is None and math.isnan(b)), (what, a, b)


def same_array(a, b, what):
    global checks
    checks += a.size
    assert a.shape == b.shape and a.tobytes() == b.astype("<f8").tobytes(), what


with stickslip.open("p.stickslip") as project:
    [sketch] = project.sketches()
    same(sketch.name, "a box", "sketch")
    same(sketch.scenario["format"], 1, "its text")
    runs = project.runs()
    listed = json.load(open("list.json"))
    same([run.id for run in reversed(runs)], [row["run"] for row in listed], "order")
    same(project.run().id, listed[0]["run"], "last")
    for run, row in zip(reversed(runs), listed):
        for mine, theirs in (("scenario", "scenario"), ("scenario_sha256", "sha256"), ("method", "method"), ("outcome", "outcome"),
                             ("message", "message"), ("started", "started"), ("ended", "ended"), ("options", "options"),
                             ("parameters", "parameters"), ("seed", "seed"), ("note", "note")):
            same(getattr(run, mine), row[theirs], mine)
        for name in ("objective", "max_violation", "solve_seconds"):
            same(row[name], run.metrics.get(name, math.nan), name)
        shown = json.load(open(f"{run.id}.json"))
        same(run.result(), shown["result"], "result")
        metrics = stickslip.read_result(f"{run.id}.json")["flat"]
        for name, value in run.metrics.items():
            same(None if math.isnan(value) else value, None if math.isnan(metrics[name]) else metrics[name], name)
        same({k: v for k, v in run.provenance().items() if k in ("version", "compiler", "cpu", "libraries")},
             {k: v for k, v in shown["provenance"].items() if k in ("version", "compiler", "cpu", "libraries")}, "provenance")
        same(project.run(run.id[:12]).metrics.keys(), run.metrics.keys(), "by the beginning of its name")
        assert json.loads(run.scenario_text())["format"] == 1
        for i, event in enumerate(run.events()):
            if run.result().get("events"):
                same(event["t"], run.result()["events"][i]["t"], "event")
        # Every number of the motion, with 17 digits in the table: those of a fan stand in one table with all branches.
        table = pathlib.Path(f"{run.id}.csv")
        if table.exists() and "branch" not in table.open().readline().split(","):
            same_array(run.motion().values, stickslip.read_csv(table).values, f"motion of {run.id}")
        log = pathlib.Path(f"{run.id}.log.csv")
        if log.exists() and len(run.iterations()):
            rows = list(csv.DictReader(log.open()))
            same(len(rows), len(run.iterations()), "iterations")
            for name in run.iterations().names[2:]:
                same_array(run.iterations()[name], np.array([float(row[name] or "nan") for row in rows]), name)
    [optimum] = [run for run in project.runs(method="crisp") if run.options]
    assert [key[2] for key in optimum.motions() if key[0] == "iterate"][:3] == [0, 5, 10]
    same(len(optimum.motion("iterate", iteration=5)), len(optimum.motion()), "an iterate")
    ball = project.runs(scenario="bouncing-ball")[0]
    motion = ball.motion()
    same(motion.units["ball.vy"], "m/s", "unit")
    same(motion.find(quantity="vy", of="ball"), ["ball.vy"], "what a channel is")
    assert abs(motion.t[1] - 0.01) < 1e-15 and np.array_equal(motion["ball.y"], motion.values[:, motion.names.index("ball.y")])
    assert not motion.values.flags.writeable
    assert any(run.log() and len(run.log()[0]) == 3 for run in runs)
    [fan] = [run for run in runs if any(key[0] == "branch" for key in run.motions())]
    assert len({fan.motion("branch", branch=key[1])["t"].size for key in fan.motions() if key[0] == "branch"}) >= 1
    [cloud] = [run for run in runs if run.samples() is not None]
    same(cloud.samples().values.shape[0], 300, "samples")
    [pair] = project.comparisons()
    same(len(pair.run_ids), 2, "comparison")
    [study] = project.studies()
    same((study.title, study.n_tasks, len(study.run_ids)), ("Bounces", 2, 2), "study")
    same(sorted(task["e"] for task in study.tasks.values()), [0.5, 0.7], "what varies in it")
    for id_, task in study.tasks.items():
        same(project.run(id_).parameters["e"], task["e"], "a run of it")
    same({run.scenario for run in project.runs(tag="for the paper")}, {"push-box"}, "tag")
    same(project.runs(outcome="nothing"), [], "a filter")
    for wrong in (lambda: project.run("ffff"), lambda: project.run("f"), lambda: ball.motion("iterate", iteration=3),
                  lambda: stickslip.open("compare.py"), lambda: stickslip.open("nothing"), lambda: stickslip.open("other.db"),
                  lambda: stickslip.open("newer.stickslip"), lambda: stickslip.read_csv("compare.py"),
                  lambda: stickslip.read_result("list.json"), lambda: motion["ball.z"]):
        try:
            wrong()
        except (stickslip.Error, KeyError) as error:
            checks += 1
            print(error)
        else:
            raise AssertionError("no error")
    try:
        project._db.execute("UPDATE run SET note = 'x'")
    except sqlite3.OperationalError:
        checks += 1
    else:
        raise AssertionError("it can be written")
print(checks, "numbers and texts are the same")
END
sqlite3 other.db "CREATE TABLE t (x)"
cp $p newer.stickslip
sqlite3 newer.stickslip "PRAGMA user_version = 99"
check "all of it is the same" bash -c "'$python' compare.py >out 2>err"
check "that was much" bash -c '[ "$(tail -n 1 out | cut -d " " -f 1)" -gt 10000 ]'
check "says what a newer project is" has out "the project has format 99"
check "says which channels there are" has out "ball.y"
check "nothing was written" cmp $p before

# Older formats, against what the programs of their time said of them.
cat >older.py <<'END'
import hashlib, json, sys
import stickslip

n = 0
for number in (1, 2, 3):
    path = f"{sys.argv[1]}/tests/data/projects/format-{number}"
    told = json.load(open(path + ".json"))
    with stickslip.open(path + ".stickslip") as project:
        runs = {run.id: run for run in project.runs()}
        assert list(runs) == told["listed"] or list(reversed(runs)) == told["listed"]
        for row in told["show"]:
            if row["run"] not in runs:  # removed by the user
                continue
            run = runs[row["run"]]
            assert (run.outcome, run.method, run.scenario, run.note) == (row["outcome"], row["method"], row["scenario"], row["note"])
            assert row["objective"] is None or run.metrics["objective"] == row["objective"]
            n += 1
        for id_, role, iteration, n_rows, _, hash_ in told["motions"]:
            if id_ in runs:
                values = runs[id_].motion(role, iteration=iteration).values
                assert len(values) == n_rows and hashlib.sha256(values.tobytes()).hexdigest() == hash_
                n += 1
assert n > 40, n
END
check "older formats" "$python" older.py "$root"

# A project that the program brings to its own format while it is open here.
cat >meanwhile.py <<'END'
import subprocess, sys
import stickslip

with stickslip.open("older.stickslip") as project:
    assert project.format == 10
    runs = project.runs()
    results = [run.result() for run in runs]
    subprocess.run([sys.argv[1], "list", "older.stickslip"], check=True, stdout=subprocess.DEVNULL)
    assert [run.result() for run in runs] == results and project.format == stickslip.NEWEST_FORMAT
    assert [run.damage for run in project.runs()] == [""] * len(runs) and project.check() == []
END
check "a copy of format 10" install -m 644 "$root/tests/data/projects/format-10.stickslip" older.stickslip
check "goes on in the format of the program" "$python" meanwhile.py "$cli"
if [ -n "$STICKSLIP_TEST_ALL" ] && "$python" -c "import matplotlib" 2>err; then
  check "the example" "$python" "$PYTHONPATH/example_figure.py" $p figure.pdf
  check "is a figure" bash -c 'pdfinfo figure.pdf | grep -q "Pages: *1"'
fi
check "an installed program" mkdir -p usr/bin usr/share/stickslip/python
cp "$cli" usr/bin && cp -r "$PYTHONPATH"/stickslip usr/share/stickslip/python
check "names its own" bash -c '[ "$(usr/bin/stickslip-cli python-path)" = "$PWD/usr/share/stickslip/python" ]'
rm -r usr/share/stickslip/python/stickslip
check "and misses it" bash -c '! usr/bin/stickslip-cli python-path 2>err'
finish
