"""Reads Stickslip projects: sketches, runs, motions, metrics, studies. Nothing is ever written.

    import stickslip

    with stickslip.open("box.stickslip") as project:
        for run in project.runs(method="crisp"):
            print(run.id, run.outcome, run.metrics.get("objective"))
        motion = project.run("last").motion()
        motion.t, motion["box.x"], motion.units["box.x"]

Numbers are those of the file, bit by bit: motions are float64 arrays. A project may be open in the program meanwhile.
Formats 1 to 6 are read; a project of a newer program is refused. Python 3.9 or later, numpy; no other package.
"""

import csv
import json
import pathlib
import sqlite3
import urllib.parse
from dataclasses import dataclass, field

import numpy as np

__all__ = ["open", "Project", "Run", "Motion", "Channel", "Samples", "Sketch", "Study", "Comparison", "Iterations", "Error",
           "read_csv", "read_result", "NEWEST_FORMAT"]

APPLICATION_ID = 0x53534C50  # "SSLP"
NEWEST_FORMAT = 6


class Error(Exception):
    """Something is not as it should be: the message says which file or run, and what."""


# ---- what is read ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Channel:
    """What a column of a motion is. Texts are "" where the project does not know them."""
    name: str
    quantity: str = ""  # "vx"
    unit: str = ""  # "m/s"
    owner: str = ""  # scene, body, contact, joint, actuator
    of: str = ""  # name of that body, contact, ...
    state: bool = False  # belongs to what a simulation goes on from


class Motion:
    """A table of channels over time. `values` has a row a frame; motion["box.x"] is one channel of it."""

    def __init__(self, channels, values):
        self.channels = list(channels)
        self.values = values
        self.names = [channel.name for channel in self.channels]
        self._place = {name: i for i, name in enumerate(self.names)}

    @property
    def t(self):
        """Time [s]. Rows of one time are a jump: before it, after it."""
        return self["t"]

    @property
    def units(self):
        """Name of a channel -> unit."""
        return {channel.name: channel.unit for channel in self.channels}

    def __getitem__(self, name):
        if name not in self._place:
            near = [other for other in self.names if other.split(".")[0] == name.split(".")[0]] or self.names
            raise KeyError(f"no channel {name!r}; there are {', '.join(near[:12])}{' ...' if len(near) > 12 else ''}")
        return self.values[:, self._place[name]]

    def __contains__(self, name):
        return name in self._place

    def __len__(self):
        return len(self.values)

    def find(self, quantity=None, owner=None, of=None):
        """Names of the channels of that quantity ("vx"), owner ("body") and name of the owner ("box")."""
        return [c.name for c in self.channels if (quantity is None or c.quantity == quantity)
                and (owner is None or c.owner == owner) and (of is None or c.of == of)]

    def __repr__(self):
        return f"<Motion of {len(self)} frames, {len(self.names)} channels>"


@dataclass
class Samples:
    """A cloud of numbers, such as velocities after an impact: `values` has a row a sample."""
    columns: list
    values: np.ndarray

    def __getitem__(self, name):
        return self.values[:, self.columns.index(name)]


class Iterations:
    """The convergence table of a run: iterations["violation"] is a column, NaN where a row has none.

    The columns are iteration, t (seconds since the run's start) and all that the method reports."""

    def __init__(self, rows):
        self.names = list(dict.fromkeys(name for row in rows for name in row))
        self._columns = {name: np.array([_number(row.get(name)) for row in rows]) for name in self.names}
        self._length = len(rows)

    def __getitem__(self, name):
        return self._columns[name]

    def __contains__(self, name):
        return name in self._columns

    def __len__(self):
        return self._length


@dataclass
class Sketch:
    """A scenario that is being edited in the project."""
    id: str
    name: str
    text: str
    sha256: str
    created: str
    changed: str

    @property
    def scenario(self):
        """The text read as JSON."""
        return json.loads(self.text)


@dataclass
class Comparison:
    """Runs that were put side by side; labels are "" where a run is called by its method."""
    id: str
    title: str
    created: str
    run_ids: list
    labels: list


@dataclass
class Study:
    """Many runs of one definition. `tasks`: run's id -> what varies and its value in that run."""
    id: str
    title: str
    created: str
    definition: dict
    n_tasks: int
    tasks: dict = field(default_factory=dict)

    @property
    def run_ids(self):
        return list(self.tasks)


@dataclass
class Run:
    """A stored run. What is large (motions, result, log) is read when it is asked for."""
    id: str
    number: int  # in the order of recording
    scenario: str
    scenario_sha256: str
    kind: str  # integrator, optimiser, impact-law
    method: str
    label: str
    outcome: str
    message: str
    started: str  # ISO 8601 in UTC
    ended: str  # "" while it runs
    seed: int
    options: dict  # as they were asked for; result()["method"]["options"] has every value used
    parameters: dict  # overrides of the scenario's
    note: str
    tags: list
    replay_of: str  # plan's run; "" for others
    solution_of: str  # run with the answer, of a local solution; "" for others
    metrics: dict  # name -> float; NaN where it is not known
    _project: "Project" = field(repr=False, default=None)

    def motion(self, role="answer", branch=0, iteration=-1):
        """The run's motion; with role="iterate" and an iteration, a kept iterate; with a branch, one of a fan."""
        return self._project._motion(self, role, branch, iteration)

    def motions(self):
        """All that are stored, as (role, branch, iteration, rows, channels)."""
        return self._project._motions(self)

    def iterations(self):
        """The convergence table."""
        return self._project._iterations(self)

    def events(self, branch=0):
        """What happened in the motion, a dictionary each: t [s], kind, contact, impulse [N s], ... Of another branch of a
        fan, or of all of them with None."""
        return self._project._events(self, branch)

    def log(self):
        """Messages as (t, level, text): t in seconds since the run's start, level 0 debug to 3 error."""
        return [tuple(row) for row in self._project._rows("SELECT t, level, text FROM log WHERE run_id = ? ORDER BY id", self.id)]

    def samples(self, name="velocities"):
        """A cloud of samples, or None."""
        return self._project._samples(self, name)

    def result(self):
        """The result as on the command line; {} before there is one."""
        text = self._project._one("SELECT result FROM run WHERE id = ?", self.id)
        return json.loads(text) if text else {}

    def scenario_text(self):
        """The text that the run was made from."""
        return self._project._one("SELECT text FROM scenario_text WHERE sha256 = ?", self.scenario_sha256)

    def provenance(self):
        """Version, commit, compiler, libraries and machine."""
        rows = self._project._rows("SELECT p.* FROM provenance p JOIN run r ON r.provenance_id = p.id WHERE r.id = ?", self.id)
        about = dict(rows[0]) if rows else {}
        about["libraries"] = json.loads(about.get("libraries") or "{}")
        about.pop("id", None)
        return about


# ---- the project -------------------------------------------------------------------------------------------------------


class Project:
    """A project that is open for reading; close it, or use it in a `with`."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self._db = _connect(self.path)
        try:
            self.format = _check(self._db, self.path)
        except BaseException:
            self._db.close()
            raise

    def close(self):
        self._db.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<Stickslip project {self.path}, format {self.format}>"

    # -- lists

    def sketches(self):
        """Scenarios that are edited in the project; none before format 5."""
        if self.format < 5:
            return []
        return [Sketch(*row) for row in self._rows(
            "SELECT id, name, text, sha256, created, changed FROM sketch WHERE deleted IS NULL ORDER BY number")]

    def runs(self, scenario=None, method=None, kind=None, outcome=None, tag=None):
        """Runs in the order of recording, those that were removed left out. What is given must be the same."""
        wanted = {"scenario": scenario, "method": method, "kind": kind, "outcome": outcome}
        runs = [self._run(row) for row in self._rows(self._select_runs("deleted IS NULL") + " ORDER BY number")]
        runs = [run for run in runs if all(value is None or getattr(run, name) == value for name, value in wanted.items())]
        if tag is not None:
            runs = [run for run in runs if tag in run.tags]
        self._read_metrics(runs)
        return runs

    def run(self, name="last"):
        """One run: an id, a beginning of one (4 characters or more) or "last", the one recorded last."""
        if name == "last":
            condition = "deleted IS NULL" + ("" if self.format < 4 else " AND solution_of = ''")
            rows = self._rows(self._select_runs(condition) + " ORDER BY number DESC LIMIT 1")
            if not rows:
                raise Error(f"{self.path}: there is no run yet")
        else:
            if len(name) < 4:
                raise Error(f"{self.path}: a beginning of a run's id has 4 characters or more, not {name!r}")
            rows = self._rows(self._select_runs("deleted IS NULL AND substr (id, 1, ?) = ?"), len(name), name)
            if not rows:
                raise Error(f"{self.path}: there is no run {name!r}")
            if len(rows) > 1:
                raise Error(f"{self.path}: {name!r} begins the names of {len(rows)} runs")
        run = self._run(rows[0])
        self._read_metrics([run])
        return run

    def metric(self, name, runs):
        """One metric of several runs as an array; NaN where a run has none."""
        return np.array([run.metrics.get(name, np.nan) for run in runs])

    def comparisons(self):
        """Newest last; none before format 3."""
        if self.format < 3:
            return []
        found = []
        for number, *about in self._rows("SELECT number, id, title, created FROM comparison WHERE deleted IS NULL ORDER BY number"):
            rows = self._rows("SELECT run_id, label FROM comparison_run WHERE comparison = ? ORDER BY position", number)
            found.append(Comparison(*about, [row[0] for row in rows], [row[1] for row in rows]))
        return found

    def studies(self):
        """Newest last; none before format 6."""
        if self.format < 6:
            return []
        found = []
        for number, id_, title, created, definition, n_tasks in self._rows(
                "SELECT number, id, title, created, definition, n_tasks FROM study WHERE deleted IS NULL ORDER BY number"):
            rows = self._rows("SELECT s.run_id, s.task FROM study_run s JOIN run r ON r.id = s.run_id "
                              "WHERE s.study = ? AND r.deleted IS NULL ORDER BY r.number", number)
            found.append(Study(id_, title, created, json.loads(definition), n_tasks,
                               {run: json.loads(task) for run, task in rows}))
        return found

    # -- SQL

    def _rows(self, sql, *values):
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise Error(f"{self.path}: {error}") from error

    def _one(self, sql, *values):
        rows = self._rows(sql, *values)
        return rows[0][0] if rows else None

    def _select_runs(self, condition):
        number = "rowid AS number" if self.format < 3 else "number"
        replay_of = "''" if self.format < 2 else "replay_of"
        solution_of = "''" if self.format < 4 else "solution_of"
        tags = "''" if self.format < 6 else "tags"
        return (f"SELECT id, {number}, scenario_name, scenario_sha256, kind, method, label, outcome, message, started, ended, seed, "
                f"options, parameters, note, {tags} AS tags, {replay_of} AS replay_of, {solution_of} AS solution_of "
                f"FROM run WHERE {condition}")

    def _run(self, row):
        values = dict(row)
        older = {"simulate": "integrator", "optimise": "optimiser"}
        return Run(id=values["id"], number=values["number"], scenario=values["scenario_name"],
                   scenario_sha256=values["scenario_sha256"], kind=older.get(values["kind"], values["kind"]),
                   method=values["method"], label=values["label"], outcome=values["outcome"], message=values["message"],
                   started=values["started"], ended=values["ended"] or "", seed=values["seed"],
                   options=json.loads(values["options"]), parameters=json.loads(values["parameters"]), note=values["note"],
                   tags=[tag.strip() for tag in values["tags"].split(",") if tag.strip()], replay_of=values["replay_of"],
                   solution_of=values["solution_of"], metrics={}, _project=self)

    def _read_metrics(self, runs):
        """All of them in one query where they are many."""
        if self.format < 3:
            for run in runs:
                metrics = {name: value for name, value in run.result().get("metrics", {}).items() if name != "certificate"}
                iterations = self._one("SELECT iterations FROM run WHERE id = ?", run.id)
                run.metrics = _flat(metrics or ({} if iterations is None else {"iterations": iterations}))
            return
        by_number = {run.number: run for run in runs}
        if len(runs) == 1:
            rows = self._rows("SELECT run, name, value FROM metric WHERE run = ?", runs[0].number)
        else:
            rows = self._rows("SELECT run, name, value FROM metric") if runs else []
        for number, name, value in rows:
            if number in by_number:
                by_number[number].metrics[name] = _number(value)

    # -- parts of runs

    def _motions(self, run):
        if self.format < 3:
            rows = self._rows("SELECT role, 0, iteration, n_rows, n_channels FROM trajectory WHERE run_id = ? "
                              "ORDER BY role, iteration", run.id)
        else:
            rows = self._rows("SELECT role, branch, iteration, n_rows, n_channels FROM motion WHERE run_id = ? "
                              "ORDER BY role, branch, iteration", run.id)
        return [tuple(row) for row in rows]

    def _motion(self, run, role, branch, iteration):
        if self.format < 3:
            rows = self._rows("SELECT n_rows, n_channels, channels, NULL, data FROM trajectory "
                              "WHERE run_id = ? AND role = ? AND iteration = ?", run.id, role, iteration)
        else:
            rows = self._rows("SELECT n_rows, n_channels, channels, channel_records, data FROM motion "
                              "WHERE run_id = ? AND role = ? AND branch = ? AND iteration = ?", run.id, role, branch, iteration)
        if not rows:
            there = ", ".join(f"{r} {b} {i}".replace(" -1", "") for r, b, i, *_ in self._motions(run)) or "none"
            raise Error(f"{self.path}: run {run.id[:8]} has no motion {role!r} of branch {branch} and iteration {iteration}; "
                        f"there are: {there}")
        n_rows, n_channels, names, records, data = rows[0]
        if len(data) != 8 * n_rows * n_channels:
            raise Error(f"{self.path}: a motion of run {run.id[:8]} is damaged: shape and data disagree")
        channels = [_channel(record) for record in json.loads(records or names)]
        values = np.frombuffer(data, dtype="<f8").reshape(n_rows, n_channels)
        return Motion(channels, values)

    def _iterations(self, run):
        rows = []
        for iteration, t, columns in self._rows("SELECT iteration, t, columns FROM iteration WHERE run_id = ? ORDER BY iteration", run.id):
            rows.append({"iteration": iteration, "t": t, **{name: value for name, value in json.loads(columns).items()
                                                             if name not in ("iteration", "t", "type", "id")
                                                             and (value is None or isinstance(value, (int, float)))}})
        return Iterations(rows)

    def _events(self, run, branch):
        if self.format < 3:
            return run.result().get("events", [])
        found = []
        for row in self._rows("SELECT branch, number, t, tau, kind, contact, point, joint, joint_limit, impulse, exact, details "
                              "FROM event WHERE run = ? AND (branch = ? OR ? IS NULL) ORDER BY branch, number", run.number, branch, branch):
            event = dict(row)
            details = json.loads(event.pop("details") or "{}")
            event["exact"] = bool(event["exact"])
            found.append({**{name: value for name, value in event.items() if value is not None}, **details})
        return found

    def _samples(self, run, name):
        if self.format < 3:
            return None
        rows = self._rows("SELECT columns, n, type, data FROM sample WHERE run_id = ? AND name = ?", run.id, name)
        if not rows:
            return None
        columns, n, kind, data = rows[0]
        columns = json.loads(columns)
        values = np.frombuffer(data, dtype={"float32": "<f4", "float64": "<f8"}[kind])
        if len(values) != n * len(columns):
            raise Error(f"{self.path}: the samples of run {run.id[:8]} are damaged: shape and data disagree")
        return Samples(columns, values.reshape(n, len(columns)))


def open(path):
    """The project in that file, for reading."""
    return Project(path)


# ---- files of the command line -----------------------------------------------------------------------------------------


def read_csv(path):
    """A motion that `stickslip-cli export --plot trajectory` or `--trajectory` wrote. A CSV has no units."""
    with pathlib.Path(path).open(newline="") as file:
        rows = list(csv.reader(file))
    if not rows or "t" not in rows[0]:
        raise Error(f"{path}: this is no table of a motion: its first line names no column t")
    try:
        values = np.array([[float(cell) if cell != "" else np.nan for cell in row] for row in rows[1:]])
    except ValueError as error:
        raise Error(f"{path}: {error}") from error
    return Motion([Channel(name) for name in rows[0]], values.reshape(len(rows) - 1, len(rows[0])))


def read_result(path):
    """A result that `--json` printed, with its metrics also flat: result["flat"]["tracking_error.total"]."""
    try:
        result = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise Error(f"{path}: this is no JSON: {error}") from error
    inner = result.get("result", result) if isinstance(result, dict) else None
    if not isinstance(inner, dict) or "metrics" not in inner:
        raise Error(f"{path}: this is no result of a run: it has no metrics")
    return {**inner, "flat": _flat(inner["metrics"])}


# ---- help --------------------------------------------------------------------------------------------------------------


def _number(value):
    return float(value) if isinstance(value, (int, float)) else float("nan")


def _flat(metrics, before=""):
    """Objects as names with dots; flags as 0 and 1; what is no number left out."""
    flat = {}
    for name, value in metrics.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{before}{name}."))
        elif value is None or isinstance(value, (int, float)):
            flat[before + name] = _number(value)
    return flat


def _channel(record):
    return Channel(record) if isinstance(record, str) else Channel(**{
        name: record[name] for name in ("name", "quantity", "unit", "owner", "of", "state") if name in record})


def _connect(path):
    """Read only. Where the folder cannot be written and nobody has the project open, SQLite is told that nobody will."""
    if not path.is_file():
        raise Error(f"{path}: there is no such file")
    uri = "file:" + urllib.parse.quote(str(path.resolve()))
    for mode in ("?mode=ro", "?mode=ro&immutable=1"):
        database = None
        try:
            database = sqlite3.connect(uri + mode, uri=True)
            database.row_factory = sqlite3.Row
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return database
        except sqlite3.DatabaseError as error:
            if database is not None:
                database.close()
            if not isinstance(error, sqlite3.OperationalError) or pathlib.Path(f"{path}-wal").exists():
                raise Error(f"{path}: this is no Stickslip project: {error}") from error
            reason = error
    raise Error(f"{path}: {reason}")


def _check(database, path):
    """The format; an error where it is none of this module."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise Error(f"{path}: this is no Stickslip project, but another program's database")
    if version > NEWEST_FORMAT:
        raise Error(f"{path}: the project has format {version}, which a newer version of Stickslip wrote; "
                    f"this module reads up to {NEWEST_FORMAT}")
    if version < 1:
        raise Error(f"{path}: the project has no format number")
    return version
