#!/usr/bin/env python3
"""Checks that no two arguments of one call make nodes of an expression graph: C leaves open which of them is made first, and so would the
numbers of the nodes, the order of sums and the last bits of a plan be the compiler's choice. One of them belongs into a local before.

Not looked at: the transcriptions with finite elements (fesd-j, time-freezing), whose plans are Ipopt's in the end."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
OPEN, CLOSE = "([{", ")]}"
# Return expressions that were made before.
MAKE_NOTHING = {"ss_graph_operand", "operand_of"}
LEFT_OUT = re.compile(r"engine/(fesd/|transcribe/ss-(fesd|freeze))")


def bare(text):
    """Without comments, strings and lines of the preprocessor, each character at its place."""
    return re.sub(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*",
                  lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S | re.M)


def types_of(texts):
    """SsExpr and the structures that hold some by value."""
    found, n = {"SsExpr"}, 0
    while len(found) > n:
        n = len(found)
        for text in texts:
            for fields, name in re.findall(r"typedef struct(?:\s+\w+)?\s*\{([^{}]*)\}\s*(\w+);", text):
                if any(re.search(rf"(?:^|;)\s*{kind} [^;*]*(?=;)", fields) for kind in found):
                    found.add(name)
    return found


def makers_of(text, kinds):
    """Functions that return such a value, but for those that promise to leave the graph alone: of all files, of this one alone."""
    found = re.findall(rf"^(static )?(?:inline )?(?:{kinds})\s+(\w+) \(([^()]*)\)", text, flags=re.M)
    names = [(how, name) for how, name, arguments in found if "const SsGraph *" not in arguments and name not in MAKE_NOTHING]
    return {name for how, name in names if not how}, {name for how, name in names if how}


def pieces(text, start):
    """What stands between the commas of the bracket that opens at `start`; a statement in it ends the search."""
    depth, begin = 0, start + 1
    for i in range(start, len(text)):
        depth += (text[i] in OPEN) - (text[i] in CLOSE)
        if (depth == 1 and text[i] == ",") or depth == 0:
            yield text[begin:i]
            begin = i + 1
        if depth == 0 or (depth == 1 and text[i] == ";"):
            return


texts = {path: bare(path.read_text()) for path in sorted((root / "engine").rglob("*.[ch]"))}
kinds = "|".join(sorted(types_of(texts.values())))
everywhere, own = set(), {}
for path, text in texts.items():
    public, static = makers_of(text, kinds)
    everywhere |= public | (static if path.suffix == ".h" else set())
    own[path] = static
problems = []
for path, text in texts.items():
    maker = re.compile(rf"\b(?:{'|'.join(sorted(everywhere | own[path]))}) \(")
    name = path.relative_to(root).as_posix()
    for m in re.finditer(r"\b(?!(?:if|for|while|switch|return|sizeof)\b)\w+ (?=\()", text):
        if not LEFT_OUT.match(name) and sum(maker.search(piece) is not None for piece in pieces(text, m.end())) > 1:
            line = text.count("\n", 0, m.start()) + 1
            problems.append(f"{name}:{line}: arguments of {m.group().strip()} make nodes in an order that C leaves open")
print("\n".join(problems))
print(f"{0 if problems else 1} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
