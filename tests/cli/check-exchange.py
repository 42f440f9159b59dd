#!/usr/bin/env python3
"""Motions of robots that `convert` reads, against equations of motion written here by hand, with no code of the program.

    check-exchange.py PROGRAM SOURCE_ROOT FOLDER

A model starts at rest, as MJCF has it; `fesd-j` simulates it with steps of 5 ms, whose error is below 1e-9 in such motions of a
second (half the step changes less), and this script integrates its own equations by Runge and Kutta's rule of order 4 with steps
of 0.5 ms (below 1e-10). Angles of MJCF turn about +Y, of scenes about -Y."""
import csv
import math
import re
import subprocess
import sys
from pathlib import Path

program, examples, folder = sys.argv[1], Path(sys.argv[2]) / "examples", Path(sys.argv[3])
G = 9.81
T, H = 0.6, 0.0005
NEAR = 1e-7
failed = 0


def check(name, ok, told=""):
    global failed
    failed += not ok
    print(("ok " if ok else "not ok ") + name + ("" if ok else f": {told}"))


def motion(name, text, words=(), ending=".xml"):
    """Channels at the end of the simulated motion of a model; the scene's text in the folder."""
    source, scene, table = (folder / (name + e) for e in (ending, ".stickslip.json", ".csv"))
    source.write_text(text)
    for arguments in (["convert", source, scene, "--quiet", *words],
                      ["simulate", scene, "--method", "fesd-j", "--t-end", str(T), "--dt", "0.005", "--trajectory", table, "--quiet"]):
        done = subprocess.run([program, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            check(name, False, f"{arguments[0]} ended with {done.returncode}: {done.stderr}")
            return {}
    with open(table) as file:
        return {key: float(value) for key, value in list(csv.DictReader(file))[-1].items() if value}


def integrate(rate, state):
    for _ in range(round(T / H)):
        k1 = rate(state)
        k2 = rate([s + H / 2 * k for s, k in zip(state, k1)])
        k3 = rate([s + H / 2 * k for s, k in zip(state, k2)])
        k4 = rate([s + H * k for s, k in zip(state, k3)])
        state = [s + H / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4)]
    return state


def same(name, got, wanted):
    off = max((abs(got.get(key, math.nan) - value) for key, value in wanted.items()), default=0)
    check(name, off < NEAR, f"{off} off: {({k: got.get(k) for k in wanted})} (expected {wanted})")


def solve(a, b, c, d, e, f):
    """x, y of a x + b y = e, c x + d y = f"""
    return (e * d - b * f) / (a * d - b * c), (a * f - e * c) / (a * d - b * c)


def model(bodies, more="", settings=""):
    return f'<mujoco model="m">{settings}<worldbody>{bodies}</worldbody>{more}</mujoco>'


# --- a pendulum of a solid ball and a thin rod's cylinder: moments of inertia in space, by hand
m1, r, m2, l = 2.0, 0.1, 0.5, 0.8
I = m2 * (0.02**2 / 4 + l**2 / 12) + m2 * (l / 2) ** 2 + 0.4 * m1 * r**2 + m1 * l**2
torque = (m1 * l + m2 * l / 2) * G
got = motion("pendulum", model(
    f'<body name="arm" pos="0 0 2"><joint name="h" axis="0 1 0"/>'
    f'<geom type="cylinder" fromto="0 0 0 {l} 0 0" size="0.02" mass="{m2}"/>'
    f'<geom type="sphere" pos="{l} 0 0" size="{r}" mass="{m1}"/></body>'))
a, w = integrate(lambda s: [s[1], -torque / I * math.cos(s[0])], [0, 0])
c = (m1 * l + m2 * l / 2) / (m1 + m2)
same("a pendulum falls as its moment of inertia says", got, {"arm.theta": a, "arm.omega": w, "arm.x": c * math.cos(a), "arm.y": 2 + c * math.sin(a)})

# --- a box that swings: a third of half the diagonal's square; by degrees, euler and a frame; spring, damper, reference
k, d, angle = 30.0, 0.7, math.radians(30)
M, half = 3.0, (0.3, 0.2, 0.1)
I = M * (half[0] ** 2 + half[2] ** 2) / 3 + M * half[0] ** 2
got = motion("box", model(
    f'<frame pos="1 0 0" euler="0 30 0"><body name="b"><joint name="h" axis="0 -2 0" stiffness="{k}" damping="{d}" springref="-40" ref="10"/>'
    f'<geom type="box" pos="{half[0]} 0 0" size="{half[0]} {half[1]} {half[2]}" mass="{M}"/></body></frame>'))
# the frame turns the box down by 30 degrees; q = 10 degrees + theta - theta0 about -Y
rest = math.radians(-40 - 10) - angle
a, w = integrate(lambda s: [s[1], (-M * G * half[0] * math.cos(s[0]) - k * (s[0] - rest) - d * s[1]) / I], [-angle, 0])
same("a box with a spring and a damper", got, {"b.theta": a, "b.omega": w})
got = motion("armature", model(
    f'<body name="b"><joint name="h" axis="0 1 0" armature="0.2"/><geom type="box" pos="{half[0]} 0 0" size="{half[0]} {half[1]} {half[2]}" mass="{M}"/></body>'))
a, w = integrate(lambda s: [s[1], -M * G * half[0] * math.cos(s[0]) / (I + 0.2)], [0, 0])
same("the armature of a hinge on the world", got, {"b.theta": a, "b.omega": w})

# --- two links: the mass matrix by hand, a damper between, inertials of their own frames, a servo on the second
ma, mb, la, lb, ca, cb, Ia, Ib, d = 1.5, 0.7, 0.6, 0.5, 0.25, 0.2, 0.04, 0.015, 0.3
kp, kv, gear = 8.0, 0.4, -1.5
chain = model(
    f'<body name="a"><inertial pos="{ca} 0 0" mass="{ma}" diaginertia="0.01 0.05 {Ia}" euler="90 0 0"/><joint name="h1" axis="0 -1 0"/>'
    f'<geom type="capsule" fromto="0 0 0 {la} 0 0" size="0.02"/>'
    f'<body name="b" pos="{la} 0 0"><inertial pos="{cb} 0 0" mass="{mb}" fullinertia="0.01 {Ib} 0.01 0 0.001 0"/><joint name="h2" axis="0 1 0" damping="{d}"/>'
    f'<geom type="capsule" fromto="0 0 0 {lb} 0 0" size="0.02" contype="0" conaffinity="0"/></body></body>',
    f'<actuator><position name="servo" joint="h2" kp="{kp}" kv="{kv}" gear="{gear}" ctrlrange="-1 1"/></actuator>')


def two_links(s):
    p, q, u, v = s  # angles in the plane
    turn = -(v - u)
    servo = gear * (-kp * gear * -(q - p) - kv * gear * turn) - d * turn  # along h2, whose coordinate is -(q - p)
    cos, sin = math.cos(p - q), math.sin(p - q)
    coupling = mb * la * cb
    up, vp = solve(Ia + ma * ca**2 + mb * la**2, coupling * cos, coupling * cos, Ib + mb * cb**2,
                   -coupling * sin * v * v - (ma * ca + mb * la) * G * math.cos(p) + servo,
                   coupling * sin * u * u - mb * cb * G * math.cos(q) - servo)
    return [u, v, up, vp]


p, q, u, v = integrate(two_links, [0, 0, 0, 0])
same("two links, their mass matrix, a damper and a servo", motion("chain", chain), {"a.theta": p, "b.theta": q, "a.omega": u, "b.omega": v})

# --- the same two links as URDF: turned base, roll, pitch and yaw of an inertial, friction-free, a motor of an effort
quarter = math.pi / 2
arm = f"""<robot name="arm"><link name="base"/>
<joint name="turned" type="fixed"><origin xyz="0 0 0" rpy="{quarter} 0 0"/><parent link="base"/><child link="stand"/></joint><link name="stand"/>
<joint name="h1" type="continuous"><parent link="stand"/><child link="a"/><axis xyz="0 0 1"/></joint>
<link name="a"><inertial><origin xyz="{ca} 0 0" rpy="0 {quarter} 0"/><mass value="{ma}"/><inertia ixx="{Ia}" iyy="0.05" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><box size="{la} 0.04 0.04"/></geometry></visual></link>
<joint name="h2" type="revolute"><origin xyz="{la} 0 0"/><parent link="a"/><child link="b"/><axis xyz="0 0 -1"/><limit lower="-3" upper="3" effort="5"/>
<dynamics damping="{d}"/></joint>
<link name="b"><inertial><origin xyz="{cb} 0 0"/><mass value="{mb}"/><inertia ixx="0.01" iyy="0.01" izz="{Ib}" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
kp = kv = 0
p, q, u, v = integrate(two_links, [0, 0, 0, 0])
same("two links of URDF", motion("arm", arm, ending=".urdf"), {"a.theta": p, "b.theta": q, "a.omega": u, "b.omega": v})

# --- three joints on a body are a free one: slides with a damper and a skew axis pull at the hinge's place
M, I, d = 2.0, 0.05, 3.0
free = model(
    f'<body name="b" pos="0 0 1"><inertial pos="0.2 0 0" mass="{M}" diaginertia="1 {I} 1"/><joint name="x" type="slide" axis="1 0 0" damping="{d}"/>'
    f'<joint name="z" type="slide" axis="1 0 1" damping="1"/><joint name="y" axis="0 1 0"/><geom size="0.1"/></body>')


def dragged(s):
    x, y, a, vx, vy, w = s
    px, py = vx + 0.2 * w * math.sin(a), vy - 0.2 * w * math.cos(a)  # the hinge's velocity
    # coordinates: px = q1 + q2/sqrt 2, py = q2/sqrt 2; F . (1, 0) = -d q1', F . (1, 1)/sqrt 2 = -q2'
    q2 = py * math.sqrt(2)
    q1 = px - py
    fx = -d * q1
    fy = -q2 * math.sqrt(2) - fx
    rx, ry = -0.2 * math.cos(a), -0.2 * math.sin(a)
    return [vx, vy, w, fx / M, fy / M - G, (rx * fy - ry * fx) / I]


x, y, a, *_ = integrate(dragged, [0.2, 1, 0, 0, 0, 0])
same("slides of a free body with dampers", motion("free", free), {"b.x": x, "b.y": y, "b.theta": a})

# --- a slide and a hinge on one body: the hinge runs along a rail; and the other way round, a rail that turns
rail = model(f'<body name="b"><inertial pos="0.3 0 0" mass="{M}" diaginertia="1 {I} 1"/><joint name="s" type="slide" axis="1 0 0" damping="2"/>'
             '<joint name="h" axis="0 1 0"/><geom size="0.1"/></body>')


def on_rail(s):
    x, a, v, w = s
    c, sn = math.cos(a), math.sin(a)
    ax, aw = solve(M, -M * 0.3 * sn, -M * 0.3 * sn, I + M * 0.09, M * 0.3 * c * w * w - 2 * v, -M * G * 0.3 * c)
    return [v, w, ax, aw]


x, a, *_ = integrate(on_rail, [0, 0, 0, 0])
same("a slide, then a hinge: a pendulum on a rail", motion("rail", rail), {"b.theta": a, "b.x": x + 0.3 * math.cos(a)})
turning = model(f'<body name="b"><inertial pos="0.3 0 0" mass="{M}" diaginertia="1 {I} 1"/><joint name="h" axis="0 -1 0"/>'
                '<joint name="s" type="slide" axis="1 0 0" stiffness="40"/><geom size="0.1"/></body>')
a, r, w, v = integrate(lambda s: [s[2], s[3], (-M * G * (0.3 + s[1]) * math.cos(s[0]) - 2 * M * (0.3 + s[1]) * s[2] * s[3]) / (I + M * (0.3 + s[1]) ** 2),
                                  (0.3 + s[1]) * s[2] ** 2 - G * math.sin(s[0]) - 40 * s[1] / M], [0, 0, 0, 0])
same("a hinge, then a slide: a rail that turns", motion("turning", turning), {"b.theta": a, "b.x": (0.3 + r) * math.cos(a), "b.y": (0.3 + r) * math.sin(a)})

# --- a slider on a body that moves: a spring and a motor between them act on both
carried = model(f'<body name="a"><inertial pos="0 0 0" mass="1.2" diaginertia="1 {I} 1"/><joint name="h" axis="0 -1 0"/><geom size="0.1"/>'
                f'<body name="b" pos="0.4 0 0"><inertial pos="0 0 0" mass="{M}" diaginertia="1 0.03 1"/><joint name="s" type="slide" axis="1 0 0" stiffness="50" damping="2"/>'
                '<geom size="0.05"/></body></body>')
a, r, w, v = integrate(lambda s: [s[2], s[3], (-M * G * s[1] * math.cos(s[0]) - 2 * M * s[1] * s[2] * s[3]) / (I + 0.03 + M * s[1] ** 2),
                                  s[1] * s[2] ** 2 - G * math.sin(s[0]) - (50 * (s[1] - 0.4) + 2 * s[3]) / M], [0, 0.4, 0, 0])
same("a slider on a body that turns", motion("carried", carried), {"a.theta": a, "b.x": r * math.cos(a), "b.y": r * math.sin(a)})

# --- the other plane, settings of all masses, a body that its parent carries
I = 0.4 * 1.0 * 0.01 * 2 + 0.25 + 1.0 - 2.0 * 0.75**2  # two balls of 1 kg about the middle between them
got = motion("plane", model('<body name="a" pos="0 0 7"><joint axis="0 0 1"/><geom size="0.1" pos="0.5 0 0"/><body pos="1 0 0"><geom size="0.1"/></body></body>',
                            settings='<compiler settotalmass="2" angle="radian"/><option gravity="0 -9.81 0"/>'), ["--plane", "xy"])
a, w = integrate(lambda s: [s[1], -2 * G * 0.75 * math.cos(s[0]) / (I + 2 * 0.75**2)], [0, 0])
same("the plane of X and Y", got, {"a.theta": a, "a.omega": w})

# --- scenes as MJCF and back: the same motion, but for what turning frames rounds (1e-16 of lengths of a metre; 50 steps with contacts
# make 5e-14 of it)
def both_ways(name, scene, method, words=()):
    there, back = folder / (name + "-there.xml"), folder / (name + "-back.stickslip.json")
    ends = []
    for arguments in (["convert", scene, there, *words], ["convert", there, back, *words]):
        done = subprocess.run([program, *arguments, "--quiet"], capture_output=True, text=True)
        if done.returncode != 0 or done.stderr.count("(error)"):
            return check(name, False, done.stderr)
    for source in (scene, back):
        table = folder / (name + ".csv")
        done = subprocess.run([program, "simulate", source, "--method", method, "--t-end", "0.5", "--dt", "0.01", "--trajectory", table, "--quiet"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            return check(name, False, done.stderr)
        with open(table) as file:
            ends.append(list(csv.DictReader(file)))
    channels = [key for key in ends[0][0] if key.rpartition(".")[2] in ("x", "y", "theta", "vx", "vy", "omega")]
    off = max(abs(float(a[key]) - float(b[key])) for a, b in zip(*ends) for key in channels if not key.startswith("momentum"))
    check(f"{name} as MJCF and back", len(ends[0]) == len(ends[1]) and off < 1e-12, f"{off} off")


for name in ("sketches/falling-box", "plans/cart-pole-walls", "plans/finger-drag", "plans/hopper-leg", "classics/domino-row"):
    both_ways(name.replace("/", "-"), examples / (name + ".stickslip.json"), "stewart-trinkle")
everything = """{"format": 1, "name": "everything",
  "parameters": {"bx": "0.6*cos(0.1) + 0.2*cos(0.1 + atan2(0.6, 0.8))", "by": "1 + 0.6*sin(0.1) + 0.2*sin(0.1 + atan2(0.6, 0.8))"},
  "scene": {"gravity": [0.3, -9.81], "friction": 0.4,
  "bodies": [
    {"name": "wall", "fixed": true, "shape": {"type": "box", "width": 1, "height": 0.2}, "position": [0, -1], "angle": 0.2},
    {"name": "a", "shape": {"type": "box", "width": 0.6, "height": 0.1}, "mass": 2, "position": ["0.3*cos(0.1)", "1 + 0.3*sin(0.1)"],
     "angle": 0.1, "angular_velocity": 1, "velocity": ["-0.3*sin(0.1)", "0.3*cos(0.1)"]},
    {"name": "b", "mass": 0.6, "shapes": [{"type": "circle", "radius": 0.1, "position": [0.1, 0]}, {"type": "polygon", "vertices": [[0, 0], [0.3, 0.1], [0, 0.2]]}],
     "position": ["bx", "by"], "angle": -0.4, "angular_velocity": 1, "velocity": ["1 - by", "bx"]},
    {"name": "c", "shape": {"type": "capsule", "length": 0.4, "radius": 0.05}, "mass": 0.7, "position": [-0.5, 0.2], "angle": 2, "velocity": [0.3, 0.1], "angular_velocity": -2},
    {"name": "d", "shape": {"type": "polygon", "vertices": [[0, 0], [0.3, 0.1], [0, 0.2]]}, "density": 20, "position": [-1, 0.5]},
    {"name": "e", "shape": {"type": "circle", "radius": 0.1}, "mass": 0.4, "position": [-1, 0.9], "angle": 0.3},
    {"name": "p", "shape": {"type": "circle", "radius": 0.1}, "mass": 0.4, "position": [3, 0], "angle": 0.3, "angular_velocity": 2},
    {"name": "q", "shape": {"type": "circle", "radius": 0.2}, "mass": 0.7, "position": [3.3, 0], "angular_velocity": -1},
    {"name": "r", "shape": {"type": "circle", "radius": 0.1}, "mass": 0.7, "position": [5, 0]}],
  "joints": [
    {"name": "hinge", "type": "pin", "bodies": ["world", "a"], "anchor": [0, 1], "lower": -1, "upper": 0.5},
    {"name": "rail", "type": "slider", "bodies": ["a", "b"], "anchors": [[0.3, 0], [0, 0]], "axis": [0.8, 0.6], "lower": -0.5},
    {"name": "axle", "type": "pin", "bodies": ["world", "p"], "anchor": [3, 0]},
    {"name": "teeth", "type": "gear", "bodies": ["p", "q"], "radii": [0.1, 0.2]},
    {"name": "rope", "type": "rope", "bodies": ["world", "r"], "points": [[4, 0.5], [5, 0]], "over": [[4.5, 0.6]], "length": 1.4},
    {"name": "tie", "type": "weld", "bodies": ["d", "e"], "anchor": [-1, 0.7]}],
  "springs": [
    {"name": "s", "bodies": ["world", "c"], "points": [[-0.9, 1], [-0.5, 0.3]], "stiffness": 20, "damping": 0.3, "rest": 0.6},
    {"name": "t", "bodies": ["world", "a"], "torsion": true, "stiffness": 5, "damping": 0.2, "rest": 0.4},
    {"name": "u", "bodies": ["b", "c"], "stiffness": 3}],
  "actuators": [{"name": "m", "type": "joint", "joint": "hinge", "lower": -2, "upper": 3}, {"name": "w", "type": "torque", "body": "c"}],
  "contacts": [{"bodies": ["wall", "c"], "friction": 0}, {"bodies": ["wall", "d"]}, {"bodies": ["c", "d"], "friction": 0.2}]}}"""

(folder / "everything.stickslip.json").write_text(everything)
both_ways("everything", folder / "everything.stickslip.json", "stewart-trinkle")
both_ways("everything-xy", folder / "everything.stickslip.json", "stewart-trinkle", ["--plane", "xy"])
# --- motors name joints that are there: none turns a body that may not turn
locked = """{"format": 1, "name": "locked", "scene": {"gravity": [0, -9.81], "bodies": [
  {"name": "s", "shape": {"type": "circle", "radius": 0.1}, "mass": 0.7, "position": [0, 1], "lock": ["theta"]},
  {"name": "t", "shape": {"type": "circle", "radius": 0.1}, "mass": 0.7, "position": [1, 1]}],
  "actuators": [{"name": "v", "type": "torque", "body": "s"}, {"name": "w", "type": "torque", "body": "t"}]}}"""
(folder / "locked.stickslip.json").write_text(locked)
subprocess.run([program, "convert", folder / "locked.stickslip.json", folder / "locked.xml", "--quiet"], check=True, capture_output=True)
written = (folder / "locked.xml").read_text()
check("motors of bodies", re.findall(r'<motor name="(\w+)" joint="(\w+)"', written) == [("w", "t_turn")] and '<joint name="t_turn"' in written, written)
sys.exit(1 if failed else 0)
