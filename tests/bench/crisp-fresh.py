#!/usr/bin/env python3
"""CRISP on problems that nobody has tuned to: the six scenarios of the paper with other masses, lengths, friction, starts, targets and guesses.

    crisp-fresh.py BUILD/tests/bench-crisp-dev [--problems A,B] [--count N] [--seed S] [--option NAME=VALUE]... [--against FILE.csv] [--to FILE.csv]

Prints per problem: solved, success by the paper's limits, medians of objective, iterations, interior-point iterations and CPU time; with --against, the
geometric means of objective and interior-point iterations relative to an earlier run's --to. Results are chaotic: compare means over problems.
"""
import argparse
import csv
import math
import random
import re
import statistics
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples' / 'crisp'
LINE = re.compile(r'\S+\s+(\S+)\s+(\d) obj\s+(\S+) viol\s+(\S+) track\s+\S+\s+it\s+(\d+) qp\s+(\d+) ip\s+(\S+)\s+(\S+) ms')


def instances(count, seed):
    """(problem, parameters), the same for the same seed."""
    r = random.Random(seed)
    u = r.uniform
    for i in range(count):
        yield 'cartpole', dict(N=r.choice([100, 150]), x0=u(-.7, .7), th0=math.pi + u(-.6, .6), xd0=u(-1, 1), thd0=u(-2, 2),
                               mp=u(.07, .2), mc=u(.7, 1.4), l=u(.6, 1), k1=u(120, 300), k2=u(120, 300), seed=i + 5,
                               noise=r.choice([0, .05, .1]))
        th = u(0, 6.2)
        yield 'push-box', dict(N=r.choice([100, 140, 200]), tht=th, xt=u(1.5, 3.5) * math.cos(th + u(-.5, .5)),
                               yt=u(1.5, 3.5) * math.sin(th + u(-.5, .5)), a=u(.35, .6), b=u(.2, .35), m=u(.6, 1.6), mu=u(.3, .6))
        start, end = r.choice([0, 0, 2, -4, 1]), r.choice([0, 0, -2, -1])
        yield 'transport', dict(N=r.choice([150, 200]), x10=3 + u(-.6, .6), x20=3, v10=start, v20=start, x1t=u(-.6, .6), x2t=0,
                                v1t=end, v2t=end, m1=u(.7, 1.5), m2=u(1.5, 3), mu=u(.15, .35))
        radius, angle = u(.15, 1.5), u(0, 2 * math.pi)
        yield 'push-t', dict(N=50, px0=0, py0=0, th0=u(-1, 1), xt=radius * math.cos(angle), yt=radius * math.sin(angle), tht=u(-3, 3),
                             m=u(.7, 1.5), mu=u(.3, .5))
        yield 'hopper', dict(N=200, py0=u(1.2, 1.9), pxt=u(.8, 3), pyt=1, m=u(.7, 1.5), r0=u(.7, .85))
        speed = u(.5, 2)
        yield 'waiter', dict(N=100, x10=-u(3.5, 6.5), v1t=speed, v2t=speed, m1=u(1.5, 3), m2=u(.7, 1.4), mu1=u(.07, .15))


def run(binary, problem, parameters, options):
    command = [binary, '-f', str(EXAMPLES / f'{problem}.stickslip.json')]
    if problem == 'push-box':
        command += ['-w', 'j=0']
    for name, value in parameters.items():
        command += ['-s', f'{name}={value!r}']
    for option in options:
        command += ['-o', option]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    found = LINE.search(done.stdout)
    if found is None:
        sys.exit(f'{problem}: {done.stdout}{done.stderr}')
    outcome, success, objective, violation, iterations, qps, inner, ms = found.groups()
    return dict(outcome=outcome, success=int(success), objective=float(objective), violation=float(violation), iterations=int(iterations),
                inner=float(inner) * int(qps), ms=float(ms))


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('binary')
    parser.add_argument('--problems', default='cartpole,push-box,transport,push-t,hopper,waiter')
    parser.add_argument('--count', type=int, default=12)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--option', action='append', default=[])
    parser.add_argument('--against')
    parser.add_argument('--to')
    a = parser.parse_args()
    results = {name: [] for name in a.problems.split(',')}
    for problem, parameters in instances(a.count, a.seed):
        if problem in results:
            results[problem].append(run(a.binary, problem, parameters, a.option))
    old = {}
    if a.against:
        with open(a.against, newline='') as file:
            for row in csv.DictReader(file):
                old.setdefault(row['problem'], []).append(row)
    for problem, rows in results.items():
        median = {key: statistics.median(row[key] for row in rows) for key in ('objective', 'iterations', 'inner', 'ms')}
        text = (f"{problem:10} solved {sum(row['outcome'] == 'solved' for row in rows)}, success {sum(row['success'] for row in rows)} of {len(rows)};"
                f" medians: objective {median['objective']:.4g}, iterations {median['iterations']:.0f}, interior-point {median['inner']:.0f},"
                f" {median['ms']:.1f} ms")
        if len(old.get(problem, [])) == len(rows):
            ratios = [geometric_mean([row[key] / float(before[key]) for row, before in zip(rows, old[problem])]) for key in ('objective', 'inner')]
            text += f'; of before: objective {ratios[0]:.3f}, interior-point {ratios[1]:.3f}'
        print(text)
    if a.to:
        with open(a.to, 'w', newline='') as file:
            writer = csv.DictWriter(file, ['problem', 'outcome', 'success', 'objective', 'violation', 'iterations', 'inner', 'ms'])
            writer.writeheader()
            for problem, rows in results.items():
                writer.writerows({'problem': problem, **row} for row in rows)


if __name__ == '__main__':
    main()
