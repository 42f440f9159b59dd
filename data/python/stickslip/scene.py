"""Scenarios made in Python. What may stand in one is told by examples/README.md and checked by the program alone: nothing here knows a shape."""

from __future__ import annotations

import json
import pathlib
from typing import Any, Mapping, Union

from . import program

Json = Union[None, bool, float, str, list, dict]
Value = Union[float, str]  # a number, or a formula over the parameters

_PLANE = ("gravity", "friction", "restitution", "stiffness", "damping", "cohesion", "rolling")


def shape(type: str, **fields: Json) -> dict:
    """A shape of a body: shape("box", width=0.4, height=0.2), shape("disc", radius=0.1), shape("half-plane", normal=[0, 1]), ..."""
    return {"type": type, **fields}


class Scene:
    """A scenario that is built up: `data` is its JSON, which may be changed by hand too.

    Further fields are those of a file: friction="mu", gravity=[0, -9.81] and the like go to its scene, title and description to the file."""

    def __init__(self, name: str, **fields: Json):
        scene = {key: fields.pop(key) for key in _PLANE if key in fields}
        self.data: dict = {"format": 1, "name": name, **fields, "parameters": {}, "scene": {**scene, "bodies": []}, "task": {}}

    @classmethod
    def read(cls, path: Union[str, pathlib.Path]) -> "Scene":
        """A file, a scene or a model in equations."""
        return cls.of(json.loads(pathlib.Path(path).read_text("utf-8")))

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Scene":
        """A scenario's JSON, of a file or a Sketch."""
        new = cls(data.get("name", ""))
        new.data = json.loads(json.dumps(data))
        return new

    @property
    def name(self) -> str:
        return self.data["name"]

    def parameter(self, name: str, value: Value, **about: Json) -> None:
        """A number with a name, for formulas and studies; about: minimum, maximum, integer, description."""
        self.data.setdefault("parameters", {})[name] = {"value": value, **about}

    def body(self, name: str, shapes: Union[dict, list], **fields: Json) -> None:
        """A body with one shape or a list of them; fields: mass, inertia, density, position, angle, velocity, omega, fixed, lock, material, ..."""
        self.add("bodies", name=name, **{"shapes" if isinstance(shapes, list) else "shape": shapes}, **fields)

    def add(self, section: str, **fields: Json) -> None:
        """An entry of a list of the scene: add("joints", name="hinge", type="pin", bodies=["world", "arm"], anchor=[0, 1]); joints, springs, forces,
        actuators, contacts, ... A field that is a word of Python ends in _: from_."""
        self.data["scene"].setdefault(section, []).append({key.rstrip("_"): value for key, value in fields.items()})

    def task(self, **fields: Json) -> None:
        """Horizon, step and goal: t_end [s], dt [s], targets, controls, costs, ... What was set before and is not named stays."""
        self.data.setdefault("task", {}).update(fields)

    def text(self) -> str:
        """The scenario as the text of a file."""
        return json.dumps(self.data, indent=2, ensure_ascii=False) + "\n"

    def save(self, path: Union[str, pathlib.Path]) -> None:
        """Writes the file, NAME.stickslip.json by custom."""
        pathlib.Path(path).write_text(self.text(), "utf-8")

    def problems(self) -> list:
        """What the program finds wrong: {"line", "path", "message", "expected"} each; empty where the scenario is valid."""
        [verdict] = program.call("validate", self, json=True, accept=(0, 2))
        return verdict["problems"]

    def __repr__(self) -> str:
        return f"<Scene {self.name!r}>"
