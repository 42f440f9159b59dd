#!/usr/bin/env python3
"""`schema`: real documents hold to what it prints, wrong ones do not, and no field of a document is left out.

    test-schema.py PROGRAM SOURCE_ROOT

Schemas let unknown fields through: files may hold notes, and readers pass over what they do not know. Here they are closed first, so that
a field that is written and not described is an error. Scenario fields are compared with the names that the readers of engine/scene ask for.
"""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

program, root = (Path(p).resolve() for p in sys.argv[1:3])
examples = root / "examples"
passed = failed = 0


def check(name, ok, told=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    print(("ok " if ok else "not ok ") + name + ("" if ok or told == "" else f": {told}"), flush=True)


def cli(*words, status=0, text=None, own=""):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, input=text or "",
                          env={**os.environ, "STICKSLIP_METHODS": own})
    if done.returncode not in (status if isinstance(status, tuple) else (status,)):
        raise SystemExit(f"status {done.returncode}: {words}\n{done.stderr}")
    return done.stdout


def close(schema):
    """Objects of named properties alone have no others."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema and "rows" not in schema["properties"]:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            close(value)
    elif isinstance(schema, list):
        for value in schema:
            close(value)
    return schema


printed = {name: json.loads(cli("schema", name)) for name in ("scenario", "result", "event", "job", "method", "method-line")}
for schema in printed.values():
    Draft202012Validator.check_schema(schema)
check("six schemas of draft 2020-12", len({s["title"] for s in printed.values()}) == 6)
open_ones = {name: Draft202012Validator(schema) for name, schema in printed.items()}
closed = {name: Draft202012Validator(close(copy.deepcopy(schema))) for name, schema in printed.items()}
unknown = {ref for s in printed.values() for ref in re.findall(r'"#/\$defs/([^"]+)"', json.dumps(s)) if ref not in s["$defs"]}
check("every part that is named is there", not unknown, unknown)
check("the help lists the verb", "\n  schema " in cli("--help"))
wrong = subprocess.run([program, "schema", "scenarios"], capture_output=True, text=True)
check("an unknown document is refused with the names of those that there are",
      wrong.returncode == 2 and "scenario, result, event, job, method or method-line" in wrong.stderr, wrong.stderr)


def fault(name, document, validators=closed):
    """What is wrong with a document; None: nothing."""
    error = best_match(validators[name].iter_errors(document))
    return None if error is None else f"{list(error.absolute_path)}: {error.message[:300]}"


def holds(name, document, what):
    told = fault(name, document)
    check(what, told is None, told)


# ---- scenarios ----
files = sorted(examples.glob("*/*.stickslip.json"))
bad = [f"{f.name}: {told}" for f in files if (told := fault("scenario", json.loads(f.read_text()))) is not None]
check(f"{len(files)} examples hold to the schema of scenarios, and have no field beside it", len(files) > 60 and not bad, bad)
scene = json.loads((examples / "sketches/falling-box.stickslip.json").read_text())


def spoilt(change):
    document = copy.deepcopy(scene)
    change(document["scene"]["bodies"][1])
    return document


def drop_name(body):
    del body["name"]


for what, change in (("a body without a name", drop_name), ("a mass that is a list", lambda b: b.update(mass=[1])),
                     ("a shape of no kind", lambda b: b.update(shape={"type": "blob"})),
                     ("a position of three numbers", lambda b: b.update(position=[0, 0, 0]))):
    check(f"fails: {what}", fault("scenario", spoilt(change), open_ones) is not None)
check("passes where schemas are open: a note", fault("scenario", spoilt(lambda b: b.update(note="mine")), open_ones) is None)

# A reader's call with a name: ss_at_member (reader, at, "name", ...).
sources = {p.name: p.read_text() for p in (root / "engine/scene").glob("*.c")}
for other in ("ss-impact-file.c", "ss-json.c", "ss-edit.c"):
    sources.pop(other)
sources = {name: text for name, text in sources.items() if not name.startswith("ss-nl")}
asks = "at_member|ss_read_(?:member|text|boolean|real|expanded_text)|scene_read_list|read_(?:value|formula|open|two_points)"
calls = rf'(?:{asks}) \((?:[^,"()]+, *){{2}}"([a-z_]+)"'
asked = {name for text in sources.values() for name in re.findall(calls, text)}
described = set()


def names_of(schema):
    if isinstance(schema, dict):
        described.update(schema.get("properties", {}))
        for value in schema.values():
            names_of(value)
    elif isinstance(schema, list):
        for value in schema:
            names_of(value)


names_of(printed["scenario"])
check("readers of scenarios ask for no field that the schema lacks", len(asked) > 90 and asked <= described, asked - described)
literals = {name for text in sources.values() for name in re.findall(r'"([a-z_]+)"', text)}
everywhere = {"vx", "vy", "omega"}  # of ss_body_channels
check("the schema has no field that no reader asks for", described - everywhere <= literals, described - everywhere - literals)

# ---- results ----
with tempfile.TemporaryDirectory() as folder:
    project = f"{folder}/p.stickslip"
    crate, rod = examples / "sketches/falling-box.stickslip.json", examples / "fesd-j/sliding-rod.stickslip.json"
    block, ball = examples / "impacts/rocking-block.stickslip.json", examples / "classics/bouncing-ball.stickslip.json"
    model, models = examples / "crisp/push-box.stickslip.json", root / "tests/data/set-valued"
    exact = ["--method", "event-driven"]
    # each with members that its result must have
    runs = {
        "a simulation": (["simulate", crate, "--t-end", "0.5", "--project", project], "events energy run"),
        "exact events": (["simulate", ball, *exact, "--t-end", "1"], "events"),
        "derivatives": (["simulate", crate, "--method", "fesd-j", "--sensitivity", "box.vx,mu", "--t-end", "0.6"], "sensitivities metric_sensitivities"),
        "steps": (["simulate", rod, "--method", "stewart-trinkle", "--option", "certainty=count"], "steps"),
        "a fan": (["simulate", block, *exact, "--option", "law=set-valued", "--option", "branches=3", "--dt", "0.01", "--t-end", "0.1"],
                  "motions branches fan"),
        "a second clock": (["simulate", ball, "--method", "time-freezing", "--t-end", "0.3"], "second_clock"),
        "a plan of a model": (["optimise", model, "--method", "crisp", "--option", "max-iterations=5", "--project", project],
                              "violations reasons"),
        "an impact": (["impact", models / "box-wall.json", "--law", "sequential", "--option", "order=B,A"], "outcomes"),
        "a set of impacts": (["impact", models / "rocking-block.json", "--option", "samples=500", "--plane", "vn_A,vn_B"],
                             "sample_table hulls modes"),
        "what is wrong with an option": (["simulate", crate, "--option", "nothing=1"], "problems"),
    }
    for what, (words, members) in runs.items():
        document = json.loads(cli(*words, "--json", "--quiet", status=(0, 1, 2)))
        holds("result", document, f"result: {what}")
        check(f"and has {members}", set(members.split()) <= set(document), sorted(document))
    stored = json.loads(cli("show", "last", "--project", project, "--json"))
    holds("result", stored["result"], "result: a stored one")
    result = json.loads(cli("simulate", crate, "--t-end", "0.1", "--json", "--quiet"))
    for what, change in (("an outcome that is none", {"outcome": "fine"}), ("metrics that are a list", {"metrics": []}),
                         ("an event without a time", {"events": [{"kind": "impact", "contact": "a-b", "impulse": 1}]})):
        check(f"fails: {what}", fault("result", {**result, **change}, open_ones) is not None)

    # ---- jobs and events ----
    text = crate.read_text()
    jobs = [{"type": "job", "id": "s", "verb": "simulate", "scenario_text": text, "method": "stewart-trinkle", "t_end": 0.3,
             "set": {"mu": 0.4}, "limits": {"seconds": 60}, "iterates": "none"},
            {"type": "job", "id": "o", "verb": "optimise", "scenario_text": model.read_text(), "method": "crisp",
             "options": {"max-iterations": 3}, "iterates": "all"},
            {"type": "quit"}]
    for job in jobs:
        holds("job", job, f"job: {job['type']} {job.get('verb', '')}")
    lines = [json.loads(line) for line in cli("worker", text="".join(json.dumps(job) + "\n" for job in jobs)).splitlines()]
    bad = [f"{line['type']}: {told}" for line in lines if (told := fault("event", line)) is not None]
    check(f"{len(lines)} lines of a worker hold to the schema of events", not bad, bad[:3])
    types = {line["type"] for line in lines}
    check("of all types that such jobs have", {"start", "iteration", "trajectory", "result"} <= types, types)
    check("fails: a job without a method", fault("job", {"type": "job", "verb": "simulate"}, open_ones) is not None)
    check("fails: a line without an id", fault("event", {"type": "log", "t": 0, "level": "info", "text": ""}, open_ones) is not None)

    # ---- methods of the user's own ----
    for file in sorted((examples / "methods").glob("*.stickslip-method.json")):
        holds("method", json.loads(file.read_text()), f"method: {file.name}")
    own = json.loads((examples / "methods/spring-euler.stickslip-method.json").read_text())
    check("fails: a method without a command", fault("method", {k: v for k, v in own.items() if k != "command"}, open_ones) is not None)
    check("fails: a method of another kind", fault("method", {**own, "kind": "impact"}, open_ones) is not None)
    own.update(name="heard", command=["sh", "heard.sh"])
    Path(folder, "heard.stickslip-method.json").write_text(json.dumps(own))
    Path(folder, "heard.sh").write_text(f"tee {folder}/job | python3 {examples}/methods/spring-euler.py | tee {folder}/lines\n")
    cli("simulate", ball, "--method", "heard", "--t-end", "0.05", "--dt", "0.01", "--quiet", own=folder)
    holds("job", json.loads(Path(folder, "job").read_text().splitlines()[0]), "job: of a method's program")
    # the run ends with its last row: the program, and what copies its lines, may be gone before the result, or within a line
    lines = [json.loads(line) for line in Path(folder, "lines").read_text().splitlines(True) if line.endswith("\n")]
    bad = [f"{line['type']}: {told}" for line in lines if (told := fault("method-line", line)) is not None]
    check("lines of a method's program hold to their schema", not bad and {"question", "frame"} <= {x["type"] for x in lines}, bad[:3])
    holds("method-line", {"type": "result", "outcome": "solved", "x": [0, 1.5], "iterations": 3, "message": "done"}, "method-line: an optimiser's result")
    check("fails: a frame without values", fault("method-line", {"type": "frame", "channels": ["t"]}, open_ones) is not None)

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
