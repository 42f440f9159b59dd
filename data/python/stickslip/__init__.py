"""Stickslip in Python: draw planar bodies, run methods, make studies, read what is stored, and draw it.

    import stickslip

    scene = stickslip.Scene("slide", friction="mu")
    scene.parameter("mu", 0.4, minimum=0)
    scene.body("floor", stickslip.shape("half-plane", normal=[0, 1]), fixed=True)
    scene.body("box", stickslip.shape("box", width=0.4, height=0.2), mass=2, position=[0, 0.1], velocity=[2, 0])
    scene.task(t_end=1, dt=0.01)

    run = stickslip.simulate(scene, method="event-driven")
    print(run.outcome, run.motion()["box.x"][-1])

    study = stickslip.sweep(scene, vary={"mu": [0.2, 0.4, 0.6]}, methods=["event-driven", "stewart-trinkle"], project="slide.stickslip")
    print(stickslip.table(study.runs(), "cpu_seconds"))

`project` reads projects and needs nothing but numpy. `program` calls stickslip-cli: options of a verb have its names, with _ for -.
`scene` writes scenarios, which the program checks. `method`, imported by itself, is for methods of your own. Python 3.9 or later, numpy; no other package.
"""

from . import program, project, scene
from .program import Job, Picture, call, compare, figure, labels, methods, optimise, picture, replay, simulate, start, sweep, table
from .project import (NEWEST_FORMAT, Channel, Comparison, Error, Iterations, Motion, Project, Run, Samples, Sketch, Study, open, read_csv,
                      read_result)
from .scene import Scene, shape

__version__ = "0.3.0"

__all__ = ["Channel", "Comparison", "Error", "Iterations", "Job", "Motion", "NEWEST_FORMAT", "Picture", "Project", "Run", "Samples", "Scene",
           "Sketch", "Study", "call", "compare", "figure", "labels", "methods", "open", "optimise", "picture", "program", "project", "read_csv",
           "read_result", "replay", "scene", "shape", "simulate", "start", "sweep", "table"]
