#!/usr/bin/python3
"""tests/check-strings.py [--write] [--list] [FILE...]: texts that the window shows are marked for translation: `_("...")` where the text is used, `N_("...")` in tables
whose readers translate, `ngettext` where a number decides, translatable="yes" in forms.

A text is a literal with two words, or one word with a capital, in a file of FOLDERS, unless NO_TEXT or NOT_SHOWN says that nobody sees it.
--write marks what is found, --list tells all that are marked as N_."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = 'data/po/POTFILES.in'
FOLDERS = ('ui/parts', 'ui/canvas', 'ui/pages', 'ui/window', 'app/document', 'app/session')
# Files of app/session whose texts stay English: stored in projects, written to files, read from files, or shared with what draws figures.
ENGLISH = {'app/session/ssapp-%s.c' % name for name in (
    'asked-runs', 'command', 'event-rows', 'fit-ask', 'fit-columns', 'fit-runs', 'fit-unknowns', 'import-motion', 'lesson', 'outcome-ideas', 'reproduce', 'reproduce-job',
    'run', 'run-list-groups', 'session', 'session-runs', 'study-look')}
MARKS = {'_', 'N_', 'C_', 'NC_', 'ngettext', 'g_dngettext', 'gettext'}

# Functions whose arguments nobody is shown.
NOT_SHOWN = re.compile(r'g_(warning|critical|error|message|debug|assert\w*|return_\w+|warn_\w+)$|G_\w+$|strn?cmp$|strcspn$|strstr$|strlen$|g_str(cmp0|_equal|_has_prefix)$|'
                       r'g_(object|type|signal|param_spec|action|variant|settings|intern|quark)_\w+$|gtk_style_\w+|gtk_css_\w+|gtk_text_buffer_create_tag$|'
                       r'gtk_source_\w+|\w*css_class\w*$|gdk_keyval_\w+|gtk_shortcut_trigger_\w+|SSUI_NOT_SHOWN$|ssapp_(settings|table)_\w+|asm$|include$')

# Texts that are no words of a language: fonts, markup, paths of fields, names of people, licences and libraries; what scenes say; titles that projects keep.
NO_TEXT = re.compile(r'<(child|object|property|interface|\?xml|b|span|a )|<Alt>|(path|body|item|entry|joint|group|map) [a-z_.%\[\]\d]*$|'
                     r'[a-z%][\w%]*[.-][\w.%-]+$|\S*/\S*$|.*@.*\.|(Ssui|Ssapp|Gtk|Adw|Gdk)[A-Z]\w*$|DejaVu|Cantarell|Adwaita|Stickslip$|The Stickslip authors|'
                     r'(torsion spring|pair of materials|Study of %s)$|(Figs?|Eqs?|Secs?|Tab|Nos?)\.?$|(Figure|Table|Section|Equation)$|.*(et al\.|Halm and Posa|: Drumwright)|'
                     r'(Ipopt|SuiteSparse AMD|Jansson|Cairo and Pango|GTK and libadwaita)$|(body|scenario|stickslip|family) %')
# Of app/document: names of steps of undo, which the project keeps with the versions of a sketch; kinds of shapes and joints, regular expressions, an empty sketch.
OF_DOCUMENT = re.compile(r'(Add|Align|Bound|Change|Clear|Cut|Delete|Drive|Duplicate|Edit source|Fix|Free|Give|Join|Know|Leave out|Let the mass|Lock|Make|Measure|Mirror|Move|Paste|Push|'
                         r'Remove|Rename|Resize|Rest|Separate|Set|Spread evenly|Take|Turn|Write a note|Array of)( (?!the contact on first|wheels)|$)|goal of $|a (torque|force)$|a body$|'
                         r'%s %s |%s %u bodies$|%s the outcome|[a-z -]+ $|N or N m$|(speed|torque|force|angle|travel) (to|per) .*\[|\(\?|\{')
FORM_TEXTS = 'label|title|subtitle|tooltip-text|description|placeholder-text|secondary-text'

TOKEN = re.compile(r'''/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\s+|\d[\w.]*|->|.''', re.S)
DIRECTIVE = re.compile(r'%[-+ #0]*[\d*]*(?:\.[\d*]*)?(?:ll|l|z|j|h)?[a-zA-Z]|%%|\\.|\\x..')


def is_text(literal):
    literal = literal.strip()
    words = DIRECTIVE.sub(' ', literal).strip()
    if NO_TEXT.match(literal):
        return False
    return bool(re.search(r'[A-Za-z]{2,}\W* \W*[A-Za-z]|\b[A-Za-z]\W* \W*[A-Za-z]{2,}', words) or
                re.search(r'%[a-z]+ [a-z]{3,}|[a-z]{3,} \(?%[a-z]|%[a-z]+ [a-z]{2,} [%a-z]', literal) or re.match(r'[_(\W]*[A-Z][a-z]', words))


class Frame:
    """A bracket that is open: the function that is called, or what kind of braces."""
    def __init__(self, kind, name='', is_static=False):
        self.kind, self.name, self.is_static = kind, name, is_static
        self.first, self.n_commas = '', 0

    def is_of_keys(self):
        """Whether this place of a row of keys (SsuiKey) has their names."""
        return self.first.startswith('SSUI_KEYS') and self.n_commas == 2


def texts(source):
    """Each literal of a file as (start, end, literal, open brackets)."""
    source = re.sub(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$', lambda m: re.sub(r'[^\n]', ' ', m.group()), source, flags=re.M)
    tokens = [m for m in TOKEN.finditer(source) if not m.group().isspace() and not m.group().startswith(('/*', '//'))]
    frames, before, is_static, i = [], '', False, 0
    before_opening = {}
    while i < len(tokens):
        word = tokens[i].group()
        if frames and not frames[-1].first:
            frames[-1].first = word
        if word == ',' and frames:
            frames[-1].n_commas += 1
        if word[0] == '"':
            j = i
            while j + 1 < len(tokens) and tokens[j + 1].group()[0] == '"':
                j += 1
            is_keys = i > 1 and tokens[i - 2].group() == 'keys' or bool(frames) and frames[-1].is_of_keys()
            if not is_keys:
                yield (tokens[i].start(), tokens[j].end(), ''.join(t.group()[1:-1] for t in tokens[i:j + 1]), list(frames))
            before, i = '"', j + 1
            continue
        if word == '(':
            frames.append(Frame('(', before if re.match(r'\w', before) else ''))
            frames[-1].before = before
        elif word == '[':
            frames.append(Frame('['))
        elif word == '{':
            is_value = before in ('=', '{', ',', '(', 'return', '?', ':') or (before == ')' and last.before in ('=', '(', ',', 'return', '{', '?', ':', '&'))
            if before in ('{', ','):
                is_value = bool(frames) and frames[-1].kind != 'body'
            if is_value:
                outer = frames[-1] if frames and frames[-1].kind == 'value' else None
                is_scope = not any(f.kind == 'body' for f in frames)
                frames.append(Frame('value', is_static=outer.is_static if outer else is_static or is_scope))
            elif before in ('struct', 'union') or (i > 1 and tokens[i - 2].group() in ('struct', 'union')):
                frames.append(Frame('struct', is_static=is_static))
            else:
                frames.append(Frame('body'))
                is_static = False
        elif word in ')]}':
            if frames:
                last = frames.pop()
                if last.kind == 'struct':
                    is_static = last.is_static
        elif word == 'static' and (not frames or frames[-1].kind == 'body'):
            is_static = True
        elif word == ';' and not (frames and frames[-1].kind == 'struct'):
            is_static = False
        before, i = word, i + 1


def marks(path):
    """(start, end, literal, mark) of texts that lack one, and of all that have N_."""
    with open(path) as file:
        source = file.read()
    lacking, kept = [], []
    if path.endswith('.ui'):
        for m in re.finditer(r'<property name="(?:%s)"([^>]*)>([^<]*)</property>|<attribute name="label"([^>]*)>([^<]*)<' % FORM_TEXTS, source):
            attributes, text = (m.group(1), m.group(2)) if m.group(2) is not None else (m.group(3), m.group(4))
            if re.search(r'[A-Za-z]{2}', text) and 'translatable' not in attributes:
                lacking.append((m.start(), m.end(), text, 'translatable'))
        return source, lacking, kept
    for start, end, literal, frames in texts(source):
        calls = [f.name for f in frames if f.kind == '(']
        if any(c in MARKS for c in calls):
            if 'N_' in calls:
                kept.append((start, end, literal, 'N_'))
            continue
        inner = calls[-1] if calls else ''
        if 'app/document/' in path and OF_DOCUMENT.match(literal.strip('\n') if literal != ' ' else literal):
            continue
        if not is_text(literal) or any(NOT_SHOWN.match(c) for c in calls if c == inner or c.startswith('g_assert')):
            continue
        values = [f for f in frames if f.kind == 'value']
        in_body = any(f.kind == 'body' for f in frames)
        lacking.append((start, end, literal, 'N_' if (values and values[-1].is_static) or not in_body else '_'))
    return source, lacking, kept


def write(path, source, lacking):
    for start, end, _, mark in reversed(lacking):
        text = source[start:end]
        if mark == 'translatable':
            source = source[:start] + re.sub(r' name="([\w-]+)"', r' name="\1" translatable="yes"', text, count=1) + source[end:]
        else:
            source = source[:start] + mark + ' (' + text + ')' + source[end:]
    if path.endswith('.c') and '<glib/gi18n.h>' not in source:
        system = list(re.finditer(r'^#include <.*>\n', source, re.M))
        own = list(re.finditer(r'^#include ".*"\n', source, re.M))
        if system:
            names = [m for m in system if m.group() > '#include <glib/gi18n.h>\n']
            at = names[0].start() if names else system[-1].end()
            source = source[:at] + '#include <glib/gi18n.h>\n' + source[at:]
        else:
            at = own[-1].end()
            source = source[:at] + '\n#include <glib/gi18n.h>\n' + source[at:]
    with open(path, 'w') as file:
        file.write(source)


def check_list(files):
    """Whether the list of files for xgettext lacks one that has marks; --write makes it."""
    marked = ['# Files with texts that are marked for translation, by tests/check-strings.py --write.']
    for path in files:
        with open(path) as file:
            if re.search(r'\b(N?_|ngettext) \(|translatable="yes"', file.read()):
                marked.append(os.path.relpath(path, ROOT))
    wanted, path = '\n'.join(marked) + '\n', os.path.join(ROOT, LIST)
    if '--write' in sys.argv:
        with open(path, 'w') as file:
            file.write(wanted)
        return 0
    with open(path) as file:
        kept = file.read()
    if kept != wanted:
        print(LIST + ': not the files that have marks: tests/check-strings.py --write')
    return int(kept != wanted)


def main():
    names = [a for a in sys.argv[1:] if not a.startswith('-')]
    files = names or [os.path.join(ROOT, folder, name) for folder in FOLDERS for name in sorted(os.listdir(os.path.join(ROOT, folder)))
                      if name.endswith(('.c', '.h', '.ui')) and os.path.join(folder, name) not in ENGLISH]
    n = 0
    if not names:
        n += check_list(files)
    for path in files:
        source, lacking, kept = marks(path)
        line = lambda at: source.count('\n', 0, at) + 1
        if '--list' in sys.argv:
            for start, _, literal, mark in kept:
                print('%s:%d: %s' % (os.path.relpath(path, ROOT), line(start), literal))
            continue
        for start, _, literal, mark in lacking:
            print('%s:%d: not marked for translation (%s): %s' % (os.path.relpath(path, ROOT), line(start), mark, literal))
        if '--write' in sys.argv and lacking:
            write(path, source, lacking)
        n += len(lacking)
    return 1 if n and '--write' not in sys.argv else 0


if __name__ == '__main__':
    sys.exit(main())
