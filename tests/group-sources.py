#!/usr/bin/env python3
"""Shares C files among others that include them and are compiled instead (the option `together`): what takes the time to compile a file is to
begin (clang: 0.2 s) and to read headers. Two files share one only if each means there what it means alone: no name that one has for itself is one
that the other has, and no macro, variable, type or constant of one is any word of the other or a type of its headers.

    group-sources.py GROUP.c... -- SOURCE.c...
"""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMENTS = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
TEXTS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
TOPIC = re.compile(r'^#include "(tests/\w+/[\w-]+\.c)"', re.M)  # of ss-test-program.c.in
KEYWORDS = {'struct', 'union', 'enum', 'void', 'double', 'int', 'char', 'bool'}


class Source:
    def __init__(self, name):
        self.path = pathlib.Path(name).resolve()
        text = TOPIC.sub(lambda m: (ROOT / m.group(1)).read_text(), self.path.read_text())
        self.headers = [name for name in re.findall(r'^#include "(.*\.h)"', text, re.M) if (ROOT / name).exists() or (ROOT / 'engine' / name).exists()]
        self.lines = text.count('\n')
        text = TEXTS.sub('""', COMMENTS.sub(' ', text))
        self.is_alone = re.search(r'^#define _', text, re.M) is not None  # what the C library shows is settled by whoever comes first
        functions, self.hiding = own_names(text)
        self.own = functions | self.hiding
        self.words = set(re.findall(r'(?<![\w.>])[A-Za-z_]\w*', text)).union(*map(types_of, self.headers))

    def fits(self, other):
        return not (self.is_alone or other.is_alone or self.own & other.own or self.hiding & other.words or other.hiding & self.words)


def own_names(text):
    """Names that the file has for itself: functions; macros, variables, types, tags and constants of enumerations."""
    functions, names = set(), set(re.findall(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', text, re.M)) - set(re.findall(r'^[ \t]*#[ \t]*undef[ \t]+(\w+)', text, re.M))
    text = re.sub(r'^[ \t]*#(?:\\\n|[^\n])*', '', text, flags=re.M)
    names.update(re.findall(r'\b(?:struct|union|enum)\s+(\w+)\s*\{', text))
    for body in re.findall(r'\benum\b[^;{}()]*\{([^{}]*)\}', text):
        names.update(re.findall(r'(?:^|,)\s*(\w+)', body))
    names.update(re.findall(r'^\}[ \t]*(\w+)', text, re.M))  # typedef struct {...} Name; static const struct {...} name
    names.update(re.findall(r'^typedef\b[^;{]*?(\w+)\s*;', text, re.M), re.findall(r'^typedef\b[^;{]*?\(\*\s*(\w+)\s*\)', text, re.M))
    for head in re.findall(r'^static\b([^;{]*)', text, re.M):
        names.update(re.findall(r'\(\*\s*(\w+)', head))
        where = functions if head.rstrip().endswith(')') else names
        while (inner := re.sub(r'\([^()]*\)', '@', head)) != head:
            head = inner
        for declared in head.split(','):
            where.update(re.findall(r'(\w+)\s*(?=[\[@]|$)', declared.split('=')[0].strip()))
    functions.update(re.findall(r'^[A-Z]\w* \((\w+)', text, re.M))  # made by a macro
    return functions - {'G_GNUC_PRINTF'}, names - KEYWORDS


@functools.cache
def types_of(header):
    """Types that a header of ours defines, and those that it includes."""
    path = next((folder / header for folder in (ROOT, ROOT / 'engine') if (folder / header).exists()), None)
    if path is None:
        return frozenset()
    text = COMMENTS.sub(' ', path.read_text())
    return frozenset(re.findall(r'^\}[ \t]*(\w+);', text, re.M)).union(*map(types_of, re.findall(r'^#include "(.*\.h)"', text, re.M)))


def check_types():
    """One name means two types in no two headers: files that include them could not share one."""
    defined = {}
    headers = [(path, COMMENTS.sub(' ', path.read_text())) for room in ('app', 'ui', 'engine') for path in sorted((ROOT / room).rglob('*.h'))]
    for path, text in headers:
        for name in re.findall(r'^\}[ \t]*(\w+);', text, re.M):
            if name in defined:
                sys.exit(f'{path}: the type {name} is also in {defined[name]}; another name')
            defined[name] = path
    for path, text in headers:
        for name in re.findall(r'^typedef (?:struct|union) (\w+) \1;', text, re.M):
            if name in defined and not re.search(rf'^(?:typedef )?(?:struct|union) {name}\s*\{{', defined[name].read_text(), re.M):
                sys.exit(f'{path}: the type {name} is also in {defined[name]}; another name')


def shared(sources, n):
    """Each goes to the group of least lines that it fits, next always the one that fits fewest, and of those the one that fits fewest others."""
    groups, fits = [[] for _ in range(n)], {(a, b): a.fits(b) for a in sources for b in sources}
    others = {a: sum(fits[a, b] for b in sources) for a in sources}
    open_to = {a: set(range(n)) for a in sources}
    while open_to:
        a = min(open_to, key=lambda a: (len(open_to[a]), others[a], str(a.path)))
        if not open_to[a]:
            sys.exit(f'{a.path}: each of {n} groups has a file that clashes with a name that it has for itself; more groups, or other names')
        i = min(open_to.pop(a), key=lambda i: (sum(b.lines for b in groups[i]), i))
        groups[i].append(a)
        for b in open_to:
            if not fits[a, b]:
                open_to[b].discard(i)
    return groups


names = sys.argv[1:]
check_types()
at = names.index('--')
for name, group in zip(names, shared([Source(name) for name in names[at + 1:]], at)):
    group.sort(key=lambda source: str(source.path))
    headers = dict.fromkeys(f'#include "{header}"' for source in group for header in source.headers if not source.is_alone)  # before any name of a file
    included = [*headers, *(f'#include "{source.path}"' for source in group)]
    pathlib.Path(name).write_text('\n'.join(included or ['extern int nothing;']) + '\n')
