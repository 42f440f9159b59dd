#!/usr/bin/env python3
"""Lists the meson tests of suites of a build directory: `alone` (for what measures time; meson's is_parallel: false) or `beside`, name,
command line with absolute paths; tabs between. Those of higher priority, the long ones, first; else in the order of the suites."""
import json
import os
import shlex
import sys

directory, suites = sys.argv[1], sys.argv[2:]
# What `meson introspect --tests` prints, which takes four times as long.
with open(os.path.join(directory, "meson-info", "intro-tests.json"), encoding="utf-8") as listed:
    tests = json.load(listed)


def absolute(word):
    """meson names what it built relative to the build directory."""
    path = os.path.join(os.path.abspath(directory), word)
    return path if os.path.exists(path) else word


def place(test):
    """Which of the suites the test is in first; None: in none of them."""
    own = [s.split(":")[-1] for s in test["suite"]]
    return next((i for i, suite in enumerate(suites) if suite in own), None)


for test in sorted((t for t in tests if place(t) is not None), key=lambda t: (-t["priority"], place(t))):
    env = "".join(f"{key}={shlex.quote(value)} " for key, value in test.get("env", {}).items())
    how = "beside" if test["is_parallel"] else "alone"
    print(how, test["name"], env + shlex.join(map(absolute, test["cmd"])), sep="\t")
