"""Calls stickslip-cli: everything that the program does, with its words and its checks.

Options of a verb have its names, with _ for - and a _ behind a word of Python: simulate(scene, t_end=2, set={"mu": 0.3}, option={"scheme":
"radau-iia"}), optimise(scene, from_=run). True gives a flag, a dictionary NAME=VALUE once for each name, a list its members with a comma
between. `stickslip-cli VERB --help` lists them; a misspelt one is an Error that names the nearest.
"""

from __future__ import annotations

import json as json_
import math
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import weakref
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import project as project_
from .project import Error, Run, Study

Scenario = Union[str, os.PathLike, Mapping[str, Any], "project_.Sketch", Any]  # a file, JSON, a Sketch or a Scene

_SOLVED, _NOT_SOLVED, _WRONG, _STOPPED, _FAILED = range(5)  # exit statuses
_ENDED = (_SOLVED, _NOT_SOLVED, _STOPPED)  # what ran is stored


def path() -> str:
    """The program: of the variable STICKSLIP_CLI; else the one that this module was built or installed with; else that of PATH."""
    here = pathlib.Path(__file__).resolve()
    beside = [parent / place for parent in here.parents[3:5] for place in ("build/app/stickslip-cli", "bin/stickslip-cli")]
    for found in [os.environ.get("STICKSLIP_CLI"), *map(str, filter(pathlib.Path.is_file, beside)), shutil.which("stickslip-cli")]:
        if found:
            return found
    raise Error("stickslip-cli is not there: install Stickslip, or let the variable STICKSLIP_CLI name the program")


# ---- words of a command line ---------------------------------------------------------------------------------------------


def _word(value: Any) -> str:
    if isinstance(value, Run):
        return value.id
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_word, value))
    return repr(float(value)) if isinstance(value, float) else str(value)


def _options(options: Mapping[str, Any]) -> List[str]:
    words: List[str] = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if isinstance(value, Mapping):
            words += [word for key, item in value.items() for word in (flag, f"{key}={_word(item)}")]
        elif value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words += [flag, _word(value)]
    return words


class _Folder:
    """A folder that is gone once nobody has it any more."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="stickslip-"))
        weakref.finalize(self, shutil.rmtree, str(self.path), ignore_errors=True)

    def file_of(self, scenario: Scenario) -> str:
        """The argument for a scenario: the name of its file, which is written where there is none."""
        if isinstance(scenario, Run):
            return scenario.id
        if isinstance(scenario, (str, os.PathLike)):
            return os.fspath(scenario)
        text = json_.dumps(scenario) if isinstance(scenario, Mapping) else scenario.text
        name = scenario.get("name", "scene") if isinstance(scenario, Mapping) else scenario.name
        file = self.path / (str(name).replace("/", "-") + ".stickslip.json")
        file.write_text(text() if callable(text) else text, "utf-8")
        return str(file)


# ---- what runs -----------------------------------------------------------------------------------------------------------


class Job:
    """A call of the program that goes on in the background: start() makes one."""

    def __init__(self, verb: str, arguments: Sequence[Any], options: Mapping[str, Any], accept: Iterable[int] = _ENDED):
        self.verb = verb
        self._folder, self._accept = _Folder(), tuple(accept)
        words = [path(), verb, *(self._folder.file_of(argument) for argument in arguments), *_options(options)]
        self._out, self._err = (open(self._folder.path / name, "w+", encoding="utf-8") for name in (".out", ".err"))
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self._out, stderr=self._err)
        self._finalizer = weakref.finalize(self, _end, self._process)

    @property
    def done(self) -> bool:
        """Whether the program has ended."""
        return self._process.poll() is not None

    def cancel(self) -> None:
        """Ends the run as Ctrl-C does: what there is so far is stored, with the outcome "cancelled"."""
        if not self.done:
            self._process.send_signal(signal.SIGINT)

    def wait(self, timeout: Optional[float] = None) -> Any:
        """What start() says, once the program has ended; after `timeout` seconds of wall time subprocess.TimeoutExpired, and it runs on."""
        return self._output(timeout)

    def _output(self, timeout: Optional[float]) -> str:
        try:
            status = self._process.wait(timeout)
        except KeyboardInterrupt:
            self.cancel()
            self._process.wait()
            raise
        texts = []
        for file in (self._out, self._err):
            file.seek(0)
            texts.append(file.read())
        if status not in self._accept:
            words = texts[1].strip().replace(f"{self._folder.path}{os.sep}", "")
            raise Error(words or f"stickslip-cli {self.verb} ended with status {status}")
        return texts[0]


def _end(process: subprocess.Popen) -> None:
    if process.poll() is None:
        process.terminate()


class _Stored(Job):
    """A job whose runs a project keeps: the one that is named, else one that goes with the last of the runs."""

    def __init__(self, verb: str, arguments: Sequence[Any], options: Dict[str, Any]):
        given = [value for value in (*arguments, *options.values()) if isinstance(value, Run)]
        file = options.get("project") or (given[0]._project.path if given else None)
        self._kept = None if file else _Folder()
        self._file = file or self._kept.path / "runs.stickslip"
        super().__init__(verb, arguments, {**options, "project": self._file, "json": True, "quiet": True})

    def wait(self, timeout: Optional[float] = None) -> Any:
        answer = json_.loads(self._output(timeout))
        project = project_.open(self._file)
        project._folder = self._kept
        if "study" in answer:
            return next(study for study in project.studies() if study.id == answer["study"])
        if "runs" in answer:
            return [self._run(project, of) for of in answer["runs"]]
        return self._run(project, answer)

    def _run(self, project: "project_.Project", answer: dict) -> Run:
        if not answer.get("run"):
            raise Error(answer.get("message") or f"stickslip-cli {self.verb} stored no run")
        return project.run(answer["run"])


def call(verb: str, *arguments: Any, json: bool = False, accept: Iterable[int] = _ENDED, **options: Any) -> Any:
    """What the program prints: text, or with json=True what its JSON says. Arguments: files, runs' ids, Scenes, ... An exit status that is not
    among `accept` raises Error with the program's words."""
    text = Job(verb, arguments, {**options, **({"json": True} if json else {})}, accept)._output(None)
    return json_.loads(text) if json else text


def start(verb: str, *arguments: Any, **options: Any) -> Job:
    """simulate, optimise, replay, compare or sweep in the background: wait() gives what the function of that name gives."""
    return _Stored(verb, arguments, options)


def simulate(scene: Scenario, **options: Any) -> Run:
    """The run of a scene by an integrator, stored in `project`, or in one that goes with the run. A run that did not succeed is one too: look at
    its outcome."""
    return start("simulate", scene, **options).wait()


def optimise(scene: Scenario, **options: Any) -> Run:
    """The run of an optimiser: the plan of a scene's task, or a model's solution."""
    return start("optimise", scene, **options).wait()


def replay(plan: Run, **options: Any) -> Run:
    """A plan's controls in an integrator, stored beside the plan."""
    return start("replay", plan, **options).wait()


def compare(scene: Scenario, methods: Sequence[str], **options: Any) -> List[Run]:
    """A run of each method, such as "crisp" or "crisp:relax=10", in their order."""
    return start("compare", scene, methods=methods, **options).wait()


def sweep(scene: Scenario, vary: Mapping[str, Any], **options: Any) -> Study:
    """A study: vary={"mu": [0.2, 0.4], "box.vx": "0:2:5"}, methods=[...]. With the same `project` it goes on where it was stopped."""
    return start("sweep", scene, vary=vary, **options).wait()


def methods(name: Optional[str] = None) -> Any:
    """Every method, or that of a name, with its options, units, ranges and defaults."""
    found = call("methods", json=True)
    return [method for method in found if name in (None, method["name"])]


# ---- what is told and drawn ----------------------------------------------------------------------------------------------


def labels(runs: Iterable[Run]) -> List[str]:
    """Names for a legend: the method's, with the options in which runs of one name differ ("CRISP, relax 10"), as the program has them."""
    runs = list(runs)
    found = []
    for run in runs:
        options = [other.options for other in runs if other.label == run.label]
        names = sorted({name for of in options for name in of if any(other.get(name) != of[name] for other in options)})
        found.append(", ".join([run.label, *(f"{name} {run.options[name]}" for name in names if name in run.options)]))
    return found


def table(runs: Iterable[Run], *metrics: str) -> Dict[str, Any]:
    """Columns by name, an array each: run, scenario, method, every parameter that a run set, outcome, and the metrics (all that there are where
    none is named). pandas.DataFrame(table(runs)) takes it as it is."""
    runs = list(runs)
    chosen = metrics or tuple(dict.fromkeys(name for run in runs for name in run.metrics))
    columns: Dict[str, Any] = {"run": [run.id for run in runs], "scenario": [run.scenario for run in runs], "method": labels(runs)}
    for name in dict.fromkeys(name for run in runs for name in run.parameters):
        columns[name] = [run.parameters.get(name, math.nan) for run in runs]
    columns["outcome"] = [run.outcome for run in runs]
    columns.update((name, [run.metrics.get(name, math.nan) for run in runs]) for name in chosen)
    return {name: project_.np.array(values) for name, values in columns.items()}


class Picture:
    """A picture as SVG text, which a notebook shows; save() writes .pdf, .png and all else that the program draws."""

    def __init__(self, verb: str, arguments: Tuple[Any, ...], options: Dict[str, Any]):
        self._call = verb, arguments, options
        folder = _Folder()
        self.save(folder.path / "picture.svg")
        self.svg = (folder.path / "picture.svg").read_text("utf-8")

    def save(self, to: Union[str, os.PathLike]) -> None:
        verb, arguments, options = self._call
        call(verb, *arguments, **options, to=to)

    def _repr_svg_(self) -> str:
        return self.svg


def _of_project(runs: Sequence[Any]) -> Tuple[Tuple[str, ...], Dict[str, Any]]:
    projects = {str(run._project.path) for run in runs}
    if len(projects) != 1:
        raise Error("runs of one picture are of one project" if projects else "a picture is of a run or more")
    return tuple(run.id for run in runs), {"project": projects.pop()}


def picture(*runs: Run, plot: str = "motion", **options: Any) -> Picture:
    """What `export` draws of runs: plot="motion", "channels", "convergence", "phase", ..."""
    ids, of = _of_project(runs)
    return Picture("export", ids, {**of, "plot": plot, **options})


def figure(*runs: Union[Study, Run], **options: Any) -> Picture:
    """What `figure` draws of a study, or of runs: kind="heat", "box", "performance", "success", "curves", "work", "decides"; metric="cpu_seconds", ..."""
    ids, of = _of_project(runs)
    return Picture("figure", ids, {**of, **options})
