#!/usr/bin/env bash
# data/python/stickslip/scene.py, program.py: scenes, runs, plans, studies and pictures from Python, against closed forms and what the command line
# stores; errors in the program's words; jobs that are cancelled; the notebook; the package as pip installs it.
#   test-python-drive.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

python=/usr/bin/python3 # Debian's, which has numpy
export STICKSLIP_CLI=$cli PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/data/python TMPDIR=$PWD/tmp
mkdir tmp

cat >drive.py <<'END'
import gc, json, os, pathlib, subprocess, sys, time
import numpy as np
import stickslip


def fails(part, call):
    try:
        call()
    except stickslip.Error as error:
        assert part in str(error) and "tmp" not in str(error), error
    else:
        raise AssertionError("no error with " + part)


scene = stickslip.Scene("slide", friction="mu", gravity=[0, "-g"], title="Slide")
scene.parameter("mu", 0.5, minimum=0)
scene.parameter("g", 10)
scene.body("floor", stickslip.shape("half-plane", normal=[0, 1]), fixed=True)
scene.body("crate", [stickslip.shape("box", width=0.4, height=0.2)], mass=2, position=[0, 0.1], velocity=[2, 0])
scene.task(t_end=1, dt=0.01)
assert scene.problems() == [] and scene.data["title"] == "Slide"
scene.save("slide.stickslip.json")
assert stickslip.Scene.read("slide.stickslip.json").data == scene.data

# v^2 / (2 mu g); the method finds the stop to rounding
runs = [stickslip.simulate(of, method="event-driven", set={"mu": np.float64(mu)}) for of, mu in
        [(scene, 0.4), (scene.data, 0.5), ("slide.stickslip.json", 0.8)]]
for run, mu in zip(runs, (0.4, 0.5, 0.8)):
    assert run.outcome == "completed" and run.parameters == {"mu": mu}
    assert abs(run.motion()["crate.x"][-1] - 4 / (2 * mu * 10)) < 1e-9
    assert [event["kind"] for event in run.events()][0] == "stick"
kept = runs[0]._project.path
assert kept.exists()
del runs, run
gc.collect()
assert not kept.exists(), "a run's own project outlives it"

fails("there is no integrator named 'event-drivn'", lambda: stickslip.simulate(scene, method="event-drivn"))
fails("did you mean '--method'", lambda: stickslip.simulate(scene, methd="event-driven"))
broken = stickslip.Scene.of(scene.data)
broken.body("ball", stickslip.shape("circel", radius=1), mass=1)
[problem] = broken.problems()
assert problem["path"] == "scene.bodies[2].shape.type" and "circle" in problem["expected"], problem
fails("slide.stickslip.json:", lambda: stickslip.simulate(broken))

# as the command line stores it
study = stickslip.sweep(scene, vary={"mu": [0.25, 0.5], "crate.vx": "1:2:2"}, methods=["stewart-trinkle", "stewart-trinkle:gap=end"],
                        outcome={"way": "final(crate.x) - start(crate.x)"}, project="study.stickslip", title="Two")
columns = stickslip.table(study.runs(), "steps", "max_penetration", "way")
assert sorted(set(columns["method"])) == ["Stewart\u2013Trinkle", "Stewart\u2013Trinkle, gap end"], columns["method"]
assert sorted(zip(columns["mu"], columns["crate.vx"])) == sorted([(mu, v) for mu in (0.25, 0.5) for v in (1, 2)] * 2)
assert columns["steps"].tolist() == [100] * 8 and study.runs()[0].outcomes == {"way": "m"}
for way, mu, v in zip(columns["way"], columns["mu"], columns["crate.vx"]):
    expected = v * v / (2 * mu * 10) if v < mu * 10 else v - mu * 10 / 2  # at rest, or after 1 s
    assert abs(way - expected) < v * 0.01, (way, mu, v)  # speed times step, since the methods are of first order
again = stickslip.sweep(scene, vary={"mu": [0.25, 0.5], "crate.vx": "1:2:2"}, methods=["stewart-trinkle", "stewart-trinkle:gap=end"],
                        outcome={"way": "final(crate.x) - start(crate.x)"}, project="study.stickslip", title="Two")
assert again.run_ids == study.run_ids, "what ended is not made again"
listed = json.loads(subprocess.run([os.environ["STICKSLIP_CLI"], "list", "study.stickslip", "--json"], capture_output=True, check=True).stdout)
assert sorted(row["run"] for row in listed) == sorted(study.run_ids)
figure = stickslip.figure(study, kind="box", metric="cpu_seconds")
figure.save("box.pdf")
assert figure._repr_svg_().rstrip().endswith("</svg>") and pathlib.Path("box.pdf").read_bytes()[:4] == b"%PDF"

# plans: two optimisers, one with an option; a plan's replay lies beside it
cart = pathlib.Path(sys.argv[1]) / "examples/crisp/transport.stickslip.json"
both = stickslip.compare(cart, ["crisp", "crisp:relax=10"], set={"N": 20}, project="study.stickslip")
assert [run.outcome for run in both] == ["solved"] * 2 and stickslip.labels(both) == ["CRISP", "CRISP, relax 10"], stickslip.labels(both)
warm = stickslip.optimise(cart, method="crisp", set={"N": 20}, from_=both[0], project="study.stickslip")
assert warm.metrics["iterations"] < both[0].metrics["iterations"], "begins at the answer"
assert stickslip.picture(warm, plot="convergence").svg.startswith("<?xml")
fails("of one project", lambda: stickslip.picture(warm, stickslip.simulate(scene)))
assert stickslip.methods("crisp")[0]["kind"] == "optimiser"

# a job that is cancelled ends as with Ctrl-C, and its run is stored
job = stickslip.start("simulate", scene, t_end=100000, dt=0.0001, every=100000)
assert not job.done
time.sleep(0.3)
job.cancel()
assert job.wait().outcome == "cancelled" and job.done
END
check "drives" "$python" drive.py "$root"
check "leaves nothing behind" [ -z "$(ls tmp)" ]

cat >notebook.py <<'END'
import json, sys
names = {}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        assert not cell["outputs"] and cell["execution_count"] is None, "a notebook is kept without outputs"
        exec(compile("".join(cell["source"]), sys.argv[1], "exec"), names)
END
check "the notebook" "$python" notebook.py "$root/data/python/first-study.ipynb"
check "writes its figure" [ "$(head -c 4 slide.pdf)" = %PDF ]

sed -n '/^```python$/,/^```$/ { /^```/d; p }' "$root/data/manual/projects.md" >page.py
check "the manual's lines" "$python" page.py
check "write their figure" [ -s page.py -a "$(head -c 4 speed.pdf)" = %PDF ]

cp -r "$root/data/python" package
check "pip installs" "$python" -m pip install --quiet --no-build-isolation --no-index --no-deps --disable-pip-version-check --target installed ./package
check "the program's version" env PYTHONPATH=installed "$python" -c '
import pathlib, subprocess, os, stickslip
version = subprocess.run([os.environ["STICKSLIP_CLI"], "--version"], capture_output=True, check=True, text=True).stdout.split()[-1]
assert stickslip.__version__ == version and pathlib.Path("installed").resolve() in pathlib.Path(stickslip.__file__).parents
assert list(pathlib.Path("installed").glob(f"stickslip-{version}.dist-info")) and pathlib.Path("installed/stickslip/py.typed").exists()'
finish
