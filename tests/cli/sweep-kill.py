#!/usr/bin/env python3
"""Kills a study at random moments and lets it go on: sweep-kill.py PROGRAM SCENARIO KILLS

After each kill the project is sound and has every run that had ended; at the end every task has one run that ended, none
was made twice, and no other run is left."""
import random, signal, sqlite3, subprocess, sys, time

program, scenario, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
tasks = 16 if kills <= 5 else 240
project = f"kill-{kills}.stickslip"
command = [program, "sweep", scenario, "--vary", "N=40,41", "--vary", f"mu=0.2:1:{tasks // 4}", "--methods", "crisp,crisp:correction=better",
           "--jobs", "2", "--project", project]
ENDED = "outcome NOT IN ('running', 'interrupted', 'cancelled')"


def ask(sql):
    with sqlite3.connect(project) as db:
        return db.execute(sql).fetchall()


def ended():
    return {row[0] for row in ask(f"SELECT id FROM run WHERE deleted IS NULL AND {ENDED}")}


random.seed(15)
before, hits, restarts = set(), 0, 0
while hits < kills:
    sweep = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0.02, 0.35))
    is_done = sweep.poll() is not None
    sweep.send_signal(signal.SIGKILL)
    sweep.wait()
    try:
        has_tables = ask("SELECT count(*) FROM sqlite_schema WHERE name = 'study_run'")[0][0] == 1
    except sqlite3.OperationalError:
        has_tables = False
    if has_tables:
        assert ask("PRAGMA integrity_check") == [("ok",)], "the project is damaged"
        now = ended()
        assert before <= now, f"{len(before - now)} runs that had ended are lost"
        before = now
    hits += not is_done
    if is_done:  # all runs are there: the rest of the kills finds a study that begins anew
        restarts += 1
        command[command.index("--vary") + 3] = f"mu=0.2:{1 + restarts}:{tasks // 4}"
result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
assert result.returncode in (0, 1), result.stderr
assert before <= ended(), "the last start lost a run"
assert ask("PRAGMA integrity_check") == [("ok",)]
studies = ask("SELECT number, n_tasks FROM study ORDER BY number")
for number, n in studies:
    linked = ask(f"SELECT count(*), count(DISTINCT run_id) FROM study_run s JOIN run r ON r.id = s.run_id WHERE study = {number} AND deleted IS NULL AND {ENDED}")
    assert linked == [(n, n)], f"{linked} of {n} tasks have a run"
total = sum(n for _, n in studies)
assert ask("SELECT count(*) FROM run WHERE deleted IS NULL") == [(total,)], "runs are left over"
# A run that ended is never made again, not even where the user does not see it; studies that begin anew share their first value.
twice = ask(f"SELECT count(*) FROM run WHERE deleted IS NOT NULL AND {ENDED}")
assert twice == [(0,)], f"{twice} runs were made twice"
interrupted = ask("SELECT count(*) FROM run WHERE outcome = 'interrupted'")[0][0]
print(f"  {hits} kills, {total} tasks, {interrupted} runs were interrupted and made again")
