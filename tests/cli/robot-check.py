#!/usr/bin/env python3
"""Judges a plan of the hopping robot (examples/time-freezing/robot*) by code that shares nothing with the program:
path constraints of the problem at every row and stage of the table, and a simulation of the plan's torques from the
start, by Runge and Kutta's method in short steps with its own equations of motion, contact and impact.

Usage: robot-check.py PLAN.csv HOLES [STEP]; prints `name value` lines. A foot that would slip is told and ends it.
"""
import csv
import math
import sys

G, MU, L, S_T, S_S = 9.81, 0.8, 0.2, 0.016, 0.1
ROUNDING = 1e-9  # of the foot's height where it takes off [m]
M_H, M_T, M_S, I_T, I_S = 3.975, 1.782, 0.548, 0.001, 0.0032


def solve(a, b):
    """Gauss with row exchanges."""
    n = len(b)
    a = [row[:] + [b[i]] for i, row in enumerate(a)]
    for c in range(n):
        p = max(range(c, n), key=lambda r: abs(a[r][c]))
        a[c], a[p] = a[p], a[c]
        for r in range(c + 1, n):
            f = a[r][c] / a[c][c]
            if f:
                for k in range(c, n + 1):
                    a[r][k] -= f * a[c][k]
    x = [0.0] * n
    for r in range(n - 1, -1, -1):
        x[r] = (a[r][n] - sum(a[r][k] * x[k] for k in range(r + 1, n))) / a[r][r]
    return x


def system(q, v, u):
    """Mass matrix, forces, the foot's Jacobian and the bias of its acceleration; q = x, z, angles of thigh, shank."""
    s1, c1, s2, c2 = math.sin(q[2]), math.cos(q[2]), math.sin(q[3]), math.cos(q[3])
    m, f = [[0.0] * 4 for _ in range(4)], [0.0] * 4
    for mass, l1, l2 in ((M_H, 0, 0), (M_T, S_T, 0), (M_S, L, S_S)):
        j = ((1, 0, l1 * c1, l2 * c2), (0, 1, l1 * s1, l2 * s2))
        bias = (-l1 * s1 * v[2] ** 2 - l2 * s2 * v[3] ** 2, l1 * c1 * v[2] ** 2 + l2 * c2 * v[3] ** 2 + G)
        for r in range(2):
            for i in range(4):
                f[i] -= mass * j[r][i] * bias[r]
                for k in range(4):
                    m[i][k] += mass * j[r][i] * j[r][k]
    m[2][2] += I_T
    m[3][3] += I_S
    f[2] += u[0] - u[1]
    f[3] += u[1]
    jf = ((1, 0, L * c1, L * c2), (0, 1, L * s1, L * s2))
    bf = (-L * s1 * v[2] ** 2 - L * s2 * v[3] ** 2, L * c1 * v[2] ** 2 + L * c2 * v[3] ** 2)
    return m, f, jf, bf


def constrained(m, f, j, rate):
    a = [m[i] + [-j[0][i], -j[1][i]] for i in range(4)] + [list(j[0]) + [0, 0], list(j[1]) + [0, 0]]
    return solve(a, list(f) + [-rate[0], -rate[1]])


def acceleration(q, v, u, sticks):
    m, f, j, bias = system(q, v, u)
    return constrained(m, f, j, bias) if sticks else solve(m, f)


def step(q, v, u, sticks, h):
    ks = []
    for c in (0, 0.5, 0.5, 1):
        dq = [v[i] + (c * h * ks[-1][1][i] if ks else 0) for i in range(4)]
        qs = [q[i] + (c * h * ks[-1][0][i] if ks else 0) for i in range(4)]
        ks.append((dq, acceleration(qs, dq, u, sticks)[:4]))
    mean = [[sum(w * k[p][i] for w, k in zip((1, 2, 2, 1), ks)) / 6 for i in range(4)] for p in range(2)]
    return [q[i] + h * mean[0][i] for i in range(4)], [v[i] + h * mean[1][i] for i in range(4)]


def foot(q):
    return q[0] + L * (math.sin(q[2]) + math.sin(q[3])), q[1] - L * (math.cos(q[2]) + math.cos(q[3]))


def bisect(q, v, u, sticks, h, over):
    low, high = 0.0, h
    for _ in range(60):
        mid = (low + high) / 2
        low, high = (low, mid) if over(*step(q, v, u, sticks, mid)) else (mid, high)
    return high


def simulate(intervals, h):
    """intervals: (first, last, torques). Yields the end of each."""
    q, v, sticks, touches, ground = [0.0, 0.4, 0.0, 0.0], [0.0] * 4, True, 0, 0.0
    for first, last, u in intervals:
        t = first
        while t < last - 1e-13:
            dt = min(h, last - t)
            if sticks and acceleration(q, v, u, True)[5] < 0:
                sticks, ground = False, min(foot(q)[1], 0.0) - ROUNDING
            if sticks:
                over = lambda q, v: acceleration(q, v, u, True)[5] < 0
            else:
                over = lambda q, v: foot(q)[1] < ground
            if over(*step(q, v, u, sticks, dt)):
                dt = bisect(q, v, u, sticks, dt, over)
                q, v = step(q, v, u, sticks, dt)
                if sticks:
                    sticks, ground = False, min(foot(q)[1], 0.0) - ROUNDING
                else:
                    m, _, j, _ = system(q, v, u)
                    out = constrained(m, [sum(m[i][k] * v[k] for k in range(4)) for i in range(4)], j, (0, 0))
                    if abs(out[4]) > MU * out[5]:
                        raise SystemExit("the foot slips in the impact at t = %.6f" % (t + dt))
                    v, sticks, touches = out[:4], True, touches + 1
            else:
                q, v = step(q, v, u, sticks, dt)
                if sticks:
                    out = acceleration(q, v, u, True)
                    if out[5] > 0 and abs(out[4]) > MU * out[5] * (1 + 1e-9):
                        raise SystemExit("the foot slips at t = %.6f" % (t + dt))
            t += dt
        yield last, q, touches


def violation(q, holes):
    x, z = foot(q)
    kx, kz = q[0] + L * math.sin(q[2]), q[1] - L * math.cos(q[2])
    knee = q[3] - q[2]
    rows = [q[0] + 0.05, x + 0.05, kx + 0.05, q[1] - 0.2, 0.55 - q[1], 3 * math.pi / 8 - abs(q[2]),
            math.pi / 2 - abs(knee), kz - 0.05, z + 0.005, 0.2 - z]
    rows += [((x - 0.5 - k) / 0.25) ** 2 + (z / 0.1) ** 2 - 1 for k in range(holes)]
    return max(0, -min(rows))


def main():
    holes, h = int(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 5e-5
    with open(sys.argv[1], newline="") as file:
        rows = [{k: float(x) if x else math.nan for k, x in row.items()} for row in csv.DictReader(file)]
    worst, n_stages = 0.0, sum(1 for k in rows[0] if k.startswith("hip.stage_") and k.endswith(".x"))
    for row in rows:
        for stage in [""] + ["stage_%d." % (s + 1) for s in range(n_stages)]:
            a, b = row["hip-pin.%sposition" % stage], row["knee-pin.%sposition" % stage]
            q = (row["hip.%sx" % stage], row["hip.%sy" % stage], a, a + b)
            if not any(map(math.isnan, q)):
                worst = max(worst, violation(q, holes))
            if not stage:
                row["q"] = q
    print("violation", worst)
    print("target", max(abs(p - t) for p, t in zip(rows[-1]["q"], (holes, 0.4, 0, 0))))
    torques = [abs(row[k]) for row in rows for k in ("u.hip_motor", "u.knee_motor")]
    print("torque", max(torques))
    intervals = [(a["t"], b["t"], (a["u.hip_motor"], a["u.knee_motor"]), b) for a, b in zip(rows, rows[1:])
                 if b["t"] > a["t"]]
    print("cost", sum((last - first) * (u[0] ** 2 + u[1] ** 2) for first, last, u, _ in intervals))
    off = touches = 0
    for (_, _, _, row), (_, q, touches) in zip(intervals, simulate([i[:3] for i in intervals], h)):
        off = max(off, math.hypot(q[0] - row["q"][0], q[1] - row["q"][1]))
    fx, fz = foot(q)
    px, pz = foot(rows[-1]["q"])
    print("hip", off)
    print("end", max(math.hypot(q[0] - rows[-1]["q"][0], q[1] - rows[-1]["q"][1]), math.hypot(fx - px, fz - pz)))
    print("impacts", touches)


main()
