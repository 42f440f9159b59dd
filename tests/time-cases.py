#!/usr/bin/env python3
"""Says what each case of tests takes: seconds of the processor, those of workers that ended included, the slowest first.

  tests/time-cases.py build/tests/test-NAME...    STICKSLIP_TEST_COARSE etc. as for the tests themselves
"""
import os
import subprocess
import sys

TICK = os.sysconf("SC_CLK_TCK")


def spent(pid):
    """Seconds of the processor of a process and of its children that ended (fields 14 to 17 of its stat)."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICK


rows = []
for path in sys.argv[1:]:
    topic, before = os.path.basename(path), 0.0
    with subprocess.Popen([path], stdout=subprocess.PIPE, text=True, errors="replace") as process:
        for line in process.stdout:
            words = line.split()
            if words[:1] == ["ok"] or words[:2] == ["not", "ok"]:
                now = spent(process.pid)
                rows.append((now - before, topic, line.strip()))
                before = now
    rows.append((sum(row[0] for row in rows if row[1] == topic), topic, "ALL" if process.returncode == 0 else "ALL, FAILED"))
for seconds, topic, case in sorted(rows, reverse=True):
    print(f"{seconds:8.2f}  {topic:28} {case}")
