#!/usr/bin/env python3
"""How busy a study keeps two cores: sweep-busy.py PROGRAM SCENARIO RUNS [LEAST]

Others may use the cores too, so what is counted is how often two of the study's threads, or more, run or wait for a core:
100 % means that a core was never free for want of work. Fails below LEAST percent."""
import os, resource, subprocess, sys, time

program, scenario, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
least = float(sys.argv[4]) if len(sys.argv) > 4 else 0
command = [program, "sweep", scenario, "--vary", "j=0:9:10", "--vary", f"mu=0.1:1:{runs // 20}", "--methods", "crisp,crisp:relax=10",
           "--jobs", "2", "--project", f"busy-{runs}.stickslip"]


def wanting(process):
    """Threads of a process that run or could."""
    n = 0
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/stat") as file:
                n += file.read().rpartition(")")[2].split()[0] == "R"
    except OSError:
        pass
    return n


start = time.monotonic()
sweep = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
samples = total = 0
while sweep.poll() is None:
    try:
        with open(f"/proc/{sweep.pid}/task/{sweep.pid}/children") as file:
            children = file.read().split()
    except OSError:
        break
    total += min(2, wanting(sweep.pid) + sum(map(wanting, children)))
    samples += 1
    time.sleep(0.013)
status = sweep.wait()
wall = time.monotonic() - start
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
busy = 100 * total / max(1, samples) / 2
print(f"  {runs} runs in {wall:.1f} s, {usage.ru_utime + usage.ru_stime:.1f} s of CPU time; two cores were wanted {busy:.1f} % of the time")
sys.exit(0 if status in (0, 1) and busy >= least else 1)
