#!/usr/bin/env python3
"""Checks the layers of the source: ui -> app -> engine, and that a room of the engine and of app includes only rooms above it.

Rules (DESIGN: "The house"):
  engine  may include its own rooms in the order below, jansson (scene, and edits of files in plan), Ipopt (nlp only), amd (linalg only), SUNDIALS
          (simulate only) and the C library
  app     may include app/ and engine rooms, GLib, SQLite, Cairo, Pango, jansson; no GTK, except app/main-desktop.c
  ui      may include ui/, app/, engine rooms' headers for types, GTK; no SQLite, no Cairo paths of its own
and every .h has #pragma once, no private header is included from another room. What a header compiled beforehand (app/base/ssapp-pch.h,
ui/parts/ssui-pch.h) shows to every file of a layer is included by those that use it, directly or by a header of ours.

With build directories as arguments it also counts groups of files that call each other in a circle, by the symbols of the objects
(of each file in one of them at least: a build has none of what the option `together` names; a table of functions that another file names counts as a call of them), and the lines of files. Both may only fall: the numbers of
RATCHET are those of today, and who lowers one writes the new one here. It lists the circles with --circles.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOMS = ["core", "linalg", "expr", "geometry", "scene", "dynamics", "judge", "lcp", "qp", "contact", "impact", "simulate", "fesd",
         "mpcc", "nlp", "transcribe", "solve", "bound", "plan", "run", "fit", "library"]
APP_ROOMS = ["live", "base", "exchange", "steps", "draw", "job", "schema", "store", "export", "study", "document", "equations", "sandbox", "impact", "session", "bench", "cli"]
UI_ROOMS = ["parts", "canvas", "pages", "window"]
# Written by the build, not in a room.
GENERATED = {"app/ssapp-build-flags.h", "app/ssapp-build-info.h"}
LIBRARIES = {"jansson.h": {"scene", "plan"}, "IpoptConfig.h": {"nlp"}, "coin/IpoptConfig.h": {"nlp"},
             "IpStdCInterface.h": {"nlp"}, "coin/IpStdCInterface.h": {"nlp"}, "amd.h": {"linalg"},
             "suitesparse/amd.h": {"linalg"}, "cvodes/cvodes.h": {"simulate"}, "nvector/nvector_serial.h": {"simulate"},
             "sunlinsol/sunlinsol_dense.h": {"simulate"}, "sunmatrix/sunmatrix_dense.h": {"simulate"}}
C_LIBRARY = set("""assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h setjmp.h signal.h stdalign.h
stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h time.h unistd.h fcntl.h sys/mman.h sys/stat.h sys/types.h threads.h pthread.h""".split())
# Of each layer: circles, files in them, files of more than LONG lines, lines of the longest file.
LONG = 800
RATCHET = {"engine": (0, 0, 7, 936), "app": (0, 0, 1, 853), "ui": (0, 0, 4, 970)}
# Names of what the headers compiled beforehand hold, and the headers that show it: any of them is enough.
GLIB = {"glib.h", "gio/gio.h", "glib-object.h", "glib/gstdio.h", "glib-unix.h", "gio/gunixinputstream.h"}
GTK = {"gtk/gtk.h", "adwaita.h", "gtksourceview/gtksource.h"}
SHOWN = {
    r"(fabs|sqrt|sin|cos|tan|a?tan2?|acos|asin|hypot|fmin|fmax|floor|ceil|l?round|isfinite|isnan|exp|log(10)?|pow|fmod) ?\(|\b(M_PI|NAN|INFINITY)\b":
        {"math.h"},
    r"(str(n?cmp|len|r?chr|str|spn)|mem(cpy|move|set|cmp)) ?\(": {"string.h"} | GLIB | GTK,
    r"(malloc|calloc|realloc|free|getenv|setenv|strto[dl]|qsort|exit|atoi) ?\(": {"stdlib.h", "jansson.h"} | GLIB | GTK,
    r"(f?printf|puts|f(open|close|flush|puts|read|write)|snprintf) ?\(|\b(stderr|stdout)\b": {"stdio.h", "jansson.h", "glib/gstdio.h"} | GTK,
    r"g_(unlink|remove|rename|rmdir|mkdir|stat|access|fopen|chdir|chmod|open) ?\(": {"glib/gstdio.h"},
    r"(g_\w+ \(|\bG[A-Z][a-z]\w+ \*|\bgboolean\b)": GLIB | GTK,
    r"(GFile|GApplication|GTask|GSubprocess|GListModel|GListStore|GCancellable|GAction|GMenu|GSettings|GBytes \*g_resource)\b": GLIB - {"glib.h", "glib-object.h",
        "glib/gstdio.h"} | GTK,
    r"cairo_\w+": {"cairo.h", "cairo-pdf.h", "cairo-svg.h", "pango/pangocairo.h"} | GTK,
    r"json_\w+ ?\(|json_t\b": {"jansson.h"},
    r"(adw_\w+|ADW_\w+|Adw\w+)": {"adwaita.h"},
    r"(gtk_(?!source_)\w+|GTK_(?!SOURCE_)\w+|Gtk(?!Source)\w+)": GTK,
    r"(gtk_source_\w+|GTK_SOURCE_\w+|GtkSource\w+)": {"gtksourceview/gtksource.h"},
}
SHOWN = {re.compile(r"(?<![\w.>\"])(" + names + ")"): headers for names, headers in SHOWN.items()}
FORBIDDEN_CALLS = re.compile(r"(?<![A-Za-z0-9_.>])(exit|abort|printf|puts|fprintf|setjmp|signal)\s*\(")

root = pathlib.Path(__file__).resolve().parent.parent
problems = []
checked = 0


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1), match.group(2)


def say(path, number, text):
    problems.append(f"{path.relative_to(root)}:{number}: {text}")


for path in sorted((root / "engine").rglob("*.[ch]")):
    checked += 1
    room = path.relative_to(root / "engine").parts[0]
    if room not in ROOMS:
        say(path, 1, f"{room} is no room of the engine")
        continue
    for number, style, name in includes(path):
        if style == "<":
            if name not in C_LIBRARY and room not in LIBRARIES.get(name, set()):
                say(path, number, f"<{name}> may not be included in room {room}")
            continue
        other = name.split("/")[0]
        if other not in ROOMS:
            say(path, number, f'"{name}" is no room of the engine (write "room/ss-name.h")')
        elif ROOMS.index(other) > ROOMS.index(room):
            say(path, number, f"room {room} may not include room {other}, which lies below it")
        elif "private" in name and other != room:
            say(path, number, f'"{name}" is private to room {other}')
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = line.split("//")[0]
        if FORBIDDEN_CALLS.search(code) and not code.lstrip().startswith("*") and "snprintf" not in code and "/*" not in code:
            say(path, number, "the engine does not print, exit or handle signals")

for layer, banned, rooms in (("app", r"^(gtk|adwaita|gdk|gsk)", APP_ROOMS),
                             ("ui", r"^(sqlite3|jansson|cairo-pdf|cairo-svg)", UI_ROOMS)):
    for path in sorted((root / layer).rglob("*.[ch]")):
        checked += 1
        parts = path.relative_to(root / layer).parts
        is_program = len(parts) == 1 and path.name.startswith("main-")
        room = "" if is_program else parts[0]
        if not is_program and room not in rooms:
            say(path, 1, f"{room} is no room of {layer}/")
            continue
        for number, style, name in includes(path):
            if path.name == "main-desktop.c":
                continue
            if re.match(banned, name):
                say(path, number, f"{layer}/ may not include {name}")
            if style == "<":
                continue
            where = name.split("/")
            if layer == "app" and where[0] == "ui":
                say(path, number, "only app/main-desktop.c may include ui/")
            if "private" in name and where[0] in ROOMS:
                say(path, number, f'"{name}" is private to the engine')
            if is_program:
                continue
            if where[0] == layer and len(where) == 3:
                other = where[1]
                if other not in rooms:
                    say(path, number, f'"{name}" is in no room of {layer}/')
                elif rooms.index(other) > rooms.index(room):
                    say(path, number, f"room {layer}/{room} may not include room {other}, which lies below it")
                elif "private" in name and other != room:
                    say(path, number, f'"{name}" is private to room {layer}/{other}')
            elif where[0] == layer and name not in GENERATED:
                say(path, number, f'"{name}" is in no room of {layer}/ (write "{layer}/room/name.h")')

def code_of(path):
    """The text without comments, strings and lines of the preprocessor that include."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.S)
    return re.sub(r'^\s*#\s*include.*$|"(\\.|[^"\\\n])*"', "", text, flags=re.M)


def shown(path, known={}):
    """The headers of libraries that a file includes, directly or by headers of ours."""
    if path not in known:
        known[path] = set()
        for _, style, name in includes(path):
            if style == "<":
                known[path].add(name)
            else:
                known[path].update(*(shown(p) for p in (root / name, root / "engine" / name, path.parent / name) if p.is_file()))
    return known[path]


for path in [p for layer in ("app", "ui") for p in sorted((root / layer).rglob("*.c"))]:
    text, there = code_of(path), shown(path)
    for names, headers in SHOWN.items():
        match = names.search(text)
        if match and not headers & there:
            say(path, 1, f"uses {match.group(1).rstrip(' (')}, includes none of {', '.join(f'<{h}>' for h in sorted(headers))}")

for path in [p for layer in ("engine", "app", "ui") for p in sorted((root / layer).rglob("*.h"))]:
    if "#pragma once" not in path.read_text() and not path.name.endswith("-pch.h"):  # compiled by itself, where gcc takes none
        say(path, 1, "no #pragma once")



def source_of(object_path, by_name):
    """meson names an object after its source: `engine_core_ss-arena.c.o`, with the folders below the meson.build that lists it."""
    name = object_path.name[:-2]
    found = by_name.get(name.split("_")[-1], [])
    return next((f for f in found if name.endswith("_".join(f.parts[-2:]))), found[0] if len(found) == 1 else None)


def calls(builds, sources):
    """Which source uses symbols that which other sources define, as a dict of sets."""
    by_name = collections.defaultdict(list)
    for path in sources:
        by_name[path.name].append(path)
    objects = [p for build in builds for p in pathlib.Path(build).rglob("*.o") if not {"tests", "live"} & set(p.relative_to(build).parts)]
    listing = subprocess.run(["nm", "-A", "-P", "-g", *map(str, objects)], capture_output=True, text=True, check=True).stdout
    defined, used = {}, collections.defaultdict(set)
    for row in listing.splitlines():
        place, rest = row.split(": ", 1)
        name, kind = rest.split()[:2]
        source = source_of(pathlib.Path(place), by_name)
        if source is None:
            continue
        used[source]  # also of a file that uses none
        if kind in "TDBRVG":
            defined[name] = source
        elif kind == "U":
            used[source].add(name)
    return {source: {defined[n] for n in names if n in defined} - {source} for source, names in used.items()}


def circles_of(edges):
    """Groups of sources that reach each other: the strongly connected components of more than one (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in sorted(edges.get(v, ())):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            at = stack.index(v)
            group = stack[at:]
            del stack[at:]
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(20000)
    for v in sorted(edges):
        if v not in index:
            visit(v)
    return found


def check_ratchet(builds, show):
    sources = [p for layer in RATCHET for p in sorted((root / layer).rglob("*.c"))]
    lines = {p: sum(1 for _ in p.open()) for p in sources}
    edges = calls(builds, sources)
    for path in sources:
        if path not in edges and not any(name in str(path) for name in ("cvode", "chipmunk", "app/live/")):  # of optional libraries and builds
            problems.append(f"{path.relative_to(root)}: no object of its own in {' '.join(builds)} (the option `together`)")
    circles = circles_of(edges)
    names = ("circles of files", "files in circles", f"files of more than {LONG} lines", "lines of the longest file")
    for layer, allowed in RATCHET.items():
        own = [c for c in circles if c[0].relative_to(root).parts[0] == layer]
        sizes = [n for p, n in lines.items() if p.relative_to(root).parts[0] == layer]
        today = (len(own), sum(map(len, own)), sum(n > LONG for n in sizes), max(sizes))
        for name, was, now in zip(names, allowed, today):
            if now > was:
                problems.append(f"{layer}/: {now} {name}, at most {was} (RATCHET; --circles lists them)")
            elif now < was:
                print(f"{layer}/: {now} {name}; RATCHET may fall from {was}")
    for circle in sorted(circles, key=lambda c: -sum(lines[p] for p in c)) if show else []:
        print(len(circle), sum(lines[p] for p in circle), circle[0].parent.relative_to(root), *(p.name for p in circle))


builds = [a for a in sys.argv[1:] if a != "--circles"]
if builds:
    check_ratchet(builds, "--circles" in sys.argv)
print("\n".join(problems))
for layer, rooms in (("engine", ROOMS), ("app", APP_ROOMS), ("ui", UI_ROOMS)):
    there = [room for room in rooms if (root / layer / room).is_dir()]
    print(f"{layer}: {' '.join(there)}")
print(f"{checked} files checked, {len(problems)} arrows back or other faults")
print(f"{1 if not problems else 0} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
