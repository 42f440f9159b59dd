#!/usr/bin/env python3
"""Methods of the user's own: programs that take part in runs, those of examples/methods and some that misbehave.

    test-your-method.py PROGRAM SOURCE_ROOT"""
import csv
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

program, root = (Path(p).resolve() for p in sys.argv[1:3])
work = tempfile.TemporaryDirectory()
os.chdir(work.name)
mine, data = Path("mine"), Path("data")
mine.mkdir()
environment = {**os.environ, "PATH": os.confstr("CS_PATH") + ":" + os.environ["PATH"],  # the distribution's Python has numpy
               "XDG_DATA_HOME": str(data.resolve()), "STICKSLIP_METHODS": f"{root}/examples/methods:{mine.resolve()}"}
passed = failed = 0


def check(name, ok, told=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    print(("ok " if ok else "not ok ") + name + ("" if ok or told == "" else f": {told}"), flush=True)


def run(*arguments, **more):
    return subprocess.run([program, *map(str, arguments)], env=environment, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=200, **more)


def result(*arguments):
    """The result of a run, and its warnings and errors."""
    done = run(*arguments, "--json")
    return json.loads(done.stdout) if done.stdout else {"outcome": None, "message": done.stderr, "metrics": {}}


def method(name, kind, text, folder=mine, **more):
    """A method that is this Python text, without any module of ours."""
    (folder / f"{name}.py").write_text("import json, sys, time\njob = json.loads(sys.stdin.readline())\n"
                                       "def say(**event):\n    print(json.dumps(event), flush=True)\n" + text)
    file = folder / f"{name}.stickslip-method.json"
    file.write_text(json.dumps({"format": 1, "name": name, "kind": kind, "summary": "a test", "command": ["python3", f"{name}.py"],
                                **more}))
    return file


def columns(path):
    with open(path) as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return {name: [float(row[i]) if row[i] else None for row in rows[1:]] for i, name in enumerate(rows[0])}


ball = root / "examples/classics/bouncing-ball.stickslip.json"
slide = root / "examples/fesd-j/block.stickslip.json"

# ---- the list ----------------------------------------------------------------------------------------------------------------------

listed = {m["name"]: m for m in json.loads(run("methods", "--json").stdout)}
check("a method of one's own is in the list", "spring-euler" in listed and listed["spring-euler"]["kind"] == "integrator")
check("with its options", [o["name"] for o in listed["spring-euler"]["options"]] == ["stiffness", "damping", "slip-damping"])
check("and its hash", listed["spring-euler"].get("version", "").startswith("sha256:"))
check("an option out of range is told", "from 1 to 1000000000" in run("simulate", ball, "--method", "spring-euler", "--option", "stiffness=1e10").stderr)

# ---- a simulation ------------------------------------------------------------------------------------------------------------------
# The same law as ours with one substep: both are sums and products of the same numbers in other orders.

for scene, end in (ball, 0.5), (slide, 0.1):
    options = ["--dt", 0.002, "--t-end", end, "--option", "stiffness=2e4", "--option", "damping=20", "--option", "slip-damping=200"]
    own = result("simulate", scene, "--method", "spring-euler", *options, "--trajectory", "own.csv")
    ours = result("simulate", scene, "--method", "semi-implicit-euler", *options, "--option", "substeps=1", "--trajectory", "ours.csv")
    check(f"{scene.stem}: it runs", own["outcome"] == "completed", own["message"])
    a, b = columns("own.csv"), columns("ours.csv")
    names = [n for n in b if n in a and n.split(".")[-1] in ("t", "x", "y", "theta", "vx", "vy", "omega", "gap", "lambda_n", "impulse_t")]
    apart = {n: max(abs(u - v) / max(1, abs(v)) for u, v in zip(a[n], b[n])) for n in names}
    check(f"{scene.stem}: its motion and forces are ours to rounding",
          len(a["t"]) == len(b["t"]) > 40 and len(names) > 8 and max(apart.values()) < 1e-9, apart)
    check(f"{scene.stem}: the judge balances its forces", own["metrics"]["max_balance_residual"] < 1e-12, own["metrics"])
check("its CPU time counts", own["metrics"]["cpu_seconds"] > ours["metrics"]["cpu_seconds"] + 0.02, own["metrics"])

# In C: the closed form of a fall, whose steps are exact for constant forces; 400 additions of rounding.
examples = root / "examples/methods"
check("the example in C", subprocess.run(["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-o", "mine/throw-c", examples / "throw.c"]).returncode == 0)
(mine / "throw-c.stickslip-method.json").write_text(json.dumps(
    {"format": 1, "name": "throw-c", "kind": "simulate", "summary": "a test", "command": ["throw-c"]}))
told = result("simulate", ball, "--method", "throw-c", "--dt", 0.001, "--t-end", 0.4, "--trajectory", "throw.csv")
y = columns("throw.csv").get("ball.y", [0])[-1] if told["outcome"] == "completed" else 0
check("falls as a stone", abs(y - (1.1 - 9.81 / 2 * 0.16)) < 1e-12, (y, told["message"]))
told = result("simulate", ball, "--method", "throw", "--t-end", 0.4)
check("one that is not compiled is told", told["outcome"] in (None, "failed") and "cannot be started" in told["message"], told["message"])

# ---- replays of plans -----------------------------------------------------------------------------------------------------------------
# The controls of a plan act on such a method as on ours, open loop and under feedback: the same law, as above. Feedback multiplies what
# rounding makes of the states.

(disc := Path("disc.stickslip.json")).write_text(json.dumps({"format": 1, "name": "disc", "scene": {
    "bodies": [{"name": "floor", "fixed": True, "shape": {"type": "half-plane", "normal": [0, 1]}},
               {"name": "disc", "mass": 1, "shape": {"type": "circle", "radius": 0.1}, "position": [0, 0.1]}],
    "contacts": [{"bodies": ["floor", "disc"], "friction": 0.5}],
    "actuators": [{"name": "push", "type": "force", "body": "disc", "direction": [1, 0], "lower": -5, "upper": 5}]},
    "task": {"dt": 0.002, "t_end": 0.3}}))
Path("plan.csv").write_text("t,u.push\n0,4\n0.1,-9\n0.2,1\n0.3,1\n")
law = ["--dt", 0.002, "--option", "stiffness=2e4", "--option", "damping=20", "--option", "slip-damping=200"]
for plan, more, same in ("plan.csv", [], 1e-9), ("ours.csv", ["--controller", "lqr", "--disturb", "disc.vx=0.1"], 1e-6):
    ours = result("replay", disc, "--plan", plan, "--method", "semi-implicit-euler", *law, "--option", "substeps=1", *more, "--trajectory", "next.csv")
    own = result("replay", disc, "--plan", plan, "--method", "spring-euler", *law, *more, "--trajectory", "own.csv")
    a, b = columns("own.csv"), columns("next.csv")
    apart = {n: max(abs(u - v) for u, v in zip(a[n], b[n])) for n in ("t", "disc.x", "disc.vx", "disc.omega", "u.push")}
    check(f"a replay {' '.join(more[:2])} is ours to rounding", own["outcome"] == "completed" and len(a["t"]) == len(b["t"]) == 151
          and max(apart.values()) < same and min(b["u.push"]) < -1, (own["message"], ours["message"], apart))
    check("and is measured against its plan", own["metrics"].get("replay_distance") == ours["metrics"].get("replay_distance") is None if plan == "plan.csv"
          else abs(own["metrics"]["replay_distance"] - ours["metrics"]["replay_distance"]) < same, own["metrics"])
    os.replace("next.csv", "ours.csv")
told = result("replay", disc, "--plan", "plan.csv", "--method", "spring-euler", "--trajectory", "own.csv")
check("without --dt a step is one of the plan's", columns("own.csv")["t"] == [0, 0.1, 0.2, 0.3], (told["message"], columns("own.csv")["t"]))
method("ahead", "simulate", """
def ask(*want, **at):
    say(type="question", want=want, **at)
    return json.loads(sys.stdin.readline())
told = [ask("controls")["controls"], ask("forces", t=0.1, q=6 * [0])["forces"][3], ask("forces", t=0.15, q=6 * [0])["error"]]
say(type="result", outcome="failed", message=json.dumps(told))
""")
told = result("replay", disc, "--plan", "plan.csv", "--method", "ahead")
check("controls of later steps are not told", "[[4.0], 4.0," in told["message"] and "from t = 0 s to 0.1 s" in told["message"], told["message"])

# ---- simulations that misbehave -----------------------------------------------------------------------------------------------------

start = """
names = ["t"] + [f"{b}.{c}" for b in ("floor", "ball") for c in ("x", "y", "theta", "vx", "vy", "omega")]
y = 1.1
def frame(t, y, v=0.0, channels=names):
    say(type="frame", channels=channels, values=[t] + 6 * [0.0] + [0.0, y, 0.0, 0.0, v, 0.0])
"""
times = "[k * job['dt'] for k in range(1, int(job['t_end'] / job['dt'] + 1.5))]"
bad = {
    "dies": ("sys.exit('no more wishes')", ["exit status 1", "no more wishes"]),
    "raises": ("def solve(depth):\n    return solve(depth - 1) if depth > 0 else 1 / 0  # a long way down\nsolve(2)", ["ZeroDivisionError: division by zero"]),
    "killed": ("import os\nos.kill(os.getpid(), 9)", ["killed"]),
    "hangs": ("time.sleep(1000)", ["hangs", "0.3 s"]),
    "babbles": ("print('hello')", ["no event", "hello"]),
    "unknown": ("say(type='dance')", ["dance"]),
    "gives-up": ("say(type='result', outcome='failed', message='too hard')", ["too hard"]),
    "claims": ("say(type='result', outcome='completed')", ["ended at t = 0 s"]),
    "elsewhere": (start + "frame(0.0, 7.0)", ["begins with ball.y = 7", "another scene"]),
    "other-names": (start + "frame(0.0, y, channels=[n.replace('ball', 'box') for n in names])", ["ball.x", "another scene"]),
    "skips": (start + "frame(0.0, y); frame(3.0, y)", ["where a step ends"]),
    "goes-back": (start + "frame(0.0, y); frame(0.01, y); frame(0.005, y)", ["must ascend"]),
    "short": (start + "frame(0.0, y); say(type='frame', values=[1.0])", ["1 values of 13"]),
    "no-number": (start + f"frame(0.0, y)\nfor t in {times}: frame(t, float('nan') if t > .1 else y)", []),
    # nothing holds it; it falls with half of the scene's gravity
    "hovers": (start + f"frame(0.0, y)\nfor t in {times}: frame(t, y)", ["follow from no force"]),
    "moon": (start + f"frame(0.0, y)\nfor t in {times}: frame(t, y - 9.81 / 4 * t * t, -9.81 / 2 * t)", ["not this scene's"]),
    # it rises by nothing
    "rises": (start + f"frame(0.0, y)\nfor t in {times}: frame(t, y + 2 * t, 2.0)", []),
}
for name, (text, words) in bad.items():
    method(name, "simulate", text.replace("float('nan')", "None"), patience=0.3 if name == "hangs" else 30)
    told = result("simulate", ball, "--method", name, "--dt", 0.01, "--t-end", 0.3)
    check(f"{name}: it is told and no success", told["outcome"] in ("failed", "diverged") and all(w in told["message"] for w in words),
          (told["outcome"], told["message"]))

# ---- an optimisation ---------------------------------------------------------------------------------------------------------------
# minimise (x - 1)^2 + (y - 2)^2 on the line x + y = 1: (0, 1) with the value 2

(problem := Path("line.stickslip.json")).write_text(json.dumps({
    "format": 1, "name": "line", "parameters": {"c": {"value": 1}},
    "model": {"points": 1, "states": ["x", "y"], "cost": [{"name": "objective", "points": 0, "cost": "(x - 1)^2 + (y - 2)^2"}],
              "constraints": [{"name": "line", "points": 0, "zero": ["x + y - c"]},
                              {"name": "bound", "points": 0, "nonnegative": ["x + 5"]}]}}))
ask = """
def ask(*want, **at):
    say(type="question", want=want, **at)
    reply = json.loads(sys.stdin.readline())
    assert "error" not in reply, reply
    return reply
p = ask("problem")["problem"]
"""
method("newton", "optimise", ask + """
assert p["n_variables"] == 2 and p["n_equalities"] == 1 and p["n_inequalities"] == 1 and p["lower"] == [-5, None], p
assert p["x0"] == [0, 0] and p["pairs"] == [] and p["bound_rows"] == [1], p
at = ask("objective", "gradient", "rows", "jacobian", "hessian", "objective_hessian", x=p["x0"], multipliers=[0, 0], sigma=1)
assert at["objective"] == 5 and at["hessian"] == [2, 2] and at["objective_hessian"] == [2, 2], at
J = dict(zip(zip(p["jacobian"]["rows"], p["jacobian"]["columns"]), at["jacobian"]))
assert J == {(0, 0): 1, (0, 1): 1, (1, 0): 1}, J
g, c = at["gradient"], at["rows"][0]
# of the KKT system with H = 2 I: y = (2 c - sum g)/2, d = -(g + y)/2
y = (2 * c - g[0] - g[1]) / 2
x = [p["x0"][i] - (g[i] + y) / 2 for i in (0, 1)]
say(type="iteration", iteration=1, objective=ask("objective", x=x)["objective"], violation=0.0, length=1.0)
say(type="iterate", iteration=1, x=x)
say(type="result", outcome="solved", x=x, message="one step", iterations=1)
""")
told = result("optimise", problem, "--method", "newton")
check("an optimiser of one's own", told["outcome"] == "solved" and abs(told["metrics"]["objective"] - 2) < 1e-12, told["message"])
check("has its iterations", told["metrics"].get("iterations") == 1 and "one step" in told["message"], told["metrics"])
told = result("optimise", problem, "--method", "newton", "--set", "c=3")
check("on the problem with its parameters", told["outcome"] == "solved" and abs(told["metrics"]["objective"]) < 1e-12, told["message"])

bad = {
    "liar": ("say(type='result', outcome='solved', x=[1.0, 2.0], message='optimal, believe me')", ["2.0e+00", "believe me"]),
    "short-x": ("say(type='result', outcome='solved', x=[1.0])", ["no x of 2 numbers"]),
    "no-outcome": ("say(type='result', outcome='splendid', x=[0.0, 1.0])", ["splendid"]),
    "wrong-question": (ask.replace("assert", "0 and") + "say(type='result', outcome='failed', message=json.dumps(ask('beauty')))", ["beauty"]),
    "frames": ("say(type='frame')", ["frame"]),
    "gives-up-too": ("say(type='iteration', iteration=1, objective=1, **{1000 * 'c': 1.0}); "
                     "say(type='result', outcome='failed', message='no wishes here' + 5000000 * 'x')", ["no wishes here"]),
    # a grandchild in a session of its own, without a word of our environment, whose parent has ended
    "escapes": ("import os\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
                "        os.execve(sys.executable, ['python3', '-c', 'import time; time.sleep(1000)', os.path.abspath(__file__)], {})\n"
                "    os._exit(0)\nos.wait()\nsay(type='result', outcome='failed', message='gone')", ["gone"]),
}
for name, (text, words) in bad.items():
    method(name, "optimise", text)
    told = result("optimise", problem, "--method", name)
    check(f"{name}: it is told and no success", told["outcome"] not in ("solved", None) and all(w in told["message"] for w in words),
          (told["outcome"], told["message"]))

check("why it failed is told first", result("optimise", problem, "--method", "gives-up-too")["message"].startswith("no wishes here"))

# ---- paused ------------------------------------------------------------------------------------------------------------------------

method("burns", "optimise", """
import os
if os.fork() == 0:
    while True:
        pass
say(type='log', text=' '.join(str(pid) for pid in (os.getpid(), *map(int, open('/proc/self/task/%d/children' % os.getpid()).read().split()))))
while True:
    say(type='iteration', iteration=1, objective=1.0)
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass
""", patience=0.3)


def states(pids):
    """T: held, R or S: it goes on, Z or nothing: it has ended."""
    told = ""
    for pid in pids:
        try:
            told += Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            told += "-"
    return told.replace("S", "R").replace("Z", "-")


def until(look, wanted):
    end = time.time() + 60
    while look() != wanted and time.time() < end:
        time.sleep(0.01)
    return look() == wanted


def begin():
    """A worker that runs it, and the pids of the method and of what it started."""
    worker = subprocess.Popen([program, "worker"], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    say(worker, type="job", id="a", verb="optimise", scenario=json.loads(problem.read_text()), method="burns", limits={"seconds": 60})
    return worker, next(e["text"] for e in map(json.loads, worker.stdout) if e["type"] == "log" and e["text"].replace(" ", "").isdigit()).split()


def say(worker, **event):
    worker.stdin.write(json.dumps(event) + "\n")
    worker.stdin.flush()


worker, pids = begin()
say(worker, type="pause")
check("a paused method is held, with what it started", until(lambda: states(pids), "TT"), states(pids))
time.sleep(0.6)  # longer than its patience
check("all the while", states(pids) == "TT", states(pids))
say(worker, type="resume")
check("and goes on", until(lambda: states(pids), "RR"), states(pids))
time.sleep(0.6)
check("for longer than its patience", states(pids) == "RR", states(pids))
say(worker, type="pause")
until(lambda: states(pids), "TT")
say(worker, type="cancel")
told = next((e for e in map(json.loads, worker.stdout) if e["type"] == "result"), {})
check("held, it is cancelled as others", told.get("outcome") == "cancelled", told.get("message"))
check("and nothing is left of it", until(lambda: states(pids), "--"), states(pids))
worker.stdin.close()
check("nor of the worker", worker.wait(60) == 0)
worker, pids = begin()
say(worker, type="pause")
until(lambda: states(pids), "TT")
worker.stdin.close()
check("nobody is left who could let it go on: it does", until(lambda: states(pids), "RR"), states(pids))
worker.terminate()
worker.wait(60)
check("and ends with its worker", until(lambda: states(pids), "--"), states(pids))

# ---- the oracle --------------------------------------------------------------------------------------------------------------------


def replies(file, *questions, options=()):
    done = subprocess.run([program, "oracle", str(file), *options], env=environment, text=True, capture_output=True, timeout=100,
                          input="".join((q if isinstance(q, str) else json.dumps(q)) + "\n" for q in questions))
    return [json.loads(line) for line in done.stdout.splitlines()]


told = replies(problem, {"want": ["objective", "rows"], "x": [1, 2]}, "nonsense", {"want": ["beauty"]}, {"want": ["rows"], "x": [1]},
               options=["--set", "c=2"])
check("the oracle tells values", told[0] == {"type": "reply", "objective": 0, "rows": [1, 6]}, told)
check("and what is no question", len(told) == 4 and all("error" in r for r in told[1:]) and "2 numbers" in told[3]["error"], told)
box = root / "examples/crisp/push-box.stickslip.json"
about = replies(box, {"want": ["problem"]}, options=["--set", "N=4"])[0]["problem"]
n, m = about["n_variables"], about["n_equalities"] + about["n_inequalities"]
x = [0.1 + 0.07 * ((5 * i) % 11) for i in range(n)]
step = 1e-6
sides = [[v + s * step * (i == k) for i, v in enumerate(x)] for k in range(n) for s in (1, -1)]
weights = [0.3 * ((3 * i) % 7) - 1 for i in range(m)]
want = {"want": ["objective", "gradient", "rows", "jacobian", "hessian"], "multipliers": weights, "sigma": 2}
first, *others = replies(box, *({**want, "x": p} for p in [x, *sides]), options=["--set", "N=4"])
jacobian = {}
for r, c, v in zip(about["jacobian"]["rows"], about["jacobian"]["columns"], first["jacobian"]):
    jacobian[r, c] = jacobian.get((r, c), 0) + v
hessian = {}
for r, c, v in zip(about["hessian"]["rows"], about["hessian"]["columns"], first["hessian"]):
    hessian[r, c] = hessian.get((r, c), 0) + v


def lagrangian_gradient(reply):
    g = [2 * v for v in reply["gradient"]]
    for r, c, v in zip(about["jacobian"]["rows"], about["jacobian"]["columns"], reply["jacobian"]):
        g[c] += weights[r] * v
    return g


# central differences: rounding 1e-16 * size / 1e-6 and truncation 1e-12 times a third derivative, of numbers up to 1e3
worst = 0
for k in range(n):
    up, down = others[2 * k], others[2 * k + 1]
    slope = lambda name, i: (up[name][i] - down[name][i]) / (2 * step)
    worst = max([worst, abs((up["objective"] - down["objective"]) / (2 * step) - first["gradient"][k]) / 1e3]
                + [abs(slope("rows", r) - jacobian.get((r, k), 0)) for r in range(m)])
    a, b = lagrangian_gradient(up), lagrangian_gradient(down)
    worst = max([worst] + [abs((a[i] - b[i]) / (2 * step) - hessian.get((max(i, k), min(i, k)), 0)) / 1e3 for i in range(n)])
check("its derivatives are those of its values", m > 20 and len(hessian) > 5 and worst < 1e-6, worst)
told = replies(ball, {"want": ["scene", "mass", "gaps", "forces"], "q": [0, 0, 0, 0.2, 0.08, 0], "v": [0] * 6},
               {"want": ["points"], "q": [0, 0, 0, 0.2, 0.08, 0]}, {"want": ["points"], "q": [0, 0, 0, 0.2, 0.2, 0]},
               {"want": ["points"], "q": [0, 0, 0, 0.2, 0.2, 0], "band": 0.2})
scene, (point,) = told[0]["scene"], told[1]["points"]
check("a scene's gaps", abs(told[0]["gaps"][0] + 0.02) < 1e-12 and abs(point["gap"] + 0.02) < 1e-12, told)
check("and points near by alone", told[2]["points"] == [] and len(told[3]["points"]) == 1, told)
check("normals, rows and masses", point["normal"] == [0, 1] and dict(zip(point["jn"]["columns"], point["jn"]["values"]))[4] == 1
      and told[0]["mass"][3:5] == [scene["bodies"][1]["mass"]] * 2 and told[0]["mass"][:3] == [0, 0, 0], told)
check("forces and times", abs(told[0]["forces"][4] + 9.81 * scene["bodies"][1]["mass"]) < 1e-12
      and scene["times"][-1] == scene["t_end"] and abs(scene["times"][0] - scene["dt"]) < 1e-15, told)

# ---- a study ----------------------------------------------------------------------------------------------------------------------

told = run("sweep", ball, "--vary", "e=0.2,0.8", "--methods", "spring-euler:stiffness=2e4,stewart-trinkle", "--vary", "dt=0.01",
           "--project", "study.stickslip")
check("a study with such a method", told.returncode == 0 and "4 of 4 runs: 4 solved" in told.stdout + told.stderr, told.stderr)
told = run("table", "--filter", "method:spring-euler", "--project", "study.stickslip", "--format", "jsonl").stdout
check("whose runs stand in tables", told.count("Symplectic Euler") == 2, told)
first = json.loads(told.splitlines()[0])["run"]
told = run("provenance", first, "--project", "study.stickslip").stdout
check("with the hash of the method", "sha256:" in told.split("Method\n")[1].split("Options\n")[0], told)
study = ("figure", "last", "--kind", "heat", "--project", "study.stickslip", "--to")
folders, there = environment["STICKSLIP_METHODS"], run(*study, "with.csv")
environment["STICKSLIP_METHODS"] = ""
told = run(*study, "without.csv")
check("its figures are drawn without the method too", there.returncode == told.returncode == 0 and
      Path("with.csv").read_text() == Path("without.csv").read_text() and "Symplectic Euler" in Path("without.csv").read_text(), told.stderr)
told = run("sweep", "--resume", "last", "--project", "study.stickslip")
check("which it needs to go on", told.returncode == 2 and "(spring-euler) is not here" in told.stderr, told.stderr)
environment["STICKSLIP_METHODS"] = folders

# ---- limits ------------------------------------------------------------------------------------------------------------------------

method("spins", "optimise", "while True: pass")
told = result("optimise", problem, "--method", "spins", "--cpu-limit", 0.3)
check("one that computes without end ends at its limit", told["outcome"] == "cpu_limit" and told["metrics"]["cpu_seconds"] < 3, told)
method("floods", "optimise", "while True: print('{\"type\": \"log\", \"text\": \"' + 1000 * 'x' + '\"}')")
told = result("optimise", problem, "--method", "floods", "--time-limit", 0.3)
check("one that floods too", told["outcome"] in ("time_limit", "machine_slow"), (told["outcome"], told["message"]))
method("eats", "optimise", "x = []\nwhile True: x.append(bytearray(1 << 24))")
told = result("optimise", problem, "--method", "eats", "--memory-limit", "400M")
check("one that eats memory dies", told["outcome"] == "failed" and "MemoryError" in told["message"], (told["outcome"], told["message"]))
alive = subprocess.run(["pgrep", "-f", str(mine.resolve())], text=True, capture_output=True).stdout
check("and none of them is left", alive == "", alive)

# ---- files that are no methods ------------------------------------------------------------------------------------------------------

listed = {m["name"] for m in json.loads(run("methods", "--json").stdout)}
wrong = {"other-format": {"format": 2}, "Upper": {"name": "Upper"}, "crisp": {"name": "crisp"}, "no-kind": {"kind": "impact"},
         "unknown-key": {"sumary": "x"}, "option": {"options": [{"name": "a", "type": "real", "minimum": 1, "maximum": 2, "default": 3}]}}
others = Path("others")
others.mkdir()
for name, change in wrong.items():
    file = method(name, "optimise", "", folder=others)
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
(others / "broken.stickslip-method.json").write_text("{")
environment["STICKSLIP_METHODS"] = str(others.resolve())
told = run("methods", "--json")
check("files that are wrong are told", told.returncode == 0 and all(n in told.stderr for n in [*wrong, "broken"]), told.stderr)
check("and are no methods", not {m["name"] for m in json.loads(told.stdout)} & {"Upper", "no-kind", "option", "other-format"})
check("with what was meant", 'did you mean "summary"' in told.stderr and "already" in told.stderr, told.stderr)

# ---- what the user has allowed -----------------------------------------------------------------------------------------------------

environment["STICKSLIP_METHODS"] = ""
there = Path("there")
there.mkdir()
given = method("given", "optimise", ask + "say(type='result', outcome='solved', x=[0.0, 1.0])", folder=there)
(there / "line.stickslip.json").write_text(problem.read_text())
told = run("optimise", there / "line.stickslip.json", "--method", "given").stderr
check("a file beside a scenario is no method", "there is no optimiser" in told and f"{given} runs once you allow it" in told, told)
told = run("methods", "--allow", "given")
check("a name is no file, and said so", told.returncode == 2 and "given" in told.stderr, told.stderr)
told = run("methods", "--allow", given)
check("until it is allowed", told.returncode == 0)
check("which shows what it starts", f"command: python3 {given.resolve()}"[:-len("stickslip-method.json")] in told.stdout
      and "program: /" in told.stdout and told.stdout.count("sha256:") == 2, told.stdout)
check("which is remembered", result("optimise", problem, "--method", "given")["outcome"] == "solved")
(there / "given.py").write_text((there / "given.py").read_text() + "# changed\n")
told = run("optimise", problem, "--method", "given")
check("its program changed: no more", told.returncode == 2 and "has changed since it was allowed" in told.stderr, told.stderr)
check("allowed again", run("methods", "--allow", given).returncode == 0 and result("optimise", problem, "--method", "given")["outcome"] == "solved")

# The program that a command names is found on the path; another one of that name, or one that changed, is another program.
tools, old = Path("tools"), environment["PATH"]
tools.mkdir()
(tools / "runner").write_text('#!/bin/sh\nexec python3 "$@"\n')
(tools / "runner").chmod(0o755)
environment["PATH"] = f"{tools.resolve()}:{old}"
given.write_text(json.dumps({**json.loads(given.read_text()), "command": ["runner", "given.py"]}))
run("methods", "--allow", given)
told = result("optimise", problem, "--method", "given")
check("the program of its command is found on the path", told["outcome"] == "solved"
      and told["method"]["program"] == str((tools / "runner").resolve()), told)
hashed = hashlib.sha256((tools / "runner").read_bytes()).hexdigest()
check("and its hash is in the result", told["method"]["program_version"] == "sha256:" + hashed, told["method"])
os.utime(tools / "runner", (1, 1))
check("written again, but the same: it runs", result("optimise", problem, "--method", "given")["outcome"] == "solved")
(tools / "runner").write_text('#!/bin/sh\n# changed\nexec python3 "$@"\n')
told = run("optimise", problem, "--method", "given")
check("changed: it is told by name", told.returncode == 2 and "tools/runner has changed since it was allowed" in told.stderr, told.stderr)
allowed = data / "stickslip/methods/allowed.json"
allowed.write_text(json.dumps({file: entry["version"] for file, entry in json.loads(allowed.read_text()).items()}))
check("what an earlier version remembered counts", result("optimise", problem, "--method", "given")["outcome"] == "solved")

# ---- modules of Python ------------------------------------------------------------------------------------------------------------------
# `python3 -m MODULE`: the module's files beside the method's are hashed and are what runs, wherever the user is; of others no hash is told.

answer = ask + "say(type='result', outcome='solved', x=[0.0, 1.0], message='{}')"
with_module = Path("with-module")
(with_module / "own_package").mkdir(parents=True)
first = method("module", "optimise", "", folder=with_module)
first.write_text(json.dumps({**json.loads(first.read_text()), "command": ["python3", "-W", "ignore", "-m", "own_package.solver"]}))
start = "import json, sys\njob = json.loads(sys.stdin.readline())\ndef say(**event):\n    print(json.dumps(event), flush=True)\n"
(with_module / "own_package/solver.py").write_text(start + answer.format("of the package"))
(with_module / "own_package/part.py").write_text("x = 1\n")
Path("own_package").mkdir()  # where the user is lies another one
Path("own_package/solver.py").write_text(start + answer.format("another"))
environment["STICKSLIP_METHODS"] = str(with_module.resolve())
told = result("optimise", problem, "--method", "module")
check("a module beside its file runs", told["outcome"] == "solved" and "of the package" in told["message"], told["message"])
digest = hashlib.sha256(first.read_bytes())
for name in "own_package/part.py", "own_package/solver.py":
    digest.update(b"\n" + name.encode() + b"\0" + (with_module / name).read_bytes())
check("with the hash of all its files", told["method"]["version"] == "sha256:" + digest.hexdigest() and "program_version" in told["method"], told["method"])
(with_module / "own_package/part.py").write_text("x = 2\n")
check("any of which changes it", result("optimise", problem, "--method", "module")["method"]["version"] != told["method"]["version"])
elsewhere = method("elsewhere-module", "optimise", "", folder=with_module)
elsewhere.write_text(json.dumps({**json.loads(elsewhere.read_text()), "command": ["python3", "-mthis_is_elsewhere"]}))
environment["PYTHONPATH"] = str(tools := Path("site").resolve())
tools.mkdir()
(tools / "this_is_elsewhere.py").write_text(start + answer.format("from elsewhere"))
told = result("optimise", problem, "--method", "elsewhere-module")
check("of a module elsewhere no hash is claimed", told["outcome"] == "solved" and "program_version" not in told["method"]
      and told["method"]["version"].endswith("of its file alone, not of module this_is_elsewhere"), told["method"])
told = run("methods", "--allow", elsewhere)
check("which is told before it is allowed", "no hash: module this_is_elsewhere" in told.stdout, told.stdout)
del environment["PYTHONPATH"]

# ---- methods in a project ---------------------------------------------------------------------------------------------------------------

run("optimise", problem, "--method", "module", "--project", "whole.stickslip")
told = run("methods", "--keep", "module", "--project", "whole.stickslip")
check("a project keeps a method", told.returncode == 0 and "kept" in told.stdout, told.stderr)
check("not one whose module lies elsewhere", "does not lie beside" in run("methods", "--keep", "elsewhere-module", "--project", "whole.stickslip").stderr)
(with_module / "compiled").write_bytes(b"\x7fELF\0\xff")
(with_module / "binary.stickslip-method.json").write_text(json.dumps(
    {"format": 1, "name": "binary", "kind": "simulate", "summary": "a test", "command": ["compiled"]}))
check("nor a compiled program", "is no text" in run("methods", "--keep", "binary", "--project", "whole.stickslip").stderr)
run("archive", "all", "--project", "whole.stickslip", "--to", "sent.stickslip")
check("it is whole", (told := run("copy", "sent.stickslip", "--to", "copied.stickslip")).returncode == 0, told.stderr)
of_module = result("optimise", problem, "--method", "module")["method"]["version"]
environment["STICKSLIP_METHODS"] = ""
environment["XDG_DATA_HOME"] = str(Path("another-machine").resolve())
told = run("methods", "--project", "sent.stickslip").stdout
check("the archive has it, with the same hash, not allowed", "not allowed" in told and of_module in told and "python3 -W" in told, told)
check("nothing was written of it", not Path("another-machine/stickslip/methods/of-projects").exists())
run("import", "sent.stickslip", "--project", "merged.stickslip")
check("a merge takes none", "no method" in run("methods", "--project", "merged.stickslip").stdout)
told = run("optimise", problem, "--method", "module", "--project", "sent.stickslip").stderr
check("nor does a run, which says how to allow it", "no optimiser" in told and "`stickslip-cli methods --allow module --project 'sent.stickslip'`" in told, told)
told = run("methods", "--allow", "module", "--project", "sent.stickslip")
check("it is allowed once", told.returncode == 0 and of_module in told.stdout, told.stderr)
told = result("optimise", problem, "--method", "module")
check("and runs, the same", told["outcome"] == "solved" and told["method"]["version"] == of_module, told["message"])
check("which the list tells", "it runs here" in run("methods", "--project", "sent.stickslip").stdout)
(where,) = Path("another-machine/stickslip/methods/of-projects").iterdir()
(where / "own_package/part.py").write_text("x = 3\n")
told = run("optimise", problem, "--method", "module").stderr
check("changed: no more, with what writes it again", "has changed since" in told and f"--allow module --project '{Path('sent.stickslip').resolve()}'" in told, told)
run("methods", "--allow", "module", "--project", "sent.stickslip")
check("which does", result("optimise", problem, "--method", "module")["method"]["version"] == of_module)
connection = sqlite3.connect("sent.stickslip")
for name in "../evil.py", "/tmp/evil.py", "a/../../evil.py", ".hidden":
    text = json.dumps({"stickslip_method": 1, "file": "evil.stickslip-method.json", "files": {name: "x", "evil.stickslip-method.json": json.dumps(
        {"format": 1, "name": "evil", "kind": "optimise", "summary": "a test", "command": ["python3", name]})}}, separators=(",", ":"))
    connection.execute("INSERT INTO scenario_text VALUES (?, ?, '')", (hashlib.sha256(text.encode()).hexdigest(), text))
connection.commit()
connection.close()
told = run("methods", "--allow", "evil", "--project", "sent.stickslip")
check("files that lead elsewhere are none", told.returncode == 2 and run("methods", "--project", "sent.stickslip").stderr.count("none that this program knows") == 4,
      told.stderr)

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
