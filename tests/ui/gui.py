"""Drives the real window as a person would: accessibility tree, mouse and keys (xdotool), actions over D-Bus, screenshots.

Every wait polls with a time limit: replies lag the program by some milliseconds, a fixed sleep would be slow or wrong.
"""
import os
import subprocess
import sys
import time
import traceback

import pyatspi

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("STICKSLIP", os.path.join(ROOT, "build", "app", "stickslip"))
CLI = os.environ.get("STICKSLIP_CLI", os.path.join(ROOT, "build", "app", "stickslip-cli"))
SHOTS = os.environ.get("STICKSLIP_SHOTS")  # folder for screenshots; none are taken when it is not set
APP_ID = "org.stickslip.Stickslip"


def sh(*args):
    return subprocess.run(args, check=True, text=True, capture_output=True).stdout


def until(condition, timeout=10.0, step=0.03, what=None):
    """Polls until condition() is true and returns its value. The tree may change under us: exceptions count as not yet."""
    end = time.time() + timeout
    last = None
    while True:
        try:
            value = condition()
            if value:
                return value
        except Exception as error:  # noqa: BLE001: any failure of a look-up means "look again"
            last = error
        if time.time() > end:
            raise AssertionError(f"timed out after {timeout} s waiting for {what or condition}" + (f" ({last})" if last else ""))
        time.sleep(step)


def walk(node):
    yield node
    for child in node:
        if child:
            yield from walk(child)


class App:
    def __init__(self, *arguments, title="Stickslip", log="/tmp/stickslip-gui.log", env=None):
        self.log = log
        environment = dict(os.environ, GSETTINGS_SCHEMA_DIR=os.path.join(ROOT, "build", "data"), **(env or {}))
        self.proc = subprocess.Popen([PROGRAM, *arguments], stdout=open(log, "w"), stderr=subprocess.STDOUT, env=environment)
        self.acc = until(self._accessible, 20, what="the program on the accessibility bus")
        self.win = until(lambda: sh("xdotool", "search", "--onlyvisible", "--name", title).split()[-1], 20, what="the window")
        sh("xdotool", "windowactivate", "--sync", self.win)

    def _accessible(self):
        if self.proc.poll() is not None:
            raise AssertionError(f"the program ended with {self.proc.returncode}: {open(self.log).read()}")
        return next(a for a in pyatspi.Registry.getDesktop(0) if a and a.name.lower().startswith("stickslip"))

    # --- looking
    def frame(self):
        return next(n for n in self.acc if n.getRoleName() == "frame")

    def all(self, role, text=""):
        """Every visible node of a role whose name contains text."""
        found = []
        for node in walk(self.acc):
            if node.getRoleName() == role and text in (node.name or ""):
                if node.queryComponent().getExtents(pyatspi.WINDOW_COORDS).width > 0:
                    found.append(node)
        return found

    def find(self, role, text, timeout=10.0):
        return until(lambda: self.all(role, text)[0], timeout, what=f"{role} '{text}'")

    def has(self, role, text):
        return bool(self.all(role, text))

    def texts(self):
        return [n.name for n in walk(self.acc) if n.getRoleName() == "label" and n.name]

    def wait_text(self, text, timeout=10.0):
        return until(lambda: next(t for t in self.texts() if text in t), timeout, what=f"the text '{text}'")

    # --- acting
    def click(self, role, text):
        action = self.find(role, text).queryAction()
        names = [action.getName(i) for i in range(action.nActions)]
        assert action.doAction(names.index("click")), f"{role} '{text}' refused the click"

    def action(self, name, *parameters, window=1):
        """Activates a GAction: 'win.undo' or 'app.quit'; parameters are GVariant texts such as \"'crisp'\"."""
        scope, bare = name.split(".", 1)
        path = "/" + APP_ID.replace(".", "/") + (f"/window/{window}" if scope == "win" else "")
        sh("gdbus", "call", "--session", "--dest", APP_ID, "--object-path", path, "--method", "org.gtk.Actions.Activate",
           bare, "[" + ",".join(f"<{p}>" for p in parameters) + "]", "{}")

    def set_text(self, label, value):
        entry = self.find("text", label)
        entry.queryEditableText().setTextContents(value)
        text = entry.queryText()
        until(lambda: text.getText(0, text.characterCount) == value, what=f"'{label}' to read '{value}'")

    def origin(self, node):
        """Top left of a node in X window coordinates: frame coordinates plus half of the shadow's width."""
        geometry = dict(line.split("=") for line in sh("xdotool", "getwindowgeometry", "--shell", self.win).split())
        frame = self.frame().queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        extents = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        return ((int(geometry["WIDTH"]) - frame.width) // 2 + extents.x, (int(geometry["HEIGHT"]) - frame.height) // 2 + extents.y)

    def move(self, node, x, y):
        ox, oy = self.origin(node)
        sh("xdotool", "mousemove", "--window", self.win, str(ox + x), str(oy + y))

    def press(self, node, x, y, button="1"):
        self.move(node, x, y)
        sh("xdotool", "click", button)

    def drag(self, node, x0, y0, x1, y1, steps=8):
        self.move(node, x0, y0)
        sh("xdotool", "mousedown", "1")
        for i in range(1, steps + 1):
            self.move(node, x0 + (x1 - x0) * i // steps, y0 + (y1 - y0) * i // steps)
            time.sleep(0.01)
        sh("xdotool", "mouseup", "1")

    def key(self, *keys):
        sh("xdotool", "key", *keys)

    def shot(self, name):
        if SHOTS:
            sh("xdotool", "mousemove", "1279", "799")
            time.sleep(0.25)
            sh("import", "-window", self.win, os.path.join(SHOTS, name + ".png"))

    def quit(self, timeout=10):
        self.action("app.quit")
        status = self.proc.wait(timeout)
        assert status == 0, f"the program ended with {status}: {open(self.log).read()}"
        noise = [line for line in open(self.log).read().splitlines() if "CRITICAL" in line or "WARNING" in line]
        assert not noise, "GTK complained: " + "; ".join(noise[:3])


def run(*tests):
    """Runs test functions, prints one line each and the closing count; exits with 1 on a failure."""
    passed = failed = 0
    for test in tests:
        try:
            test()
            passed += 1
            print("ok", test.__name__, flush=True)
        except Exception:  # noqa: BLE001
            failed += 1
            print("not ok", test.__name__, flush=True)
            traceback.print_exc(file=sys.stdout)
    print(f"{passed} passed, {failed} failed", flush=True)
    sys.exit(1 if failed else 0)
