#!/usr/bin/env python3
"""Judges a plan of the hopping robot (examples/time-freezing/robot*) by code that shares nothing with the program:
path constraints of the problem at every row and stage of the table, and a simulation of the plan's torques from the
start, by Runge and Kutta's method in short steps with its own equations of motion, contact and impact.

Usage: robot-check.py PLAN.csv HOLES [STEP [PIECES]]; prints `name value` lines. With PIECES each of so many equal parts
of the plan is simulated from the plan's own state where it begins, since no simulation of the whole but the program's
own follows torques over several hops: `piece` is the largest distance at their ends, and `whole` that of one simulation
from the start to the end.
"""
import csv
import math
import sys

G, MU, L, S_T, S_S = 9.81, 0.8, 0.2, 0.016, 0.1
ROUNDING = 1e-9  # of the foot's height where it takes off [m]
STANDS = 1e-9  # of the foot's speed where its slip ends [m/s]
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


def sliding(m, f, j, rate, way):
    """With friction against the foot's way, 1 or -1; the last value is the normal force."""
    a = [m[i] + [-j[1][i] + way * MU * j[0][i]] for i in range(4)] + [list(j[1]) + [0]]
    return solve(a, list(f) + [-rate[1]])


def acceleration(q, v, u, mode):
    """Accelerations; tangential and normal force where the mode (None: flight, 0: sticks, 1, -1: slips) has them."""
    m, f, j, bias = system(q, v, u)
    if mode is None:
        return solve(m, f)
    if mode == 0:
        return constrained(m, f, j, bias)
    out = sliding(m, f, j, bias, mode)
    return out[:4] + [-mode * MU * out[4], out[4]]


def step(q, v, u, mode, h):
    ks = []
    for c in (0, 0.5, 0.5, 1):
        dq = [v[i] + (c * h * ks[-1][1][i] if ks else 0) for i in range(4)]
        qs = [q[i] + (c * h * ks[-1][0][i] if ks else 0) for i in range(4)]
        ks.append((dq, acceleration(qs, dq, u, mode)[:4]))
    mean = [[sum(w * k[p][i] for w, k in zip((1, 2, 2, 1), ks)) / 6 for i in range(4)] for p in range(2)]
    return [q[i] + h * mean[0][i] for i in range(4)], [v[i] + h * mean[1][i] for i in range(4)]


def foot(q):
    return q[0] + L * (math.sin(q[2]) + math.sin(q[3])), q[1] - L * (math.cos(q[2]) + math.cos(q[3]))


def foot_rate(q, v):
    return (v[0] + L * (math.cos(q[2]) * v[2] + math.cos(q[3]) * v[3]),
            v[1] + L * (math.sin(q[2]) * v[2] + math.sin(q[3]) * v[3]))


def bisect(q, v, u, mode, h, over):
    low, high = 0.0, h
    for _ in range(60):
        mid = (low + high) / 2
        low, high = (low, mid) if over(*step(q, v, u, mode, mid)) else (mid, high)
    return high


def is_loose(out):
    return abs(out[4]) > MU * out[5] * (1 + 1e-9)


def ends(q, v, u, mode, ground):
    """Whether the mode is over in this state."""
    if mode is None:
        return foot(q)[1] < ground
    out = acceleration(q, v, u, mode)
    if out[5] < 0:
        return True
    return is_loose(out) if mode == 0 else foot_rate(q, v)[0] * mode < 0


def mode_on_ground(q, v, u, mode):
    """Of a foot that is down: sticks if it may, else slips away."""
    if mode is not None and mode != 0 and foot_rate(q, v)[0] * mode > STANDS:
        return mode
    out = acceleration(q, v, u, 0)
    if out[5] < 0:
        return None
    return 0 if not is_loose(out) else (1 if out[4] < 0 else -1)


def impact(q, v):
    """Velocities after an inelastic impact, and the mode."""
    m, _, j, _ = system(q, v, (0, 0))
    momentum = [sum(m[i][k] * v[k] for k in range(4)) for i in range(4)]
    out = constrained(m, momentum, j, (0, 0))
    if not is_loose(out):
        return out[:4], 0
    for way in (1, -1):
        slid = sliding(m, momentum, j, (0, 0), way)[:4]
        if foot_rate(q, slid)[0] * way > 0:
            return slid, way
    raise SystemExit("an impact without an answer")


START = ([0.0, 0.4, 0.0, 0.0], [0.0] * 4)


def mode_of_row(q, v, u):
    """What a plan's row leaves of a foot that is down, and of one that stands."""
    rate = foot_rate(q, v)
    if foot(q)[1] > 1e-6 or abs(rate[1]) > 1e-4:
        return None
    return mode_on_ground(q, v, u, 0 if abs(rate[0]) < 1e-5 else math.copysign(1, rate[0]))


def simulate(intervals, h, start=START):
    """intervals: (first, last, torques). Yields the end of each."""
    q, v = list(start[0]), list(start[1])
    touches, ground, mode = 0, min(foot(q)[1], 0.0) - ROUNDING, mode_of_row(q, v, intervals[0][2])
    for first, last, u in intervals:
        t = first
        while t < last - 1e-13:
            dt = min(h, last - t)
            if mode is not None and ends(q, v, u, mode, ground):  # other torques
                mode = mode_on_ground(q, v, u, mode)
                ground = min(foot(q)[1], 0.0) - ROUNDING
            over = lambda q, v: ends(q, v, u, mode, ground)
            after = step(q, v, u, mode, dt)
            if over(*after):
                dt = bisect(q, v, u, mode, dt, over)
                q, v = step(q, v, u, mode, dt)
                if mode is None:
                    v, mode = impact(q, v)
                    touches += 1
                else:
                    mode = mode_on_ground(q, v, u, mode if acceleration(q, v, u, mode)[5] >= 0 else None)
                ground = min(foot(q)[1], 0.0) - ROUNDING
            else:
                q, v = after
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


def distance(q, row):
    """Of hip and foot, the larger."""
    (fx, fz), (px, pz) = foot(q), foot(row["q"])
    return max(math.hypot(q[0] - row["q"][0], q[1] - row["q"][1]), math.hypot(fx - px, fz - pz))


def judge_pieces(rows, intervals, n, h):
    end, worst, touches = rows[-1]["t"], 0, 0
    for piece in range(n):
        own = [i for i in intervals if piece * end / n <= (i[0] + i[1]) / 2 < (piece + 1) * end / n]
        begin = [row for row in rows if row["t"] == own[0][0]][-1]
        start = START if piece == 0 else (begin["q"], begin["v"])
        for _, q, n_touches in simulate([i[:3] for i in own], h, start):
            pass
        worst = max(worst, distance(q, own[-1][3]))
        touches += n_touches
    print("piece", worst)
    print("impacts", touches)
    for _, q, _ in simulate([i[:3] for i in intervals], h):
        pass
    print("whole", distance(q, rows[-1]))


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
                da, db = row["hip-pin.velocity"], row["knee-pin.velocity"]
                row["v"] = (row["hip.vx"], row["hip.vy"], da, da + db)
    print("violation", worst)
    print("target", max(abs(p - t) for p, t in zip(rows[-1]["q"], (holes, 0.4, 0, 0))))
    torques = [abs(row[k]) for row in rows for k in ("u.hip_motor", "u.knee_motor")]
    print("torque", max(torques))
    intervals = [(a["t"], b["t"], (a["u.hip_motor"], a["u.knee_motor"]), b) for a, b in zip(rows, rows[1:])
                 if b["t"] > a["t"]]
    print("cost", sum((last - first) * (u[0] ** 2 + u[1] ** 2) for first, last, u, _ in intervals))
    if len(sys.argv) > 4:
        judge_pieces(rows, intervals, int(sys.argv[4]), h)
        return
    off = touches = 0
    for (_, _, _, row), (_, q, touches) in zip(intervals, simulate([i[:3] for i in intervals], h)):
        off = max(off, math.hypot(q[0] - row["q"][0], q[1] - row["q"][1]))
    print("hip", off)
    print("end", distance(q, rows[-1]))
    print("impacts", touches)


main()
