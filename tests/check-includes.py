#!/usr/bin/env python3
"""Checks the layers of the source: ui -> app -> engine, and that a room of the engine and of app includes only rooms above it.

Rules (DESIGN: "The house"):
  engine  may include its own rooms in the order below, jansson (scene, and edits of files in plan), Ipopt (nlp only), amd (linalg only), SUNDIALS
          (simulate only) and the C library
  app     may include app/ and engine rooms, GLib, SQLite, Cairo, Pango, jansson; no GTK, except app/main-desktop.c
  ui      may include ui/, app/, engine rooms' headers for types, GTK; no SQLite, no Cairo paths of its own
and every .h has #pragma once, no private header is included from another room. What a header compiled beforehand (app/base/ssapp-pch.h,
ui/parts/ssui-pch.h) shows to every file of a layer is included by those that use it, directly or by a header of ours.

A name of ours is used where a header that is included declares it. Groups of files that call each other in a circle are counted, by the names
that files define and use (a table of functions that another file names counts as a call of them), and the lines of files. Both may only fall: the
numbers of RATCHET are those of today, and who lowers one writes the new one here. --circles lists the circles.
"""
import collections
import functools
import pathlib
import re
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


@functools.cache
def includes(path):
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            found.append((number, match.group(1), match.group(2)))
    return found


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

@functools.cache
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


for path in [p for layer in ("engine", "app", "ui") for p in sorted((root / layer).rglob("*.c"))]:
    text, there = code_of(path), shown(path)
    for names, headers in SHOWN.items():
        match = names.search(text)
        if match and not headers & there:
            say(path, 1, f"uses {match.group(1).rstrip(' (')}, includes none of {', '.join(f'<{h}>' for h in sorted(headers))}")

for path in [p for layer in ("engine", "app", "ui") for p in sorted((root / layer).rglob("*.h"))]:
    if "#pragma once" not in path.read_text() and not path.name.endswith("-pch.h"):  # compiled by itself, where gcc takes none
        say(path, 1, "no #pragma once")



WORD = re.compile(r"(?<![\w.>])[A-Za-z_]\w*")


def declared(text):
    """Names that a header gives to others: functions, tables, types, constants of enumerations, macros."""
    names = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M))
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", text, flags=re.M)
    names.update(re.findall(r"\b(\w+) \((?!\*)", text), re.findall(r"\b(?:struct|union|enum)\s+(\w+)\s*\{", text), re.findall(r"^\}\s*(\w+)", text, re.M))
    names.update(n for body in re.findall(r"\benum\b[^;{}()]*\{([^{}]*)\}", text) for n in re.findall(r"(?:^|,)\s*(\w+)", body))
    names.update(n for row in re.findall(r"^(?:typedef|extern)\b([^;{]*);", text, re.M) for n in re.findall(r"(\w+)\)?(?:\[[^\]]*\])*(?: \(.*)?$", row, re.S))
    for of_type, name, parent in re.findall(r"^G_DECLARE_\w+ \((\w+),\s*(\w+),\s*\w+,\s*(\w+)", text, re.M):
        names.update((of_type, name + "_get_type"))
    return names


def defined(path, text):
    """Names that a source gives to others: functions, the type behind G_DEFINE, tables; a function's name begins the line after its type."""
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", text, flags=re.M)
    names = set(re.findall(r"^(?!static\b)[A-Za-z][^\n;]*\n([a-z]\w*) \((?=[^;]*?\)\s*\{)", text, re.M))
    names.update(name + "_get_type" for name in re.findall(r"^G_DEFINE\w* \(\w+, (\w+)", text, re.M))
    names.update(name + "_quark" for name in re.findall(r"^G_DEFINE_QUARK \([\w-]+, (\w+)\)", text, re.M))
    names.update(re.findall(r"^(?!static\b|typedef\b|extern\b|return\b)[A-Za-z_][\w \t*]*?\b(\w+)(?:\[[^\]]*\])* *(?:=|;)", text, re.M))
    return names


def written_out():
    """Names that headers give to more words, as a dict: a macro and an inline function those of its body, a type what frees and casts it."""
    words = collections.defaultdict(set)
    for path in (p for layer in ("engine", "app", "ui") for p in (root / layer).rglob("*.h")):
        text = code_of(path)
        for name, body in [*re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:\\\n|[^\n])*)", text, re.M),
                           *re.findall(r"^static inline[^\n]*\n(\w+) \([^{;]*\{(.*?)^\}", text, re.M | re.S)]:
            words[name].update(WORD.findall(body))
        for of, free in re.findall(r"^G_DEFINE_AUTO\w+_CLEANUP_\w+ \((\w+), (\w+)", text, re.M):
            words[f"({of})"].add(free)  # g_autoptr (Type)
        for name, module, short in re.findall(r"^G_DECLARE_\w+ \(\w+,\s*(\w+),\s*(\w+),\s*(\w+)", text, re.M):
            words[f"{module}_{short}"].add(name + "_get_type")
            words[f"{module}_IS_{short}"].add(name + "_get_type")
    return words


def calls(sources):
    """Which source uses names that which other sources define, as a dict of sets; a name that a macro puts together means all that begin so."""
    text, more = {path: code_of(path) for path in sources}, written_out()
    home = {name: path for path in sources for name in defined(path, text[path]) if name.startswith(("ss", "cli_"))}
    edges = {}
    for path in sources:
        open_words = set(WORD.findall(text[path])) | set(re.findall(r"g_auto(?:ptr)? (\(\w+\))", text[path]))
        words = set()
        while open_words:
            words |= open_words
            open_words = {w for word in open_words for w in more.get(word, ())} - words
        begins = tuple(re.findall(r"(\w+_) ?##", text[path]))
        edges[path] = {home[name] for name in home if name in words or (begins and name.startswith(begins))} - {path}
    return edges


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


def check_ratchet(show):
    sources = [p for layer in RATCHET for p in sorted((root / layer).rglob("*.c")) if "app/live/" not in str(p)]
    lines = {p: sum(1 for _ in p.open()) for p in sources}
    circles = circles_of(calls(sources))
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


def given_by(path, gives, known={}):
    """The names that a file's headers of ours give, directly or by what they include."""
    if path not in known:
        known[path] = set(gives.get(path, ()))
        for _, style, name in includes(path):
            known[path].update(*(given_by(p, gives) for p in (root / name, root / "engine" / name, path.parent / name) if p.is_file()))
    return known[path]


def check_headers():
    """Each file includes what declares the names of ours that it uses: it would compile alone."""
    files = [p for layer in ("engine", "app", "ui") for p in sorted((root / layer).rglob("*.[ch]")) if "app/live/" not in str(p)]
    gives = {p: declared(code_of(p)) for p in files if p.suffix == ".h"}
    ours = {name for names in gives.values() for name in names if re.match(r"(?:Ss|SS|ss|cli)[a-z]*_|Ss", name)}
    for path in files:
        text = code_of(path)
        for name in sorted((set(WORD.findall(text)) & ours) - given_by(path, gives)):
            if name not in declared(text) | defined(path, text) | set(re.findall(r"\bstruct (\w+)", text)):
                say(path, 1, f"uses {name}, includes no header that declares it")


check_ratchet("--circles" in sys.argv)
check_headers()
print("\n".join(problems))
for layer, rooms in (("engine", ROOMS), ("app", APP_ROOMS), ("ui", UI_ROOMS)):
    there = [room for room in rooms if (root / layer / room).is_dir()]
    print(f"{layer}: {' '.join(there)}")
print(f"{checked} files checked, {len(problems)} arrows back or other faults")
print(f"{1 if not problems else 0} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
