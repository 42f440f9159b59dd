#!/usr/bin/env python3
"""data/measured/make.py: makes the films of examples/measured, which are synthetic: motions of the program by laws that a fit of these scenes does not have, as a camera would have
seen them.

  data/measured/make.py build/app/stickslip-cli [FOLDER]

A film is a motion at 60 Hz: each frame is taken up to 0.5 ms beside its time, each number has normal noise, a fiftieth of them are far off, and some frames are lost. FOLDER is
examples/measured where none is given; tests/cli/test-measured.sh asks for the same bytes. What a motion was made by:
  bouncing-disc  springs and dampers at the contact, whose impacts last 0.3 ms, by implicit Euler with steps of 4e-6 s: friction 0.14, and by the damper a restitution of 0.72
  sliding-crate  friction 0.22 and a drag of 0.5 N s^2/m^2 times the square of the speed, by time stepping with steps of 0.1 ms
  rocking-tower  friction 0.7, of which it needs less, by time stepping with steps of 0.1 ms
"""
import bisect
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

RATE, JITTER, OUTLIERS = 60, 5e-4, 0.02  # [1/s], [s], share
root = pathlib.Path(__file__).resolve().parent.parent.parent
program = pathlib.Path(sys.argv[1]).resolve()
folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else root / "examples" / "measured")

# example -> columns, noise [m, rad], lost frames of all, method with its options, numbers of the scene, trials: seconds, then the body's numbers
FILMS = {
    "bouncing-disc": (["disc.x", "disc.y"], 2.5e-3, 0.03, ["implicit-euler", "stiffness=5e7", "damping=925"], 4e-6, {"mu": 0.14}, [
        (1.40, {"position": [0.00, 0.93], "velocity": [3.60, 0.3]}),
        (1.25, {"position": [0.02, 0.80], "velocity": [3.10, 0.8]}),
        (1.30, {"position": [0.01, 0.94], "velocity": [0.50, 0.2]})]),
    "sliding-crate": (["crate.x", "crate.y"], 1e-3, 0.05, ["stewart-trinkle"], 1e-4, {"mu": 0.22}, [
        (0.95, {"velocity": [2.4, 0]}), (0.85, {"velocity": [1.8, 0]}), (0.70, {"velocity": [1.2, 0]})]),
    "rocking-tower": (["tower.x", "tower.y", "tower.theta"], 1e-3, 0.05, ["stewart-trinkle"], 1e-4, {"mu": 0.7, "tilt": 0.22}, [
        (1.0, {})]),
}
FORCES = {"sliding-crate": ["-0.5*crate.vx*abs(crate.vx)", 0]}


def motion(name, method, dt, numbers, t_end, body):
    """The rows of a motion, by column."""
    scenario = json.loads((root / "examples" / "measured" / f"{name}.stickslip.json").read_text())
    scenario["scene"]["bodies"][1].update(body)
    if name in FORCES:
        scenario["scene"]["forces"][0]["force"] = FORCES[name]
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work) / "true.stickslip.json"
        path.write_text(json.dumps(scenario))
        command = [program, "simulate", path, "--method", method[0], "--dt", str(dt), "--t-end", str(t_end), "--every", "25", "--trajectory", f"{work}/true.csv", "--quiet"]
        command += [word for option in method[1:] for word in ("--option", option)]
        command += [word for key, value in numbers.items() for word in ("--set", f"{key}={value}")]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        rows = list(csv.reader(open(f"{work}/true.csv")))
    return {key: [float(row[i]) for row in rows[1:]] for i, key in enumerate(rows[0])}


def at(table, column, t):
    times, values = table["t"], table[column]
    i = min(max(bisect.bisect_right(times, t), 1), len(times) - 1)
    part = (t - times[i - 1]) / (times[i] - times[i - 1]) if times[i] > times[i - 1] else 1
    return values[i - 1] + part * (values[i] - values[i - 1])


for name, (columns, noise, lost, method, dt, numbers, trials) in FILMS.items():
    chance = random.Random(name)
    for number, (t_end, body) in enumerate(trials, 1):
        table = motion(name, method, dt, numbers, t_end, body)
        with open(folder / f"{name}-{number}.csv", "w", newline="\n") as out:
            out.write(",".join(["t", *columns]) + "\n")
            for frame in range(int(t_end * RATE) + 1):
                t = frame / RATE
                seen = min(max(t + chance.uniform(-JITTER, JITTER), 0), t_end)
                values = [at(table, column, seen) + noise * chance.gauss(0, 1) for column in columns]
                values = [v + (chance.choice([-1, 1]) * chance.uniform(20, 60) * noise if chance.random() < OUTLIERS else 0) for v in values]
                is_lost = chance.random() < lost
                out.write(f"{t:.4f}," + ",".join("" if is_lost else f"{v:.4f}" for v in values) + "\n")
