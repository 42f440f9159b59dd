#!/usr/bin/env bash
# Figures and tables of many stored runs; a benchmark's table from its stored runs, against SQL and against itself.
#   test-figure.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# same_as_sql PROJECT BENCH.json GROUP WHERE...: medians by method as `figure` prints them, as SQL has them, as the
# benchmark told them.
same_as_sql() {
  python3 - "$@" <<'PY'
import csv, json, sqlite3, statistics, subprocess, sys
project, bench, group, scenario, condition = sys.argv[1:6]
db = sqlite3.connect(project)
names = {"objective": "objective_median", "max_violation": "violation_median", "tracking_error.total": "tracking_error_median"}
told = next(g for g in json.load(open(bench))["groups"] if g["name"] == group)["columns"]
ours = {row["method"]: row for row in csv.DictReader(open("summary.csv"))}
name, value = condition.split("=")
runs = db.execute("SELECT number, label, method, options, outcome FROM run WHERE scenario_name = ? AND json_extract(parameters, '$.' || ?) = ?",
                  (scenario, name, float(value))).fetchall()
found = {}
for number, label, method, options, outcome in runs:
    found.setdefault((label, method, options), []).append((number, outcome))
assert len(found) == len(ours), (found.keys(), ours.keys())
for (label, method, options), members in found.items():
    text = "".join(f", {k} {v}" for k, v in json.loads(options).items())
    row = ours[label + text]
    column = told[method + "".join(f":{k}={v}" for k, v in json.loads(options).items())]
    assert int(row["runs"]) == len(members) == column["instances"], (row, column)
    assert int(row["solved"]) == sum(o == "solved" for _, o in members), row
    for metric, key in names.items():
        values = [v for n, _ in members for (v,) in db.execute("SELECT value FROM metric WHERE run = ? AND name = ? AND value IS NOT NULL", (n, metric))]
        if metric in row:
            assert float(row[metric]) == statistics.median(values), (metric, row[metric], values)
            assert abs(float(row[metric]) - column[key]) <= 1e-14 * abs(column[key]), (metric, row[metric], column[key])
PY
}

check "a benchmark stores its runs" status 0 bench crisp --instances quick --problems push-box \
  --methods crisp,crisp:preset=paper --repeats 1 --project b.stickslip --json --quiet
mv out bench.json
for n in 100 200; do
  check "medians, N = $n" status 0 figure --all-of-project --project b.stickslip --where N=$n --table summary --unsolved --to summary.csv
  check "are those of SQL and of the benchmark" same_as_sql b.stickslip bench.json "push-box, N = $n" push-box N=$n
done
if [ "${STICKSLIP_TEST_ALL:-0}" = 1 ]; then # the listed instances of one method of the whole suite: a minute
  check "the whole suite" status 0 bench crisp --methods crisp --repeats 1 --project all.stickslip --json --quiet
  mv out all.json
  for n in 100 200; do
    check "its medians, N = $n" status 0 figure --all-of-project --project all.stickslip --scenario push-box --where N=$n --table summary --unsolved --to summary.csv
    check "are the same" same_as_sql all.stickslip all.json "push-box, N = $n" push-box N=$n
  done
fi

run=(figure --all-of-project --project b.stickslip)
for kind in heat box performance data success curves work; do
  check "$kind as a table" status 0 "${run[@]}" --kind $kind
  check "has its methods" has out "CRISP"
  check "$kind as SVG" status 0 "${run[@]}" --kind $kind --to $kind.svg
  check "is a picture" has $kind.svg "</svg>"
done
check "what decides as a table" status 0 "${run[@]}" --kind decides --metric objective
check "has its factors" has out "Method"
check "as SVG" status 0 "${run[@]}" --kind decides --to decides.svg
check "six panels together are small" [ "$(cat heat.svg box.svg performance.svg data.svg success.svg curves.svg | wc -c)" -lt 120000 ]
check "as PDF, a page wide" status 0 "${run[@]}" --kind heat --width 180 --to heat.pdf
check "for LaTeX" status 0 "${run[@]}" --table summary --to summary.tex
check "with rules" has summary.tex '\toprule'
check "for pgfplots" status 0 "${run[@]}" --kind performance --to profile.tikz
check "with axes" has profile.tikz '\begin{axis}'
check "no map for pgfplots" status 2 "${run[@]}" --kind heat --to heat.tikz
if [ "${STICKSLIP_TEST_ALL:-0}" = 1 ] && command -v pdflatex >/dev/null && kpsewhich pgfplots.sty >/dev/null; then
  "$cli" "${run[@]}" --kind box --to box.tikz && "$cli" "${run[@]}" --kind data --to data.pdf
  cat >paper.tex <<'TEX'
\documentclass{article}
\usepackage[margin=10mm,a3paper]{geometry}
\usepackage{booktabs,graphicx,pgfplots}
\usepgfplotslibrary{statistics}
\pgfplotsset{compat=1.16}
\begin{document}
\noindent\includegraphics[width=88mm]{heat.pdf}\includegraphics{data.pdf}

\noindent\input{summary.tex}

\noindent\input{profile.tikz}\input{box.tikz}
\end{document}
TEX
  check "a paper with all of them" bash -c 'pdflatex -interaction=nonstopmode paper.tex >paper.txt 2>&1'
  check "without warnings" bash -c '! grep -iE "warning|overfull|underfull" paper.txt'
fi
check "hidden by label" status 0 "${run[@]}" --hide "CRISP, preset paper"
check "is gone" hasnt out "preset paper"
check "hidden by name" status 0 "${run[@]}" --hide crisp
check "leaves nothing" has out "All methods are hidden."
check "within a factor" status 0 "${run[@]}" --kind data --within 1.1
check "says so" has out "within 10 %"
check "everything at once" status 0 "${run[@]}" --all --to figures
check "is told" has out "figures/heat.pdf"
for name in runs.csv summary.tex performance.csv box-cpu.pdf; do
  check "$name is there" [ -s figures/$name ]
done
check "a study" status 0 sweep "$box" --vary mu=0.3,0.5 --vary j=0,8 --methods crisp,crisp:relax=10 --title Pushing --project s.stickslip --quiet
check "its maps" status 0 figure Pushing --project s.stickslip --kind heat --to heat.csv
check "a cell each" [ "$(grep -c solved heat.csv)" -ge 9 ] # with the heading
by_hand s.stickslip "UPDATE run SET deleted = 'now' WHERE number = 3"
check "one run removed" status 0 figure last --project s.stickslip --kind heat --to heat.csv
check "is to be made again" [ "$(grep -c queued heat.csv)" = 1 ]
for dt in 0.02 0.01 0.005 0.0025; do
  check "a simulation of step $dt" status 0 simulate "$root/examples/classics/held-pendulum.stickslip.json" --method moreau-jean --dt $dt --project o.stickslip --quiet
done
check "an order plot" status 0 figure --all-of-project --project o.stickslip --kind curves --x dt --metric steps --log-y
check "twice the steps at half the step" has out "Slope of Moreau–Jean through the logarithms: -1."
check "no study, no run" status 2 figure Pulling --project s.stickslip
id=$("$cli" list b.stickslip --ids | head -n 1)
check "single runs" status 0 figure "$id" last --project b.stickslip --kind success
check "a profile of one problem" status 0 figure "$id" --project b.stickslip --kind data
check "is none" has out "these runs are of one"
check "nor" status 0 figure "$id" --project b.stickslip --all --to single --quiet
check "is it written with all others" [ ! -e single/data.pdf -a ! -e single/performance.pdf -a ! -e single/decides.pdf -a -e single/success.pdf ]
check "no runs" status 2 figure --project b.stickslip
check "says what is needed" has err "needs a study, runs, or --all-of-project"
check "unknown kind" status 2 "${run[@]}" --kind boxes
check "suggests one" has err "did you mean 'box'"
check "unknown metric" status 2 "${run[@]}" --metric objectiv
check "unknown axis" status 2 "${run[@]}" --kind heat --x jj
check "lists the axes" has err "there is no axis 'jj'"
check "unknown method" status 2 "${run[@]}" --hide ipopt
check "a factor below one" status 2 "${run[@]}" --within 0.5
check "a name without meaning" status 2 "${run[@]}" --to figure.gif
check "says which there are" has err ".pdf, .svg, .png, .tikz, .csv, .tsv"
check "too narrow" status 2 "${run[@]}" --width 3
finish
