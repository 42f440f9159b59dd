"""A figure of a Stickslip project with matplotlib: the motions of its newest scenario, how they were found or where their
energy goes, and what they cost. Run it as a script,

    python3 example_figure.py PROJECT.stickslip [FIGURE.pdf]

or cell by cell in an editor that knows the marks "# %%".
"""

# %% Modules: the package stickslip lies beside this file (`stickslip-cli python-path` prints where).
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import matplotlib

matplotlib.use("Agg")  # draws files, needs no screen
import matplotlib.pyplot as plt
import numpy as np

import stickslip

# %% The project, and the runs of the scenario that was run last: one a method, the newest, with a motion.
if len(sys.argv) < 2:
    sys.exit(__doc__)
project = stickslip.open(sys.argv[1])
figure_path = sys.argv[2] if len(sys.argv) > 2 else "figure.pdf"

newest = project.run("last")
runs = {}
for run in project.runs(scenario=newest.scenario):
    if not run.solution_of and any(role == "answer" for role, *_ in run.motions()):
        runs[run.label] = run
if not runs:
    sys.exit(f"{project.path}: no run of {newest.scenario} has a motion")

# %% What moves farthest is what is drawn: a state that every run has.
motions = {label: run.motion() for label, run in runs.items()}
shared = set.intersection(*(set(motion.names) for motion in motions.values()))
first = next(iter(motions.values()))
states = [c for c in first.channels if c.state and c.name in shared and c.quantity not in ("vx", "vy", "omega")]
chosen = max(states or [c for c in first.channels if c.name in shared and c.name != "t"], key=lambda c: np.ptp(first[c.name]))

# %% A look that prints: 174 mm wide, colours that everybody tells apart, and dashes besides.
plt.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.2,
                     "legend.frameon": False, "pdf.fonttype": 42})
colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
dashes = ["-", "--", "-.", ":", (0, (5, 1, 1, 1)), (0, (1, 1)), (0, (8, 2))]
looks = {label: {"color": colours[i % 7], "linestyle": dashes[i % 7]} for i, label in enumerate(runs)}


def with_unit(words, unit):
    return f"{words} [{unit}]" if unit else words


# %% Three panels: the motion; convergence of optimisers, or energy of simulations; CPU time.
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(174 / 25.4, 58 / 25.4), constrained_layout=True)
for label, motion in motions.items():
    left.plot(motion.t, motion[chosen.name], label=label, **looks[label])
left.set_xlabel("Time [s]")
left.set_ylabel(with_unit(chosen.name, chosen.unit))
figure.legend(*left.get_legend_handles_labels(), loc="lower center", bbox_to_anchor=(0.5, 1), ncol=len(runs), handlelength=2.5)

solved = {label: run.iterations() for label, run in runs.items() if run.kind == "optimiser"}
if any("violation" in table for table in solved.values()):
    for label, table in solved.items():
        if "violation" in table:
            middle.semilogy(table["iteration"], np.maximum(table["violation"], 1e-16), **looks[label])
    middle.set_xlabel("Iteration")
    middle.set_ylabel("Largest violation")
else:
    for label, motion in motions.items():
        if "energy.kinetic" in motion:
            middle.plot(motion.t, motion["energy.kinetic"] + motion["energy.potential"], **looks[label])
    middle.set_xlabel("Time [s]")
    middle.set_ylabel("Energy [J]")

cost = project.metric("cpu_seconds", runs.values())
right.scatter(1000 * cost, range(len(runs)), color=[looks[label]["color"] for label in runs])
right.set_yticks(range(len(runs)), list(runs))
right.set_ylim(len(runs) - 0.5, -0.5)
if np.nanmax(cost) > 30 * np.nanmin(cost):
    right.set_xscale("log")
else:
    right.set_xlim(0, None)
right.grid(axis="y", color="0.9")
right.set_axisbelow(True)
right.set_xlabel("CPU time [ms]")

# %% Where the figure comes from stands in the file.
about = newest.provenance()
details = {"Title": newest.scenario, "Creator": f"Stickslip {about['version']}, runs {', '.join(run.id[:8] for run in runs.values())}"}
figure.savefig(figure_path, metadata=details if figure_path.endswith(".pdf") else None, dpi=200, bbox_inches="tight")
print(figure_path)
project.close()
