#!/usr/bin/env bash
# The verb `bench`, suite simulate with piles and pyramids: scenes by seed, what the tables hold; the clock is not judged.
#   test-bench-piles.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

check "piles and a pyramid by all methods" status 0 bench simulate --problems pile-100,pile-400,pyramid-105-touching --seed 3 --steps 15 --json --quiet
check "rows and growth" python3 - <<'PYTHON'
import json
report = json.load(open("out"))
tables = {t["name"]: t for t in report["tables"]}
rows = {(r["scene"], r["method"]): r for r in tables["piles"]["rows"]}
ours = ["stewart-trinkle", "convex-time-stepping", "moreau-jean", "constraint-solver"]
methods = sorted({m for _, m in rows} - set(ours)) + ours
assert report["suite"] == "simulate" and report["complete"] and methods in (ours, ["Chipmunk"] + ours), methods
assert len(rows) == 3 * len(methods)
bodies = {"pile-100": 100, "pile-400": 400, "pyramid-105-touching": 105}
for (scene, method), r in rows.items():
    assert r["bodies"] == bodies[scene] and r["steps"] == 15 and r["end"] == "completed", r
    assert 0 < r["mean_ms"] <= r["worst_ms"] and r["first_ms"] <= r["worst_ms"], r
    assert abs(r["mean_ms"] * 15 - r["first_ms"] - 14 * r["later_ms"]) < 1e-9 * r["mean_ms"] * 15, r
    if method in ours:
        # what each step promises; the pyramid is at rest, where both laws leave it to rounding
        assert r["median_residual"] <= r["residual"] < 1e-8 and r["above"] == 0, r
    else:
        assert r["residual"] is None and r["ratio"] == 1, r
    if "Chipmunk" in methods:
        assert abs(r["ratio"] - r["mean_ms"] / rows[scene, "Chipmunk"]["mean_ms"]) < 1e-9 * r["ratio"], r
    # a scene that is the same for all: in 15 steps of 10 ms nothing falls by more than .11 m, so what overlaps is bounded
    assert 0 <= r["overlap"] < 0.05, r
assert [r["method"] for r in tables["growth"]["rows"]] == methods
for r in tables["growth"]["rows"]:
    import math
    a, b = rows["pile-100", r["method"]]["mean_ms"], rows["pile-400", r["method"]]["mean_ms"]
    assert (r["least"], r["most"]) == (100, 400) and abs(r["exponent"] - math.log(b / a) / math.log(4)) < 1e-9, r
PYTHON
check "another seed, one method" status 0 bench simulate --problems pile-100 --seed 4 --steps 60 --methods moreau-jean --json --quiet
cp out four
check "the first again" status 0 bench simulate --problems pile-100 --seed 3 --steps 60 --methods moreau-jean --json --quiet
cp out three
check "and again" status 0 bench simulate --problems pile-100 --seed 3 --steps 60 --methods moreau-jean --json --quiet
check "one seed is one scene, two are two" python3 - <<'PYTHON'
import json
def left(name):
    return [(r["method"], r["overlap"], r["residual"]) for r in json.load(open(name))["tables"][0]["rows"]]
assert left("three") == left("out") != left("four"), (left("three"), left("out"), left("four"))
assert len(json.load(open("out"))["tables"]) == 1 # one pile has no growth
PYTHON
check "a scene that is none" status 2 bench simulate --problems pile-10
check "it says which is near" has err "did you mean 'pile-100'"
check "sizes are of other scenes" status 2 bench simulate --problems pile-100 --bodies 10
finish
