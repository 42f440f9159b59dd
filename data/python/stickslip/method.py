"""A method of your own: reads the job, asks about the scene or the problem, tells what comes of it.

    import stickslip.method as sm

    job = sm.job()
    scene = job.scene                        # of a simulation
    for t in scene.times:                    # where steps end
        at = job.ask_scene("mass", "forces", "points", t=t, q=q, v=v)
        job.frame(t, q, v, impulses)

    problem = job.problem                    # of an optimisation
    problem.objective(x), problem.gradient(x), problem.rows(x), problem.dense_jacobian(x)
    job.iterate(x)
    job.result("solved", x)

The pipes are standard input and output: print() goes to the log. Python 3.9 or later, numpy; no other package. What the words mean:
data/manual/own-method.md.
"""

import json
import os
import sys

import numpy as np

__all__ = ["job", "Job", "Scene", "Problem", "Point", "Sparse", "Error", "PROTOCOL"]

PROTOCOL = 1


class Error(Exception):
    """The program does not answer as this module expects."""


class Sparse:
    """Where a matrix has entries: `rows`, `columns`, and its `shape`."""

    def __init__(self, pattern, shape, symmetric=False):
        self.rows = np.array(pattern["rows"], int)
        self.columns = np.array(pattern["columns"], int)
        self.shape = shape
        self.symmetric = symmetric  # only the lower triangle is told

    def dense(self, values):
        """The matrix of these values, entry by entry, as an array."""
        matrix = np.zeros(self.shape)
        np.add.at(matrix, (self.rows, self.columns), values)
        if self.symmetric:
            off = self.rows != self.columns
            np.add.at(matrix, (self.columns[off], self.rows[off]), np.asarray(values)[off])
        return matrix


class Problem:
    """minimise J (x) subject to rows[:n_equalities] = 0, rows[n_equalities:] >= 0.

    `x0`, `lower`, `upper`, `jacobian`, `hessian`, `objective_hessian` (Sparse), `pairs` (rows product, a, b of inequalities),
    `bound_rows` (rows that say no more than lower and upper), `row_names`. Values at x are asked for once: the last point is kept."""

    def __init__(self, about, ask=None):
        self._ask, self._x, self._at = ask, None, {}
        self.n_variables = about["n_variables"]
        self.n_equalities = about["n_equalities"]
        self.n_inequalities = about["n_inequalities"]
        self.n_rows = self.n_equalities + self.n_inequalities
        self.x0 = np.array(about["x0"], float) if "x0" in about else None
        self.lower = np.array([-np.inf if b is None else b for b in about["lower"]])
        self.upper = np.array([np.inf if b is None else b for b in about["upper"]])
        self.row_names = about["row_names"]
        self.bound_rows = np.array(about["bound_rows"], int)
        self.pairs = np.array(about["pairs"], int).reshape(-1, 3)
        n = self.n_variables
        self.jacobian = Sparse(about["jacobian"], (self.n_rows, n))
        self.hessian = Sparse(about["hessian"], (n, n), symmetric=True)
        self.objective_hessian = Sparse(about["objective_hessian"], (n, n), symmetric=True)

    def _value(self, name, x):
        if self._x is None or not np.array_equal(x, self._x):
            self._x, self._at = np.array(x, float), {}
        if name not in self._at:
            self._at[name] = np.array(self._ask(name, x=self._x)[name], float)
        return self._at[name]

    def objective(self, x):
        return float(self._value("objective", x))

    def gradient(self, x):
        return self._value("gradient", x)

    def rows(self, x):
        return self._value("rows", x)

    def dense_jacobian(self, x):
        """Of the rows: n_rows x n_variables."""
        return self.jacobian.dense(self._value("jacobian", x))

    def violation(self, x):
        """The largest by which a row is not kept."""
        rows = self.rows(x)
        return float(max(np.abs(rows[:self.n_equalities]).max(initial=0), -rows[self.n_equalities:].min(initial=0)))


class Scene:
    """`bodies` (name, mass, inertia, moves), `contacts` (name, a, b, mu, restitution, stiffness, damping), `q` and `v` at the
    start (x, y, theta of each body in turn), `gravity`, `dt`, `t_end` [s], `times` where steps end."""

    def __init__(self, about):
        self.bodies = about["bodies"]
        self.contacts = about["contacts"]
        self.q = np.array(about["q"], float)
        self.v = np.array(about["v"], float)
        self.gravity = np.array(about["gravity"], float)
        self.dt, self.t_end = about["dt"], about["t_end"]
        self.times = np.array(about["times"], float)


class Point:
    """A contact point: `contact` (place in the scene's list), `gap` [m], `mu`, `at`, `normal` from a to b, and the rows `jn`, `jt` of
    the Jacobian (3 n_bodies): jn @ v is the rate of the gap, jt @ v the slip."""

    def __init__(self, about, n):
        self.contact, self.gap, self.mu = about["contact"], about["gap"], about["mu"]
        self.at, self.normal = np.array(about["at"]), np.array(about["normal"])
        self.jn, self.jt = (self._row(about[name], n) for name in ("jn", "jt"))

    @staticmethod
    def _row(about, n):
        row = np.zeros(n)
        row[about["columns"]] = about["values"]
        return row


class Job:
    """What the method is asked to do: `verb`, `options`, `seed`, `limits`, `line` (all of it)."""

    def __init__(self, line, read, write):
        self.line = json.loads(line)
        if self.line.get("type") != "job":
            raise Error("the first line is no job")
        if self.line["protocol"] != PROTOCOL:
            raise Error(f"protocol {self.line['protocol']} is not that of this module, {PROTOCOL}")
        self.verb = self.line["verb"]
        self.options = self.line["options"]
        self.seed = self.line.get("seed")
        self.limits = self.line["limits"]
        self._read, self._write = read, write
        self._scene = self._problem = self._channels = None
        self._iterations = 0

    # ---- asking ----------------------------------------------------------------------------------------------------

    def ask(self, *want, **at):
        """The reply to a question as it comes, a dict: at x=..., or q=..., v=..., t=..., band=..."""
        question = {"type": "question", "want": list(want)}
        question.update((k, v.tolist() if isinstance(v, np.ndarray) else v) for k, v in at.items())
        self._send(question)
        reply = json.loads(self._read())
        if "error" in reply:
            raise Error(reply["error"])
        return reply

    @property
    def scene(self):
        if self._scene is None:
            self._scene = Scene(self.ask("scene")["scene"])
        return self._scene

    @property
    def problem(self):
        if self._problem is None:
            self._problem = Problem(self.ask("problem")["problem"], self.ask)
        return self._problem

    def mass(self):
        """Diagonal of the mass matrix; 0 where nothing moves."""
        return np.array(self.ask("mass")["mass"], float)

    def at(self, t, q, v, band=0.0):
        """Generalised forces (without contacts and joints), and contact points with a gap of at most `band`."""
        reply = self.ask("forces", "points", t=t, q=q, v=v, band=band)
        return np.array(reply["forces"], float), [Point(p, len(q)) for p in reply["points"]]

    def noise(self, n):
        """n standard normal numbers, the same for the same seed."""
        return np.random.default_rng(self.seed or 0).standard_normal(n)

    # ---- telling ---------------------------------------------------------------------------------------------------

    def frame(self, t, q, v, impulses=None):
        """A row of the motion; `impulses` (contacts x 2, [N s]): normal and tangential of each contact since the row before."""
        event = {"type": "frame"}
        if self._channels is None:
            bodies, contacts = self.scene.bodies, self.scene.contacts
            self._channels = ["t"] + [f"{b['name']}.{c}" for b in bodies for c in ("x", "y", "theta", "vx", "vy", "omega")]
            self._channels += [f"{c['name']}.impulse_{i}" for c in contacts for i in "nt"]
            event["channels"] = self._channels
        q, v = np.asarray(q, float).reshape(-1, 3), np.asarray(v, float).reshape(-1, 3)
        rows = np.zeros(2 * len(self.scene.contacts)) if impulses is None else np.asarray(impulses, float).ravel()
        event["values"] = [float(t)] + np.hstack([q, v]).ravel().tolist() + rows.tolist()
        self._send(event)

    def iteration(self, objective, violation=None, **columns):
        """A row of the convergence table."""
        self._send({"type": "iteration", "iteration": self._iterations, "objective": objective, "violation": violation, **columns})

    def iterate(self, x):
        """A point on the way: what counts where the run is ended early."""
        self._iterations += 1
        self._send({"type": "iterate", "iteration": self._iterations, "x": np.asarray(x, float).tolist()})

    def log(self, text, level="info"):
        self._send({"type": "log", "level": level, "text": str(text)})

    def result(self, outcome, x=None, message="", iterations=None):
        """The last word: solved (or completed), max_iterations, infeasible, stalled, diverged, unbounded, failed."""
        event = {"type": "result", "outcome": outcome, "message": message}
        if x is not None:
            event["x"] = np.asarray(x, float).tolist()
        event["iterations"] = self._iterations if iterations is None else int(iterations)
        self._send(event)

    def fail(self, message):
        """Says why nothing comes of it, and ends the program."""
        self.result("failed", message=message)
        raise SystemExit(0)

    def _send(self, event):
        # numbers that are none are null: JSON has no others
        self._write(json.dumps(_finite(event), allow_nan=False))


def _finite(value):
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, list):
        return [_finite(v) for v in value]
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, np.generic):
        return _finite(value.item())
    return value


def job():
    """Reads the job. Standard output is the pipe of events from now on; what is printed goes to standard error."""
    source, target = sys.stdin, os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def read():
        line = source.readline()
        if not line:
            raise Error("the program that asked is gone")
        return line

    def write(line):
        target.write(line + "\n")
        target.flush()

    return Job(read(), read, write)
