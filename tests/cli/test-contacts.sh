#!/bin/bash
# tests/cli/test-contacts.sh: contact problems of single steps from the outside: saved by simulations, solved, converted.
# $1: stickslip-cli, $2: source tree. Prints "N passed, N failed" last.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# --- saved
check "saves problems" status 0 simulate "$fall" --save-steps steps --save-every 10 --quiet
check "says how many" has out "problems of steps in steps"
first=$(find steps -name '*.json' | sort | head -n 1)
last=$(find steps -name '*.json' | sort | tail -n 1)
check "named by scene, method and step" [ "${last#steps/falling-box-stewart-trinkle-000}" != "$last" ]
check "every tenth step" python3 - "$last" <<'PY'
import json, sys
p = json.load(open(sys.argv[1]))
assert p["format"] == 1 and p["kind"] == "step-problem" and p["from"]["scene"] == "falling-box", p["from"]
assert p["from"]["step"] % 10 == 1 and abs(p["from"]["t"] - .01 * (p["from"]["step"] - 1)) < 1e-12, p["from"]
# a box at rest on two corners: each bears half of the weight over a step
assert p["contacts"] == 2 and abs(sum(p["answer"]["r"][::2]) - p["M"][0] * 9.81 * p["from"]["dt"]) < 1e-12, p["answer"]
PY
check "not a second time" status 2 simulate "$fall" --save-steps steps --quiet
check "says why not" has err "not replaced"
check "only of the exact law" status 2 simulate "$fall" --method convex-time-stepping --save-steps none --quiet
check "names the method" has err convex-time-stepping
check "no options without it" status 2 simulate "$fall" --save-every 2 --quiet
check "most" status 0 simulate "$fall" --save-steps few --save-most 3 --quiet
check "no more than that" [ "$(find few -name '*.json' | wc -l)" = 3 ]
check "tells of the others" has err "more problems were not written"
check "by residual" status 0 simulate "$fall" --save-steps bad --save-residual 1 --quiet
check "none are so bad" [ "$(find bad -name '*.json' | wc -l)" = 0 ]
check "a folder that cannot be" status 2 simulate "$fall" --save-steps /proc/none --quiet
check "names it" has err /proc/none
full() {
  (ulimit -f 0 && exec "$cli" simulate "$fall" --save-steps full --quiet) 2>&1 >/dev/null </dev/null | cat >err
  local got=${PIPESTATUS[0]}
  [ "$got" = 4 ] || { echo "status $got"; return 1; }
  has err full && has err "0 problems were written before" && [ "$(find full -type f | wc -l)" = 0 ]
}
check "a full disk is told, and leaves no half files" full

# --- solved
check "solves" status 0 contacts solve "$last" --json
check "by every solver, to one residual" python3 - <<'PY'
import json
result = json.load(open("out"))
runs = result["problems"][0]["runs"]
assert [r["solver"] for r in runs] == ["step", "newton", "interior-point", "path", "gauss-seidel", "admm"], runs
for r in runs:
    assert r["outcome"] == "solved" and r["residual"] <= 1e-8 == r["tolerance"], r
    h = r["history"]
    assert len(h["iteration"]) == len(h["cpu_seconds"]) == len(h["residual"]) > 0 and min(h["residual"]) == r["residual"], r
PY
check "a folder" status 0 contacts solve steps --solver step,gauss-seidel --quiet --to runs.csv --figure profile.svg
check "a row a run" [ "$(wc -l <runs.csv)" = "$((1 + 2 * $(find steps -name '*.json' | wc -l)))" ]
check "a row a solver" has out "Fastest on"
check "a profile" has profile.svg "</svg>"
for plot in profile residual-time residual-iterations; do
  check "numbers of $plot" status 0 contacts solve "$first" "$last" --solver gauss-seidel --plot $plot --figure $plot.csv --quiet
  check "of the solver" has $plot.csv gauss-seidel
done
check "limits" status 1 contacts solve "$last" --solver gauss-seidel --tolerance 0 --iterations 3 --json
check "are told" has out max_iterations
check "no such solver" status 2 contacts solve "$last" --solver newtn
check "the nearest" has err "did you mean 'newton'"
check "no such figure" status 2 contacts solve "$last" --plot profil --figure x.svg
check "no file" status 2 contacts solve nothing.json
check "names it" has err nothing.json
check "options of another form" status 2 contacts solve "$last" --as fc2d
check "of the list of contacts" status 2 contacts "$fall" --solver path

# --- converted
for form in fc2d gfc2d; do
  for storage in columns triplets dense; do
    check "to $form, $storage" status 0 contacts convert "$last" "$storage.$form" --storage $storage
    check "back and again" status 0 contacts convert "$storage.$form" "$storage-$form.json"
    check "to $form once more" status 0 contacts convert "$storage-$form.json" "again-$storage.$form" --storage $storage
    check "the same" cmp "$storage.$form" "again-$storage.$form"
  done
done
cp dense.gfc2d dense.dat
check "by content" status 0 contacts solve dense.dat columns.fc2d --json
check "both forms" python3 - <<'PY'
import json
a, b = json.load(open("out"))["problems"]
assert not a["reduced"] and b["reduced"] and a["contacts"] == b["contacts"] == 2
assert [r["outcome"] for r in b["runs"]] == ["not_taken"] + ["solved"] * 5, b["runs"]
PY
check "not over a file" status 2 contacts convert "$last" dense.fc2d
check "says so" has err exists
sed '9s/:/;/' columns.fc2d >broken.fc2d
check "a broken file" status 2 contacts solve broken.fc2d
check "file, line, what was expected" has err "broken.fc2d:9: “;” is not it (expected “:”)"
sed 's/"mu":\[0.5/"mu":[-1/' "$last" >broken.json
check "a broken number" status 2 contacts solve broken.json
check "file, member, what was expected" has err "broken.json: mu[0]: -1 is no such number (expected a finite number, not negative)"
# --- the shipped problems
check "as files" status 0 bench contact-solvers --data shipped
check "two hundred" [ "$(find shipped -name '*.json' | wc -l)" = 200 ]
check "as they lie in the source" diff -r -x README.md -x draw.py shipped "$root/data/bench/steps"
check "chains and jams" status 0 bench contact-solvers --problems chain,wedge --solver step,gauss-seidel --quiet --json --to rows.csv
check "by what simulates, all of them" python3 - <<'PY'
import json
problems = json.load(open("out"))["problems"]
assert len(problems) == 28 and all("history" not in r for p in problems for r in p["runs"]), len(problems)
for p in problems:
    step = p["runs"][0]
    assert step["solver"] == "step" and step["outcome"] == "solved" and step["residual"] <= 1e-8, (p["file"], step)
PY
check "no such problem" status 2 bench contact-solvers --problems nothing
check "no file" status 2 bench contact-solvers x.json
check "the schema" status 0 contacts schema
check "is JSON" python3 -c 'import json; assert "M" in json.load(open("out"))["properties"]'
finish
