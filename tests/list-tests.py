#!/usr/bin/env python3
"""Lists the meson tests of one suite of a build directory: name, tab, command line with absolute paths."""
import json
import os
import shlex
import subprocess
import sys

directory, suite = sys.argv[1:3]
tests = json.loads(subprocess.run(["meson", "introspect", "--tests", directory], check=True, capture_output=True).stdout)


def absolute(word):
    """meson names what it built relative to the build directory."""
    path = os.path.join(os.path.abspath(directory), word)
    return path if os.path.exists(path) else word


for test in tests:
    if any(s.split(":")[-1] == suite for s in test["suite"]):
        env = "".join(f"{key}={shlex.quote(value)} " for key, value in test.get("env", {}).items())
        print(test["name"], env + shlex.join(map(absolute, test["cmd"])), sep="\t")
