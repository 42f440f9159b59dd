#!/usr/bin/env python3
"""check-bound-push.py CERTIFICATE: proves a lower bound of examples/crisp/push-box again, with nothing of the program that found it.

It knows that model and no other: one force l >= 0 on one of four faces, along its inner normal, at a contact that turns the box by
at most h l (half face) / (f c r) in a step. So a step's least cost over a cell of the angle is a parabola's, in closed form, with the
largest of a cosine over the cell. Multipliers and cells are those of the certificate, its slopes and its reach are not needed: what is
found here is a little above what the program proves. In doubles, not rounded outward; SLACK is what that may be off by.

Exit status 0: the bound holds, 1: it does not."""
import json
import math
import sys

SLACK = 1e-9  # of the objective's size: some thousand sums, each exact to 1e-16
certificate = json.load(open(sys.argv[1], encoding="utf-8"))
p, chain = certificate["scenario"]["values"], certificate["certificate"]["chain"]
lx, ly = chain["multipliers"]
n, width, first = chain["cells"], chain["width"], chain["first"]
f, h = p["mu"] * p["m"] * p["g"], p["h"]
size, direction = math.hypot(lx, ly), math.atan2(ly, lx)
FACES = [(math.pi / 2, p["a"]), (math.pi, p["b"]), (-math.pi / 2, p["a"]), (0, p["b"])]  # angle of the force, half face


def largest_cosine(low, high):
    turns = 2 * math.pi
    return 1 if math.ceil(low / turns) * turns <= high else max(math.cos(low), math.cos(high))


def gains(low, high):
    """Of each face: how much a unit of its force lowers the Lagrangian at most."""
    return [h / f * size * largest_cosine(low + at - direction - math.pi, high + at - direction - math.pi) for at, _ in FACES]


def step(gain, turn):
    """Least cost of a step that turns by at least so much."""
    best = math.inf
    for g, (_, half) in zip(gain, FACES):
        force = max(0, g / 0.002, turn * f * p["c"] * p["r"] / (h * half))
        best = min(best, 0.001 * force**2 - g * force)
    return best


def end(low, high):
    off = max(0, low - p["tht"], p["tht"] - high)
    return 100 * off**2


edges = [(first + i) * width for i in range(n + 1)]
cells = [gains(edges[i], edges[i + 1]) for i in range(n)]
near = [[step(cells[i], max(0, d - 1) * width) for d in range(n + 1)] for i in range(n)]
anywhere = [h / f * size] * 4
far = [step(anywhere, d * width) for d in range(n + 1)]
values = [end(edges[i], edges[i + 1]) for i in range(n)]
below, above = end(-math.inf, edges[0]), end(edges[n], math.inf)
for _ in range(int(p["N"]) - 1):
    new = [min(min(near[i][abs(i - j)] + values[j] for j in range(n)), near[i][i + 1] + below, near[i][n - i] + above) for i in range(n)]
    below, above = (min(far[0] + below, far[n] + above, min(far[j] + values[j] for j in range(n))),
                    min(far[0] + above, far[n] + below, min(far[n - 1 - j] + values[j] for j in range(n))))
    values = new
start = [values[i] for i in range(n) if edges[i] <= p["th0"] <= edges[i + 1]]
start += [below] if p["th0"] <= edges[0] else []
start += [above] if p["th0"] >= edges[n] else []
proved = min(start) + lx * (p["px0"] - p["xt"]) + ly * (p["py0"] - p["yt"]) - size**2 / 400
claim = certificate["lower_bound"]
if claim > proved + SLACK * max(1, abs(proved), size * 3):
    print(f"not proved: {proved:.9g} is less than {claim:.9g}")
    sys.exit(1)
print(f"verified {claim:.9g} (here {proved:.9g})")
