#!/usr/bin/env python3
"""Checks keys and names of commands in texts against the rows of the window (SsuiCommand, SsuiKey, the list of pages):
  - no two commands of the window have one key;
  - each key that help, manual, README, tutorials and tips name is a key of a row, or of a widget's own (F2, Ctrl+A in lists);
  - a tip of a button with an action ends with a key of that action, and a letter on a tool is the key of that tool;
  - each "win.NAME" that a widget asks for is a command."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
marks = re.compile(r'\bN?_ \(("(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*)\)| translatable="yes"')  # for translation
text_of = {path: marks.sub(lambda mark: mark.group(1) or "", path.read_text()) for path in sorted((root / "ui").rglob("*")) if path.suffix in (".c", ".ui")}
source = "\n".join(text for path, text in text_of.items() if path.suffix == ".c")
problems = []


def normal(key):
    """"<Control><Shift>z", "Shift+Ctrl+Z" -> "ctrl+shift+z"."""
    parts = re.findall(r"<(\w+)>", key) + [re.sub(r"<\w+>", "", key)] if "<" in key else re.split(r"\+(?=.)", key)
    names = {"control": "ctrl", ".": "period", ",": "comma", "page down": "page_down", "arrow keys": "left", "arrows": "left", "enter": "return",
             "[": "bracketleft", "]": "bracketright"}
    parts = [names.get(part.strip().lower(), part.strip().lower()) for part in parts]
    return "+".join(sorted(parts[:-1]) + parts[-1:])


# Rows: keys of each action.
keys_of, of_window = {}, {}
for name, rest in re.findall(r'\{\s*\.name = "([\w-]+)"((?:[^{}"]|"[^"]*")*)\}', source):
    target = re.search(r'\.target = "([^"]*)"', rest)
    for keys in re.findall(r'\.keys = "([^"]*)"', rest):
        keys_of.setdefault("win." + name + (target.group(1) if target else ""), []).extend(map(normal, keys.split()))
of_window.update(keys_of)
for keys, action in re.findall(r'\{\s*SSUI_KEYS_\w+,\s*(?:NULL|"[^"]*"),\s*"([^"]*)",\s*(NULL|"[^"]*")\s*\}', source):
    keys_of.setdefault(action.strip('"'), []).extend(map(normal, keys.split()))
pages = re.findall(r"&ssui_(\w+)_page", re.search(r"ssui_pages\[\] = \{(.*?)\}", source, re.S).group(1))[1:]
for number, page in enumerate(pages, 1):
    keys_of[f"win.page::{page}"] = of_window[f"win.page::{page}"] = [f"alt+{number}"]
owner = {}
for action, keys in of_window.items():
    for key in keys:
        if owner.setdefault(key, action) != action:
            problems.append(f"{key}: {owner[key]} and {action}")
known = {key for keys in keys_of.values() for key in keys}
known |= {("ctrl+" if "CONTROL" in line else "") + key.lower() for line in source.splitlines() for key in re.findall(r"GDK_KEY_(\w+)", line)}
if len(keys_of) < 60 or len(pages) < 6:
    problems.append(f"{len(keys_of)} actions with keys, {len(pages)} pages: the rows were not understood")

# Texts. Those of a table of keys: "B, D, K", "Ctrl+C, X, V, D", "[ and ]".
named = []
window_pages = sorted((root / "data/manual/window").glob("*.md"))
for cell in re.findall(r"^\| ([^|]*?) \|", "\n".join(page.read_text().partition("## Keys")[2] for page in window_pages), re.M):
    keys = re.split(r", | and ", cell)
    prefix = re.match(r"((?:Ctrl|Shift|Alt)\+)\w$", keys[0])
    all_letters = prefix and all(len(key) == 1 for key in keys[1:])
    if cell not in ("keys", "Store Run") and not set(cell) <= set("- "):
        named += [("data/manual/window", (prefix.group(1) if all_letters and at else "") + key) for at, key in enumerate(keys)]
texts = {"README.md", "app/session/ssapp-tutorial.c"} | {str(path.relative_to(root)) for path in (root / "data/manual").rglob("*.md")}
for name in sorted(texts) + [str(path.relative_to(root)) for path in text_of]:
    content = (root / name).read_text()
    for word in re.findall(r"(?<![\w<])((?:(?:Ctrl|Shift|Alt)\+)+(?:\w+|[.,?])|F[1-9]\d?)(?![\w°])", re.sub(r"/\*.*?\*/", "", content, flags=re.S)):
        named.append((name, word))
for name, key in named:
    base = re.sub(r"^(shift\+)", "", normal(key))
    if normal(key) not in known and not (base in ("click", "tab", "return", "space", "enter", "left", "up", "down", "right") or base.endswith("+click")):
        problems.append(f"{name}: {key} is no key")

# Buttons of the files of widgets.
for path, content in text_of.items():
    for button in re.findall(r'<object class="Gtk(?:Toggle)?Button".*?(?=<object class="Gtk(?:Toggle)?Button"|\Z)', content, re.S) if path.suffix == ".ui" else ():
        action = re.search(r'"action-name">([\w.-]+)<', button)
        target = re.search(r"\"action-target\">'([\w-]+)'<", button)
        told = re.search(r'"tooltip-text">[^<]*\(([^()]*)\)<', button)
        letter = re.search(r'"label">(\w)</property>.{0,200}"tool-key"', button)
        detailed = action and action.group(1) + (f"::{target.group(1)}" if target else "")
        keys = keys_of.get({"win.tool::motor": "win.motor-tool", "win.study-start-or-pause": "win.run"}.get(detailed, detailed), [])
        for shown in (told, letter):
            if shown and re.fullmatch(r"((Ctrl|Shift|Alt)\+)*(\w|F\d+)", shown.group(1)) and normal(shown.group(1)) not in keys + ["0"]:
                problems.append(f"{path.relative_to(root)}: {detailed} has the keys {keys}, not {shown.group(1)}")

# Names of commands.
commands = set(re.findall(r'\.name = "([\w-]+)"', source)) | {"status", "show-help-overlay"}
commands.add("history-empty")  # of a line that cannot be chosen
for name in re.findall(r'"win\.([\w-]+)', source) + re.findall(r'>win\.([\w-]+)<', "\n".join(text for path, text in text_of.items() if path.suffix == ".ui")):
    if name not in commands:
        problems.append(f"win.{name}: no command")

print("\n".join(sorted(set(problems))))
print(f"{0 if problems else 1} passed, {len(set(problems))} failed")
sys.exit(1 if problems else 0)
