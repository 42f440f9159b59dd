"""Reads Stickslip projects: sketches, runs, motions, metrics, studies. Nothing is ever written.

    import stickslip

    with stickslip.open("box.stickslip") as project:
        for run in project.runs(method="crisp"):
            print(run.id, run.outcome, run.metrics.get("objective"))
        motion = project.run("last").motion()
        motion.t, motion["box.x"], motion.units["box.x"]

Numbers are those of the file, bit by bit: motions are float64 arrays. A project may be open in the program meanwhile.
Formats 1 to 11 are read; a project of a newer program is refused, and one whose tables are not ours. From format 7 on what is
stored has checksums (data/schema-7.sql says of what): a run that does not match them has the outcome "damaged" and no metrics, its
`damage` says what; parts that do not match raise Error. `project.check()` looks through all of it. Python 3.9 or later, numpy; no other package.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import hashlib
import json
import pathlib
import re
import sqlite3
import struct
import urllib.parse
import zlib
from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Optional, Tuple, Union


class _Later:
    """numpy, read where the first array is made: it takes ten times as long as this module, and many questions need none."""

    def __getattr__(self, name):
        global np
        import numpy
        np = numpy
        return getattr(numpy, name)


np = _Later()

__all__ = ["open", "Project", "Run", "Motion", "Channel", "Samples", "Sketch", "Study", "Comparison", "Iterations", "Error",
           "read_csv", "read_result", "NEWEST_FORMAT"]

APPLICATION_ID = 0x53534C50  # "SSLP"
NEWEST_FORMAT = 11
FIRST_WITH_CHECKSUMS = 7
FIRST_WITH_RESULT_TABLE = 11  # of pictures too
DAMAGED = "damaged"  # outcome of a run that is not as it was stored

# What each format's tables are: SHA-256 of the words of their definitions. Made from data/schema-*.sql; a test compares.
SCHEMAS = {
    1: "c883de33e526d0657c47f2da97f189d16becd365b199b52f88ef9900c8235ec2",
    2: "03169236a76c1003af36a9f52f12af04bcbd6c0470d4377bde47af52797408db",
    3: "f98fa9d6f3625f530c8464e60395ecbd89d1a53e446b36d4931cfcfe41fab0ef",
    4: "9b59e03e259d7b7908842bdd026c42b4c882af39ea18cbb9d803faeaf0d2cdda",
    5: "231026cd212bb47e93eab2fee87552ac5553a56eda620bb45b9221b05acbceeb",
    6: "bae98c96f13f1d2af849433cb85d17a8638cfa552437194a948b3f5905c2e87e",
    7: "97bb96c82e9f4a4dd4470e306dce44110107e0de68aa3e42ecadd9293aa435da",
    8: "97bb96c82e9f4a4dd4470e306dce44110107e0de68aa3e42ecadd9293aa435da",
    9: "97bb96c82e9f4a4dd4470e306dce44110107e0de68aa3e42ecadd9293aa435da",
    10: "451625d581cef5c6d4ef0d0d58cf90e6dd40200b6fb19a61b89be600f530468d",
    11: "ac8ff7e4b3e3dfb1fdb5b8d61407ed9d1983e6d164ab932eeca0722f3839f5a5",
}

# Parts of a run and of other rows that have a checksum: columns and their order as in app/store/ssapp-store-sum.c.
# {of: {part: (columns, tables, column with the number, order)}}; {results}: Project._results
_PARTS = {
    "run": {
        "row": ("scenario_name, scenario_sha256, kind, method, label, seed, owner_host, owner_pid, owner_start, started, ended, outcome, "
                "replay_of, solution_of, start, sketch, message, parameters, options", "run NOT INDEXED", "number", "number"),
        "marks": ("note, tags, deleted", "run NOT INDEXED", "number", "number"),
        "metrics": ("name, value", "metric", "run", "name"),
        "result": ("o.result", "run r LEFT JOIN {results} o ON o.run = r.number", "r.number", "r.number"),
        "provenance": ("p.version, p.git_commit, p.compiler, p.build_flags, p.host, p.cpu, p.cpu_count, p.os, p.libraries",
                       "run r JOIN provenance p ON p.id = r.provenance_id", "r.number", "r.number"),
        "events": ("branch, number, t, tau, kind, contact, point, joint, joint_limit, impulse, exact, details", "event", "run", "branch, number"),
        "iterations": ("i.iteration, i.t, i.objective, i.violation, i.complementarity, i.step, i.parameter, i.parameter_name, i.columns",
                       "run r JOIN iteration i ON i.run_id = r.id", "r.number", "i.iteration"),
        "log": ("l.t, l.level, l.text", "run r JOIN log l ON l.run_id = r.id", "r.number", "l.id"),
        "motions": ("m.role, m.branch, m.iteration, m.share, m.n_rows, m.n_channels, m.channels, m.channel_records",
                    "run r JOIN motion m ON m.run_id = r.id", "r.number", "m.role, m.branch, m.iteration"),
        "samples": ("s.name, s.columns, s.n, s.type", "run r JOIN sample s ON s.run_id = r.id", "r.number", "s.name"),
        "tasks": ("s.id, t.key, t.task", "run r JOIN study_run t ON t.run_id = r.id JOIN study s ON s.number = t.study", "r.number", "s.id, t.key"),
    },
    "sketch": {"row": ("name, text, sha256, created, changed, deleted, view", "sketch NOT INDEXED", "number", "number")},
    "study": {"row": ("title, definition, n_tasks, created, changed, deleted", "study NOT INDEXED", "number", "number")},
    "comparison": {"row": ("title, created, deleted", "comparison NOT INDEXED", "number", "number"),
                   "runs": ("position, run_id, label", "comparison_run", "comparison", "position")},
}
# Condition on a row r: the run runs. Such a row has no end, no result and no checksums but those of its motions and samples.
_RUNS = ("CASE WHEN r.outcome = 'running' AND r.ended IS NULL THEN NOT EXISTS (SELECT 1 FROM {results} o WHERE o.run = r.number AND o.result IS NOT NULL) "
         "AND NOT EXISTS (SELECT 1 FROM checksum k WHERE k.of = 'run' AND k.number = r.number AND k.part NOT LIKE 'motion %' "
         "AND k.part NOT LIKE 'sample %') ELSE 0 END")
# Pictures by what sketches' views name: id of the sketch, name, PNG; an id or a name of NULL: one without the other. While a view
# cannot be read, nobody knows whose the others are.
_NAMED = "CASE WHEN json_valid (k.view) THEN json_extract (k.view, '$.picture.sha256') END"
_PICTURES = f"""
SELECT k.id, p.sha256, p.png FROM sketch k LEFT JOIN picture p ON p.sha256 = {_NAMED} WHERE {_NAMED} IS NOT NULL UNION ALL
SELECT NULL, p.sha256, p.png FROM picture p WHERE p.sha256 NOT IN (SELECT {_NAMED} FROM sketch k WHERE {_NAMED} IS NOT NULL)
AND NOT EXISTS (SELECT 1 FROM sketch WHERE NOT json_valid (view))"""
# Rows that belong to nothing: of a run, comparison or study that is not there.
_OWNERLESS = """
SELECT DISTINCT "table" || ' of a ' || "parent" FROM pragma_foreign_key_check UNION ALL
SELECT 'checksum of a ' || c.of || ': ' || c.part FROM checksum c WHERE c.of NOT IN ('run', 'sketch', 'study', 'comparison') OR
(c.of = 'run' AND c.number NOT IN (SELECT number FROM run NOT INDEXED)) OR (c.of = 'run' AND
(c.part LIKE 'motion %' AND c.part NOT IN (SELECT 'motion ' || m.role || ' ' || m.branch || ' ' || m.iteration
FROM run r JOIN motion m ON m.run_id = r.id WHERE r.number = c.number) OR c.part LIKE 'sample %' AND c.part NOT IN
(SELECT 'sample ' || s.name FROM run r JOIN sample s ON s.run_id = r.id WHERE r.number = c.number)))"""
_OUTCOME = "outcomes."  # begins the rows of what was asked of a run, in the table of metrics
_LISTED = ("row", "marks", "metrics")  # what a list of runs shows


class Error(Exception):
    """Something is not as it should be: the message says which file or run, and what."""


# ---- what is read ------------------------------------------------------------------------------------------------------


_BLOCK_NUMBERS = 131072  # of a packed motion; data/schema-8.sql


def _unpack_motion(data, n_rows, n_channels):
    """Numbers of a stored motion, packed or not; None where shape and data disagree."""
    if len(data) == 8 * n_rows * n_channels:
        return np.frombuffer(data, dtype="<f8").reshape(n_rows, n_channels)
    try:
        planes = np.frombuffer(zlib.decompress(data), dtype=np.uint8)
    except zlib.error:
        return None
    if n_channels < 1 or len(planes) != 8 * n_rows * n_channels:
        return None
    values = np.empty((n_rows, n_channels))
    step = max(1, _BLOCK_NUMBERS // n_channels)
    for first in range(0, n_rows, step):
        n = min(step, n_rows - first)
        block = planes[8 * first * n_channels:8 * (first + n) * n_channels].reshape(n_channels, 8, n)
        words = np.ascontiguousarray(block.transpose(0, 2, 1)).view("<u8").reshape(n_channels, n)
        values[first:first + n] = np.bitwise_xor.accumulate(words, axis=1).view("<f8").T
    values.flags.writeable = False  # as those of a motion that is not packed
    return values


def _unpack_text(value):
    """A stored text that may be packed (data/schema-9.sql); "" for NULL."""
    if not isinstance(value, bytes):
        return value or ""
    try:
        return zlib.decompress(value).decode("utf-8")
    except zlib.error:
        raise ValueError("a packed text is damaged") from None


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
    def t(self) -> np.ndarray:
        """Time [s]. Rows of one time are a jump: before it, after it."""
        return self["t"]

    @property
    def units(self) -> Dict[str, str]:
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

    def find(self, quantity: Optional[str] = None, owner: Optional[str] = None, of: Optional[str] = None) -> List[str]:
        """Names of the channels of that quantity ("vx"), owner ("body") and name of the owner ("box")."""
        return [c.name for c in self.channels if (quantity is None or c.quantity == quantity)
                and (owner is None or c.owner == owner) and (of is None or c.of == of)]

    def __repr__(self):
        return f"<Motion of {len(self)} frames, {len(self.names)} channels>"


@dataclass
class Samples:
    """A cloud of numbers, such as velocities after an impact: `values` has a row a sample."""
    columns: list
    values: "np.ndarray"

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
    def scenario(self) -> dict:
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
    damage: str = ""  # runs of these whose note, tags or removal are not as they were stored
    _project: "Project" = field(repr=False, default=None)

    @property
    def run_ids(self) -> List[str]:
        return list(self.tasks)

    def runs(self) -> List[Run]:
        """Its runs in the order of recording; their parameters have all that the study varies, starts and options too."""
        found = [run for run in self._project.runs() if run.id in self.tasks]
        for run in found:
            run.parameters = {**run.parameters, **self.tasks[run.id]}
        return found


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
    damage: str = ""  # what is not as it was stored; then the outcome is "damaged" and there are no metrics
    _project: "Project" = field(repr=False, default=None)
    outcomes: dict = field(default_factory=dict)  # name -> unit of what was asked of the run; the answers are among the metrics

    def motion(self, role: str = "answer", branch: int = 0, iteration: int = -1) -> Motion:
        """The run's motion; with role="iterate" and an iteration, a kept iterate; with role="slopes" its derivatives; with a branch, one of a fan."""
        return self._project._motion(self, role, branch, iteration)

    def motions(self) -> List[tuple]:
        """All that are stored, as (role, branch, iteration, rows, channels)."""
        return self._project._motions(self)

    def iterations(self) -> Iterations:
        """The convergence table."""
        return self._project._iterations(self)

    def events(self, branch: Optional[int] = 0) -> List[dict]:
        """What happened in the motion, a dictionary each: t [s], kind, contact, impulse [N s], ... Of another branch of a
        fan, or of all of them with None."""
        return self._project._events(self, branch)

    def log(self) -> List[Tuple[float, int, str]]:
        """Messages as (t, level, text): t in seconds since the run's start, level 0 debug to 3 error."""
        with self._project._snapshot():
            self._project._require(self, "log")
            return [tuple(row) for row in self._project._rows("SELECT t, level, text FROM log WHERE run_id = ? ORDER BY id", self.id)]

    def samples(self, name: str = "velocities") -> Optional[Samples]:
        """A cloud of samples, or None."""
        return self._project._samples(self, name)

    def result(self) -> dict:
        """The result as on the command line; {} before there is one."""
        with self._project._snapshot():
            self._project._require(self, "result")
            text = _unpack_text(self._project._one(f"SELECT result FROM {self._project._results} WHERE run = ?", self.number))
            return json.loads(text) if text else {}

    def scenario_text(self) -> str:
        """The text that the run was made from."""
        return self._project._scenario_text(self)

    def provenance(self) -> dict:
        """Version, commit, compiler, libraries and machine."""
        with self._project._snapshot():
            self._project._require(self, "provenance")
            rows = self._project._rows("SELECT p.* FROM provenance p JOIN run r NOT INDEXED ON r.provenance_id = p.id WHERE "
                                       f"r.{self._project._number} = ?", self.number)
            about = dict(rows[0]) if rows else {}
            about["libraries"] = json.loads(about.get("libraries") or "{}")
        about.pop("id", None)
        return about


# ---- the project -------------------------------------------------------------------------------------------------------


def _of_one_state(method):
    """All that the method reads is of one state of the file, and of its format."""

    @functools.wraps(method)
    def whole(self, *args, **named):
        with self._snapshot():
            return method(self, *args, **named)

    return whole


class Project:
    """A project that is open for reading; close it, or use it in a `with`."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self._folder = None  # of a project that is gone with its last run: that of stickslip.program
        self._db = _connect(self.path)
        self.format = None  # of the state that is read: the program may bring the project to another one meanwhile
        try:
            with self._snapshot():
                pass
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        self._db.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<Stickslip project {self.path}, format {self.format}>"

    # -- lists

    @_of_one_state
    def sketches(self) -> List[Sketch]:
        """Scenarios that are edited in the project; none before format 5."""
        if self.format < 5:
            return []
        self._require_all("sketch")
        return [Sketch(*row) for row in self._rows(
            "SELECT id, name, text, sha256, created, changed FROM sketch NOT INDEXED WHERE deleted IS NULL ORDER BY number")]

    def runs(self, scenario: Optional[str] = None, method: Optional[str] = None, kind: Optional[str] = None, outcome: Optional[str] = None,
             tag: Optional[str] = None) -> List[Run]:
        """Runs in the order of recording, those that were removed left out. What is given must be the same; a run of which
        that is not known, since it is damaged, is there too."""
        wanted = [("scenario", scenario, "scenario_name"), ("method", method, "method"), ("kind", kind, "kind"),
                  ("outcome", outcome, "outcome")]
        with self._snapshot():
            damage = self._damage_of_list()
            rows = self._rows(self._select_runs("1") + " ORDER BY number")
            unknown = self._damage_of_list(("row", "marks"))
            kept = [row for row in rows if row["deleted"] is None or row["number"] in damage]
            runs = [self._run(row, damage.get(row["number"], "")) for row in kept]
            lost = sorted(set(damage) - {row["number"] for row in rows})
            if lost:
                raise Error(f"{self.path}: the project is damaged: run number {lost[0]} is missing, parts of it are there")
            self._read_metrics(runs)
        found = []
        for run, row in zip(runs, kept):
            is_same = all(value is None or value in (getattr(run, name), row[of]) for name, value, of in wanted)
            if run.number in unknown or (is_same and (tag is None or tag in run.tags)):
                found.append(run)
        return found

    def run(self, name: str = "last") -> Run:
        """One run: an id, a beginning of one (4 characters or more) or "last", the one recorded last."""
        with self._snapshot():
            return self._find_run(name)

    def _find_run(self, name):
        if name == "last":
            condition = "deleted IS NULL" + ("" if self.format < 4 else " AND solution_of = ''")
            rows = self._rows(self._select_runs(condition) + " ORDER BY number DESC LIMIT 1")
            last = rows[0]["number"] if rows else 0
            newer = [number for number in self._damage_of_list(("row", "marks")) if number > last]
            if self.format >= FIRST_WITH_CHECKSUMS:  # a run that is gone, perhaps with its checksums, while a part of it is there
                newer += [number for (number,) in self._rows(
                    "SELECT number FROM (SELECT number FROM checksum WHERE of = 'run' UNION SELECT run FROM metric) "
                    "WHERE number NOT IN (SELECT number FROM run NOT INDEXED)") if number > last]
            if newer:
                raise Error(f"{self.path}: the project is damaged: whether run number {newer[0]} is the last one is not known")
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
        run = self._run(rows[0], self._damage_of(rows[0]["number"], rows[0]["id"]))
        self._read_metrics([run])
        return run

    def check(self) -> List[Tuple[str, str, str]]:
        """All that is stored against its checksums: [(of, id, what is wrong)]; empty where all is as it was stored."""
        found = []
        with self._snapshot():
            if self.format < FIRST_WITH_CHECKSUMS:
                raise Error(f"{self.path}: a project of format {self.format} has no checksums")
            for of in _PARTS:
                for number, id_ in self._rows(f"SELECT number, id FROM {of} NOT INDEXED ORDER BY number"):
                    wrong = [part for part in _PARTS[of] if self._is_wrong(of, number, id_, part)]
                    if of == "run":
                        wrong += self._wrong_items(number, id_) + ([] if self._is_text_sound(number) else ["scenario"])
                    if wrong:
                        found.append((of, id_, self._words(wrong)))
            known = {row[0] for row in self._rows("SELECT number FROM run NOT INDEXED")}
            lost = {"run": sorted(set(self._damage_of_list()) - known), **{of: self._gone(of) for of in _PARTS if of != "run"}}
            found += [("project", "", f"{of} number {number} is missing: not as stored") for of in lost for number in lost[of]]
            found += [("project", "", f"the file is damaged: {row[0]}") for row in self._rows("PRAGMA integrity_check(1)") if row[0] != "ok"]
            found += [("project", "", f"a row belongs to nothing: {row[0]} that is not there") for row in self._rows(_OWNERLESS)]
            found += [("project", "", self._words(["a scenario's text that no run has"])) for key, text in self._rows(
                "SELECT sha256, text FROM scenario_text WHERE sha256 NOT IN (SELECT scenario_sha256 FROM run)")
                if not isinstance(text, str) or hashlib.sha256(_bytes_of(text)).hexdigest() != key]
            if self.format >= FIRST_WITH_RESULT_TABLE:
                for id_, key, png in self._rows(_PICTURES):
                    if id_ is None:
                        found.append(("project", "", "a row belongs to nothing: a picture of a sketch that is not there"))
                    elif key is None or hashlib.sha256(png if isinstance(png, bytes) else _bytes_of(str(png))).hexdigest() != key:
                        found.append(("sketch", id_, self._words(["the picture under it"])))
        return found

    def metric(self, name: str, runs: Iterable[Run]) -> np.ndarray:
        """One metric of several runs as an array; NaN where a run has none."""
        return np.array([run.metrics.get(name, np.nan) for run in runs])

    @_of_one_state
    def comparisons(self) -> List[Comparison]:
        """Newest last; none before format 3."""
        if self.format < 3:
            return []
        self._require_all("comparison")
        found = []
        for number, *about in self._rows("SELECT number, id, title, created FROM comparison WHERE deleted IS NULL ORDER BY number"):
            rows = self._rows("SELECT run_id, label FROM comparison_run WHERE comparison = ? ORDER BY position", number)
            found.append(Comparison(*about, [row[0] for row in rows], [row[1] for row in rows]))
        return found

    @_of_one_state
    def studies(self) -> List[Study]:
        """Newest last; none before format 6."""
        if self.format < 6:
            return []
        self._require_all("study")
        self._require_tasks()
        damaged = self._damage_of_list(("marks",))  # not removed by the program
        found = []
        for number, id_, title, created, definition, n_tasks in self._rows(
                "SELECT number, id, title, created, definition, n_tasks FROM study WHERE deleted IS NULL ORDER BY number"):
            rows = [row for row in self._rows(
                "SELECT s.run_id, s.task, r.number, r.deleted FROM study_run s JOIN run r ON r.id = s.run_id WHERE s.study = ? "
                "ORDER BY r.number", number) if row[3] is None or row[2] in damaged]
            wrong = [f"run {row[0][:8]}" for row in rows if row[2] in damaged]
            damage = self._words(wrong) if wrong else ""
            with self._reading():
                found.append(Study(id_, title, created, json.loads(definition), n_tasks,
                                   {row[0]: json.loads(row[1]) for row in rows}, damage, self))
        return found

    # -- checksums

    @contextlib.contextmanager
    def _reading(self):
        """What is not what this module expects is damage."""
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, struct.error) as error:
            raise Error(f"{self.path}: the project is damaged: {error}") from error

    @contextlib.contextmanager
    def _snapshot(self):
        """One state of the file, also while the program writes it."""
        with self._reading():
            if self._db.in_transaction:
                yield
                return
            self._db.execute("BEGIN")
            try:
                if self._db.execute("PRAGMA user_version").fetchone()[0] != self.format:
                    self.format = _check(self._db, self.path)
                yield
            finally:
                self._db.execute("COMMIT")

    @staticmethod
    def _words(wrong):
        return f"{', '.join(wrong)}: not as stored (the checksum differs or is missing)"

    def _stored(self, of, number, part):
        return self._one("SELECT sha256 FROM checksum WHERE of = ? AND number = ? AND part = ?", of, number, part)

    def _runs_still(self, of, number):
        return of == "run" and bool(self._rows(f"SELECT 1 FROM run r NOT INDEXED WHERE number = ? AND {self._in_format(_RUNS)}", number))

    def _is_wrong(self, of, number, id_, part):
        columns, tables, key, order = map(self._in_format, _PARTS[of][part])
        stored = self._stored(of, number, part)
        if stored is None and self._runs_still(of, number):
            return False
        return stored != _sum(of, part, id_, self._rows(f"SELECT {columns} FROM {tables} WHERE {key} = ? ORDER BY {order}", number))

    def _damage_of(self, number, id_):
        """Of one run, all but the numbers of motions and samples."""
        wrong = [] if self._is_text_sound(number) else ["scenario"]
        if self.format >= FIRST_WITH_CHECKSUMS:
            wrong += [part for part in _PARTS["run"] if self._is_wrong("run", number, id_, part)]
        return self._words(wrong) if wrong else ""

    def _damage_of_list(self, parts=_LISTED):
        """{number: what is wrong} of all runs in what a list shows."""
        wrong = {}
        if self.format < FIRST_WITH_CHECKSUMS:
            return {}
        known = {number: (id_, runs) for number, id_, runs in self._rows(f"SELECT number, id, {self._in_format(_RUNS)} FROM run r NOT INDEXED")}
        for part in parts:
            columns, tables, key, order = map(self._in_format, _PARTS["run"][part])
            stored = dict(map(tuple, self._rows("SELECT number, sha256 FROM checksum WHERE of = 'run' AND part = ?", part)))
            rows = {}
            for row in self._rows(f"SELECT {key}, {columns} FROM {tables} ORDER BY {key}, {order}"):
                rows.setdefault(row[0], []).append(tuple(row)[1:])
            for number in known.keys() | rows.keys() | stored.keys():
                id_, runs = known.get(number, (None, False))
                is_running = number not in stored and runs
                if id_ is None or (not is_running and stored.get(number) != _sum("run", part, id_, rows.get(number, []))):
                    wrong.setdefault(number, []).append(part)
        return {number: self._words(parts) for number, parts in wrong.items()}

    def _fail(self, run, wrong):
        raise Error(f"{self.path}: run {run.id[:8]} is damaged: {self._words(wrong)}")

    def _require(self, run, part):
        if self.format < FIRST_WITH_CHECKSUMS:
            return
        with self._snapshot():
            if self._is_wrong("run", run.number, run.id, part):
                self._fail(run, [part])

    def _require_item(self, run, part, *values):
        """A motion or a sample: n, number of channels or type, data."""
        if self.format < FIRST_WITH_CHECKSUMS:
            return
        with self._reading():
            stored = self._stored("run", run.number, part)
            if not (stored is None and self._runs_still("run", run.number)) and stored != _sum("run", part, run.id, [values]):
                self._fail(run, [part])

    def _wrong_items(self, number, id_):
        wrong = []
        for sql in ("SELECT 'motion ' || role || ' ' || branch || ' ' || iteration, n_rows, n_channels, data FROM motion WHERE run_id = ?",
                    "SELECT 'sample ' || name, n, type, data FROM sample WHERE run_id = ?"):
            for part, *values in self._rows(sql, id_):
                stored = self._stored("run", number, part)
                if not (stored is None and self._runs_still("run", number)) and stored != _sum("run", part, id_, [values]):
                    wrong.append(part)
        return wrong

    def _gone(self, of):
        """Numbers of rows that have a checksum or members and are not there."""
        members = {"comparison": "UNION SELECT comparison FROM comparison_run", "study": "UNION SELECT study FROM study_run"}.get(of, "")
        return [number for number, in self._rows(f"SELECT number FROM (SELECT number FROM checksum WHERE of = ? {members}) WHERE number NOT IN "
                                                 f"(SELECT number FROM {of} NOT INDEXED) GROUP BY number ORDER BY number", of)]

    def _require_all(self, of):
        """Sketches, studies, comparisons: they are few."""
        if self.format < FIRST_WITH_CHECKSUMS:
            return
        with self._snapshot():
            gone = self._gone(of)
            if gone:
                raise Error(f"{self.path}: the project is damaged: {of} number {gone[0]} is missing")
            for number, id_ in self._rows(f"SELECT number, id FROM {of} NOT INDEXED"):
                wrong = [part for part in _PARTS[of] if self._is_wrong(of, number, id_, part)]
                if wrong:
                    raise Error(f"{self.path}: the {of} {id_[:8]} is damaged: {self._words(wrong)}")

    def _require_tasks(self):
        if self.format < FIRST_WITH_CHECKSUMS:
            return
        with self._snapshot():
            for number, id_ in self._rows("SELECT number, id FROM run NOT INDEXED"):
                if self._is_wrong("run", number, id_, "tasks"):
                    raise Error(f"{self.path}: the studies are damaged: run {id_[:8]}: {self._words(['tasks'])}")
            gone = self._gone("run")
            if gone:
                raise Error(f"{self.path}: the studies are damaged: run number {gone[0]} is missing")

    def _is_text_sound(self, number):
        """A text of a scenario has its checksum as its key."""
        key, = [row[0] for row in self._rows(f"SELECT scenario_sha256 FROM run NOT INDEXED WHERE {self._number} = ?", number)]
        text = self._one("SELECT text FROM scenario_text WHERE sha256 = ?", key)
        return isinstance(text, str) and hashlib.sha256(_bytes_of(text)).hexdigest() == key

    @_of_one_state
    def _scenario_text(self, run):
        self._require(run, "row")  # which names the text
        with self._reading():
            if not self._is_text_sound(run.number):
                self._fail(run, ["scenario"])
        return self._one("SELECT text FROM scenario_text WHERE sha256 = ?", run.scenario_sha256)

    # -- SQL

    @property
    def _number(self):
        return "rowid" if self.format < 3 else "number"

    @property
    def _results(self):
        """Results of runs, as the table of format 11."""
        return "run_result" if self.format >= FIRST_WITH_RESULT_TABLE else f"(SELECT {self._number} AS run, result FROM run NOT INDEXED)"

    def _in_format(self, sql):
        return sql.replace("{results}", self._results)

    def _rows(self, sql, *values):
        with self._reading():
            return self._db.execute(sql, values).fetchall()

    def _one(self, sql, *values):
        rows = self._rows(sql, *values)
        return rows[0][0] if rows else None

    def _select_runs(self, condition):
        number = "rowid AS number" if self.format < 3 else "number"
        replay_of = "''" if self.format < 2 else "replay_of"
        solution_of = "''" if self.format < 4 else "solution_of"
        tags = "''" if self.format < 6 else "tags"
        return (f"SELECT id, {number}, scenario_name, scenario_sha256, kind, method, label, outcome, message, started, ended, seed, "
                f"options, parameters, note, {tags} AS tags, {replay_of} AS replay_of, {solution_of} AS solution_of, deleted "
                f"FROM run WHERE {condition}")

    def _run(self, row, damage):
        values = dict(row)
        if damage:  # texts that are none any more would not be read
            values = {name: value if value is not None else "" for name, value in values.items()}
            values.update(outcome=DAMAGED, message=damage)
        older = {"simulate": "integrator", "optimise": "optimiser"}
        return Run(id=values["id"], number=values["number"], scenario=values["scenario_name"],
                   scenario_sha256=values["scenario_sha256"], kind=older.get(values["kind"], values["kind"]),
                   method=values["method"], label=values["label"], outcome=values["outcome"], message=values["message"],
                   started=values["started"], ended=values["ended"] or "", seed=values["seed"],
                   options=_object(values["options"], damage), parameters=_object(values["parameters"], damage), note=values["note"],
                   tags=[tag.strip() for tag in str(values["tags"]).split(",") if tag.strip()], replay_of=values["replay_of"],
                   solution_of=values["solution_of"], metrics={}, damage=damage, _project=self)

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
            if number in by_number and not by_number[number].damage:
                if name.startswith(_OUTCOME):  # "outcomes.third [m]"
                    name, _, unit = name[len(_OUTCOME):].partition(" [")
                    by_number[number].outcomes[name] = unit.rstrip("]")
                by_number[number].metrics[name] = _number(value)

    # -- parts of runs

    @_of_one_state
    def _motions(self, run):
        self._require(run, "motions")
        if self.format < 3:
            rows = self._rows("SELECT role, 0, iteration, n_rows, n_channels FROM trajectory WHERE run_id = ? "
                              "ORDER BY role, iteration", run.id)
        else:
            rows = self._rows("SELECT role, branch, iteration, n_rows, n_channels FROM motion WHERE run_id = ? "
                              "ORDER BY role, branch, iteration", run.id)
        return [tuple(row) for row in rows]

    @_of_one_state
    def _motion(self, run, role, branch, iteration):
        self._require(run, "motions")
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
        self._require_item(run, f"motion {role} {branch} {iteration}", n_rows, n_channels, data)
        with self._reading():
            values = _unpack_motion(data, n_rows, n_channels)
            if values is None:
                raise Error(f"{self.path}: a motion of run {run.id[:8]} is damaged: shape and data disagree")
            channels = [_channel(record) for record in json.loads(_unpack_text(records) or _unpack_text(names))]
            return Motion(channels, values)

    @_of_one_state
    def _iterations(self, run):
        self._require(run, "iterations")
        rows = []
        with self._reading():
            for iteration, t, columns in self._rows("SELECT iteration, t, columns FROM iteration WHERE run_id = ? ORDER BY iteration", run.id):
                rows.append({"iteration": iteration, "t": t, **{name: value for name, value in json.loads(columns).items()
                                                                 if name not in ("iteration", "t", "type", "id")
                                                                 and (value is None or isinstance(value, (int, float)))}})
        return Iterations(rows)

    @_of_one_state
    def _events(self, run, branch):
        if self.format < 3:
            return run.result().get("events", [])
        self._require(run, "events")
        found = []
        for row in self._rows("SELECT branch, number, t, tau, kind, contact, point, joint, joint_limit, impulse, exact, details "
                              "FROM event WHERE run = ? AND (branch = ? OR ? IS NULL) ORDER BY branch, number", run.number, branch, branch):
            event = dict(row)
            details = _object(event.pop("details") or "{}", "")
            event["exact"] = bool(event["exact"])
            found.append({**{name: value for name, value in event.items() if value is not None}, **details})
        return found

    @_of_one_state
    def _samples(self, run, name):
        if self.format < 3:
            return None
        self._require(run, "samples")
        rows = self._rows("SELECT columns, n, type, data FROM sample WHERE run_id = ? AND name = ?", run.id, name)
        if not rows:
            return None
        columns, n, kind, data = rows[0]
        self._require_item(run, f"sample {name}", n, kind, data)
        with self._reading():
            columns = json.loads(columns)
            values = np.frombuffer(data, dtype={"float32": "<f4", "float64": "<f8"}[kind])
            if len(values) != n * len(columns):
                raise Error(f"{self.path}: the samples of run {run.id[:8]} are damaged: shape and data disagree")
            return Samples(columns, values.reshape(n, len(columns)))


def open(path: Union[str, pathlib.Path]) -> Project:
    """The project in that file, for reading."""
    return Project(path)


# ---- files of the command line -----------------------------------------------------------------------------------------


def _file(path):
    """The path of a file; a FIFO or a device is none, and reading it may never end."""
    path = pathlib.Path(path)
    if not path.is_file():
        raise Error(f"{path}: there is no such file")
    return path


def read_csv(path: Union[str, pathlib.Path]) -> Motion:
    """A motion that `stickslip-cli export --plot trajectory` or `--trajectory` wrote. A CSV has no units."""
    with _file(path).open(newline="") as file:
        rows = list(csv.reader(file))
    if not rows or "t" not in rows[0]:
        raise Error(f"{path}: this is no table of a motion: its first line names no column t")
    try:
        values = np.array([[float(cell) if cell != "" else np.nan for cell in row] for row in rows[1:]])
    except ValueError as error:
        raise Error(f"{path}: {error}") from error
    return Motion([Channel(name) for name in rows[0]], values.reshape(len(rows) - 1, len(rows[0])))


def read_result(path: Union[str, pathlib.Path]) -> dict:
    """A result that `--json` printed, with its metrics also flat: result["flat"]["tracking_error.total"]."""
    try:
        result = json.loads(_file(path).read_text(encoding="utf-8"))
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


def _object(text, damage):
    """JSON as an object; {} of a run that is damaged where it is none."""
    try:
        found = json.loads(text)
        if not isinstance(found, dict):
            raise ValueError("an object was expected")
        return found
    except (ValueError, TypeError) as error:
        if damage:
            return {}
        raise Error(f"the project is damaged: {error}") from error


def _bytes_of(text):
    return text.encode("utf-8", "surrogateescape")


def _sum(of, part, id_, rows):
    """Checksum of rows of values, as data/schema-7.sql says."""
    def encode(value):
        if value is None:
            return b"n"
        if isinstance(value, int):
            return b"i" + struct.pack("<q", value)
        if isinstance(value, float):
            return b"f" + struct.pack("<d", value)
        if isinstance(value, str):
            data = _bytes_of(value)
            return b"t" + struct.pack("<q", len(data)) + data
        return b"b" + struct.pack("<q", len(value)) + bytes(value)

    whole = hashlib.sha256(encode(of) + encode(part) + encode(str(id_)))
    for row in rows:
        whole.update(b"r" + b"".join(encode(value) for value in row))
    return whole.digest()


_WORDS = re.compile(r"""--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\w\x80-\U0010ffff]+|\S""", re.S)
_STATISTICS = ("CREATE TABLE sqlite_stat1 ( tbl , idx , stat )", "CREATE TABLE sqlite_stat4 ( tbl , idx , neq , nlt , ndlt , sample )")


def _words_of(sql):
    """The words of a definition: comments and quotes that are not needed left out, so that texts of several versions compare."""
    words = []
    for word in _WORDS.findall(sql or ""):
        if word.startswith("--") or word.startswith("/*"):
            continue
        inner = word[1:-1] if word[0] in "\"`[" else ""
        words.append(inner if inner and re.fullmatch(r"\w+", inner) else word)
    return " ".join(words)


def _schema_digest(database):
    lines = []
    for kind, name, table, sql in database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"):
        words = _words_of(sql)
        if words not in _STATISTICS:
            lines.append(f"{kind} {name} {table} {words}")
    return hashlib.sha256(_bytes_of("\n".join(sorted(lines)))).hexdigest()


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
            database.isolation_level = None
            database.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
            database.execute("PRAGMA trusted_schema = OFF")
            database.execute("PRAGMA cell_size_check = ON")
            database.execute("PRAGMA query_only = ON")
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return database
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite's own words may have bytes of a damaged file
            if database is not None:
                database.close()
            if not isinstance(error, sqlite3.OperationalError) or pathlib.Path(f"{path}-wal").exists():
                raise Error(f"{path}: this is no Stickslip project: {error}") from error
            reason = error
    raise Error(f"{path}: {reason}")


def _check(database, path):
    """The format; an error where it is none of this module, or the file is damaged or not as the program makes it."""
    try:
        application = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION_ID:
            raise Error(f"{path}: this is no Stickslip project, but another program's database")
        if version > NEWEST_FORMAT:
            raise Error(f"{path}: the project has format {version}, which a newer version of Stickslip wrote; "
                        f"this module reads up to {NEWEST_FORMAT}")
        if version < 1:
            raise Error(f"{path}: the project has no format number")
        if database.execute("PRAGMA encoding").fetchone()[0] != "UTF-8" or _schema_digest(database) != SCHEMAS[version]:
            raise Error(f"{path}: the project is not as Stickslip made it: its tables are others, or there are triggers or views; "
                        "`stickslip-cli copy PROJECT --to NEW.stickslip` saves what can be read of it")
        verdict = database.execute("PRAGMA quick_check (1)").fetchone()[0]
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise Error(f"{path}: the project is damaged: {error}") from error
    if verdict != "ok":
        raise Error(f"{path}: the project is damaged: {verdict}")
    return version
