#!/usr/bin/env python3
"""data/manual_pages.py: what the pages of data/manual run and show; as a program it writes the manual for a browser.

    manual_pages.py PROGRAM SOURCE_ROOT FOLDER     pictures, made by the commands of their pages, and NAME.html of each page

A page is a user's session: its fenced `sh` blocks are run from top to bottom in one scratch folder in which build/app holds the programs and
examples/ and data/ are the source's. Words behind `sh` change that; tests/cli/test-manual.py says which. A picture is a comment behind the block
that writes it, with what it shows; readers of the source see no broken picture, and none is kept beside the commands that make it:

    <!-- picture fall.svg: Height and speed of the box over time -->
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def blocks(page):
    """(words behind sh, line, commands, lines that the last one prints) of each block; a line that ends in a backslash goes on."""
    text = page.read_text()
    for found in re.finditer(r"^```sh(.*)\n((?:.*\n)*?)```$(?:\n```text\n((?:.*\n)*?)```$)?", text, re.M):
        line = text.count("\n", 0, found.start()) + 2
        commands = re.sub(r"\\\n\s*", "", found.group(2)).splitlines()
        yield found.group(1).split(), line, [c for c in commands if c.strip() and not c.startswith("#")], (found.group(3) or "").splitlines()


def pictures(page):
    """Names of the files that the page shows."""
    return re.findall(r"^<!-- picture ([\w-]+\.svg): .+ -->$", page.read_text(), re.M)


def furnish(work, program, root):
    """The scratch folder of a page."""
    os.makedirs(f"{work}/build")
    os.symlink(program.parent, f"{work}/build/app")
    for folder in ("examples", "data", "tests"):
        os.symlink(root / folder, f"{work}/{folder}")


def run(command, work, seconds, environment=None):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=work, env=environment, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=seconds)


def draw(page, program, root, folder):
    """The pictures of a page: its commands are run until the last one is there."""
    missing = set(pictures(page))
    if not missing:
        return
    with tempfile.TemporaryDirectory() as work:
        furnish(work, program, root)
        for words, line, commands, _ in blocks(page):
            for command in commands if not {"printed", "slow"} & set(words) else []:
                done = run(command, work, 250)
                if done.returncode and f"ends={done.returncode}" not in words:
                    sys.exit(f"{page}:{line}: {command}\n{done.stderr}")
                for name in [m for m in missing if os.path.exists(f"{work}/{m}")]:
                    shutil.copy(f"{work}/{name}", folder)
                    missing.remove(name)
                if not missing:
                    return
    sys.exit(f"{page}: its commands make no {', '.join(sorted(missing))}")


def main():
    program, root, folder = (Path(p).resolve() for p in sys.argv[1:])
    pages = sorted((root / "data" / "manual").rglob("*.md"))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with concurrent.futures.ThreadPoolExecutor(2) as two:
        list(two.map(lambda page: draw(page, program, root, folder), pages))
    sys.exit(subprocess.run([program, "guide", "--to", f"{folder}/"], check=False).returncode)


if __name__ == "__main__":
    main()
