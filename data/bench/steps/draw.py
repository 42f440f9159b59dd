#!/usr/bin/env python3
"""draw.py STICKSLIP-CLI FOLDER: draws the 200 contact problems of `bench contact-solvers` anew into a folder.

Examples of the repository and scenes drawn from seeds are simulated with `simulate --save-steps`; of each some problems are kept, evenly
over the motion. The numbers are those of one machine: simulations of piles are chaotic, so that
another compiler draws others of the same kind."""
import json
import math
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

cli, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
root = pathlib.Path(__file__).resolve().parents[3]
scratch = pathlib.Path(tempfile.mkdtemp(prefix="draw-steps-"))
FLOOR = {"name": "floor", "fixed": True, "shape": {"type": "half-plane", "normal": [0, 1]}, "position": [0, 0]}


def box(name, w, h, x, y, angle=0., mass=1., **more):
    return {"name": name, "shape": {"type": "box", "width": w, "height": h}, "mass": mass, "position": [x, y], "angle": angle, **more}


def disc(name, r, x, y, mass=1., **more):
    return {"name": name, "shape": {"type": "circle", "radius": r}, "mass": mass, "position": [x, y], **more}


def wall(name, x, y=30., w=.4, h=60., angle=0.):
    return {"name": name, "fixed": True, "shape": {"type": "box", "width": w, "height": h}, "position": [x, y], "angle": angle}


def scene(name, bodies, t_end, friction=.6, dt=.01, **more):
    return {"format": 1, "name": name, "scene": {"gravity": [0, -9.8], "friction": friction, "bodies": bodies, **more},
            "task": {"t_end": t_end, "dt": dt}}


def pile(n, seed):
    """Boxes and discs dropped between walls."""
    draw, columns, bodies = random.Random(seed), round(math.sqrt(n)), []
    for k in range(n):
        i, j = divmod(k, columns)
        x, y = (j - (columns - 1) / 2) * .5 + draw.uniform(-.04, .04), .35 + i * .6 + draw.uniform(-.03, .03)
        bodies.append(disc(f"d{k}", .2, x, y) if (i + j) % 2 else box(f"q{k}", .4, .4, x, y, draw.uniform(-.1, .1)))
    half = columns * .5 / 2 + .5
    return scene(f"pile-{n}-{seed}", [FLOOR, wall("left", -half), wall("right", half)] + bodies, 2.5)


def pyramid(rows, hit):
    """Bricks that touch; a ball of 5 kg strikes them."""
    bodies = [box(f"b{i}_{j}", 1, 1, (j - (rows - 1 - i) / 2), i + .5) for i in range(rows) for j in range(rows - i)]
    ball = [disc("ball", .5, -rows + 2, 5.5, 5, velocity=[12, 0])] if hit else []
    return scene(f"pyramid-{rows}" + ("-hit" if hit else ""), [FLOOR] + bodies + ball, 1.)


def stack(seed):
    """A tower, a hundred times heavier at its top, not quite straight."""
    draw, n = random.Random(seed), 10
    return scene(f"stack-{seed}", [FLOOR] + [box(f"b{i}", 1, .5, draw.uniform(-.12, .12), .25 + .5 * i, 0, 10 ** (2 * i / (n - 1)))
                                             for i in range(n)], 1.5, draw.uniform(.2, .9))


def chain(seed):
    """Links on pins that fall onto the floor."""
    draw, n, bodies, joints = random.Random(seed), 8, [FLOOR], []
    for i in range(n):
        bodies.append(box(f"l{i}", .5, .12, .5 * i, 1.2 + .1 * seed, 0))
        if i > 0:
            joints.append({"type": "pin", "bodies": [f"l{i - 1}", f"l{i}"], "name": f"p{i}", "anchor": [.5 * i - .25, 1.2 + .1 * seed]})
    bodies[1]["velocity"] = [draw.uniform(-3, 3), draw.uniform(-1, 3)]
    return scene(f"chain-{seed}", bodies, 2., draw.uniform(.1, .8), joints=joints)


def train(seed):
    """A row of boxes that slide into each other and into a wall."""
    draw = random.Random(seed)
    return scene(f"train-{seed}", [FLOOR, wall("stop", 6, .5, .4, 2.)] +
                 [box(f"b{i}", .6, draw.uniform(.4, 1.1), i * draw.uniform(.65, .8) - 3, .6, 0, draw.uniform(.2, 8), velocity=[draw.uniform(2, 8), 0])
                  for i in range(7)], 2., draw.uniform(.05, .5))


def wedge(seed):
    """Discs and boxes that fall into a funnel with much friction: they jam."""
    draw = random.Random(seed)
    slope = draw.uniform(.9, 1.25)
    sides = [wall("left", -1.55, 1.6, .3, 4.5, slope - math.pi / 2 + .9), wall("right", 1.55, 1.6, .3, 4.5, math.pi / 2 - slope - .9)]
    bodies = [disc(f"d{k}", draw.uniform(.12, .3), draw.uniform(-.5, .5), 3 + .55 * k, draw.uniform(.5, 2)) if k % 2 else
              box(f"q{k}", draw.uniform(.3, .5), draw.uniform(.2, .5), draw.uniform(-.5, .5), 3 + .55 * k, draw.uniform(-.5, .5)) for k in range(10)]
    return scene(f"wedge-{seed}", [FLOOR] + sides + bodies, 2.5, draw.uniform(1.2, 2.5))


def heavy(seed):
    """A heap of light discs under a disc ten thousand times as heavy."""
    draw = random.Random(seed)
    light = [disc(f"d{k}", .15, (k % 5 - 2) * .32 + draw.uniform(-.01, .01), .16 + .29 * (k // 5), .01) for k in range(15)]
    return scene(f"heavy-{seed}", [FLOOR, wall("left", -1.05), wall("right", 1.05)] + light + [disc("heavy", .6, draw.uniform(-.2, .2), 2.2, 100.)],
                 1., draw.uniform(.2, .8))


def problems(path, name, *options):
    """All that a simulation saves, in order of the steps."""
    out = scratch / (name + "-" + "-".join(o for o in options if not o.startswith("--")))
    made = subprocess.run([cli, "simulate", path, "--save-steps", out, "--quiet", *options], capture_output=True, text=True)
    if made.returncode == 2:
        sys.exit(f"draw.py: {name}: {made.stderr}")
    return sorted(out.glob("*.json")) if out.exists() else []


def keep(found, n, least_points=1):
    """n of them, evenly over those with points enough, the first and the last left out."""
    chosen = [p for p in found if json.loads(p.read_text())["contacts"] >= least_points]
    if len(chosen) < n:
        sys.exit(f"draw.py: {found[0] if found else '?'}: {len(chosen)} problems with {least_points} points, not {n}")
    for k in range(n):
        path = chosen[(2 * k + 1) * len(chosen) // (2 * n)]
        shutil.copy(path, folder / path.name)


def drawn(made, n, least_points=1, *options):
    path = scratch / (made["name"] + ".stickslip.json")
    path.write_text(json.dumps(made))
    keep(problems(path, made["name"], *options), n, least_points)


EXAMPLES = ("classics/rocking-block classics/belt-block classics/box-pyramid classics/card-house classics/compass-walker classics/domino-row "
            "classics/driven-arm classics/newtons-cradle classics/painleve-rod classics/slack-rope constraint-solver/disk-stack "
            "constraint-solver/pinned-bar fesd-j/falling-rod fesd-j/three-boxes impacts/box-wall impacts/ramone impacts/zeno-block "
            "plans/arm-push-box plans/finger-drag plans/lift-two plans/row-of-three plans/cart-pole-walls time-freezing/hopper "
            "time-freezing/robot time-freezing/discs-pushing").split()

folder.mkdir(parents=True, exist_ok=True)
for example in EXAMPLES:                                                                # 50
    for method in ("stewart-trinkle", "moreau-jean"):
        path = root / "examples" / (example + ".stickslip.json")
        found = problems(path, path.name, "--method", method, "--save-every", "11")
        keep(found or problems(path, path.name, "--method", method), 1)
for seed in range(1, 13):                                                               # 48
    drawn(pile((16, 25, 36, 49)[seed % 4], seed), 4, 12, "--method", ("stewart-trinkle", "moreau-jean")[seed % 3 == 0])
for seed in range(1, 5):                                                                # 64
    drawn(stack(seed), 4)
    drawn(chain(seed), 4)
    drawn(train(seed), 3)
    drawn(wedge(seed), 3, 5)
    drawn(heavy(seed), 2, 5)
for seed in range(1, 6):                                                                # 20
    drawn(pile(100, seed), 4, 100, "--save-every", "5")
drawn(pile(64, 13), 9, 60)                                                              # 18
drawn(pile(200, 1), 2, 250, "--save-every", "10")
drawn(pyramid(14, False), 1, 100, "--t-end", "0.1")
drawn(pyramid(14, True), 4, 100, "--t-end", "1")
jam = pile(400, 7)                                                                      # 2
path = scratch / (jam["name"] + ".stickslip.json")
path.write_text(json.dumps(jam))
for found in problems(path, jam["name"], "--save-points", "500"):
    if "-000204-" in found.name or "-000224-" in found.name:
        shutil.copy(found, folder / found.name)
kept = sorted(folder.glob("*.json"))
print(f"{len(kept)} problems, {sum(p.stat().st_size for p in kept) / 1e6:.2f} MB, the largest {max(p.stat().st_size for p in kept) / 1e6:.2f} MB")
shutil.rmtree(scratch)
