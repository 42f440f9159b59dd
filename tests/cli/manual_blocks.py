"""What pages of the manual have from the program's own tables, between `<!-- program: WHAT -->` and `<!-- end -->`.

    manual_blocks.py PROGRAM SOURCE_ROOT          # writes the blocks anew; test-manual.py looks whether they are as here

Of a page of a method, data/manual/KINDs/NAME.md:
  law        the system that the method solves, of the verb `equations`
  options    its options, of the verb `methods`; those that all methods of its kind have stand once, in the list of methods
  misprints  where its paper errs, of the verb `paper errata`
Of a page of a paper, data/manual/papers/NAME.md:
  figures NAME    what of the paper is made anew, of the verb `paper`
  misprints NAME
Of data/manual/methods.md:
  methods    every method with its page
  shared     options that all optimisers have
Of data/manual/formats.md:
  fields DOCUMENT PART   the fields of a part of a document, of the verb `schema`
  tables     tables and columns of a project that the program has made"""
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"(<!-- program: ([a-z -]+) -->\n)(.*?)(<!-- end -->)", re.S)
KINDS = {"integrator": "Integrators", "optimiser": "Optimisers", "impact-law": "Impact laws"}
# A scene or a model that the kind takes, of which the equations' last part is the method's law.
SCENES = {"integrator": "examples/sketches/falling-box.stickslip.json", "optimiser": "examples/crisp/one-pair.stickslip.json",
          "impact-law": "examples/impacts/rocking-block.stickslip.json"}


class Program:
    def __init__(self, program, root):
        self.program, self.root = Path(program), Path(root)
        self.data = tempfile.TemporaryDirectory()  # of somebody without methods of their own
        self.environment = {**os.environ, "XDG_DATA_HOME": self.data.name, "STICKSLIP_METHODS": ""}
        self.methods = json.loads(self("methods", "--json"))
        self.of = {(m["kind"], m["name"]): m for m in self.methods}
        self.shared = {kind: set.intersection(*({o["name"] for o in m["options"] if "scenes_only" in o} for m in self.methods if m["kind"] == kind))
                       for kind in KINDS}

    def __call__(self, *arguments):
        return subprocess.run([self.program, *arguments], cwd=self.root, env=self.environment, capture_output=True, text=True, check=True).stdout


def page_of(method):
    return method["page"] + ".md"


def cell(text):
    return re.sub(r"\s+", " ", text).replace("|", r"\|").replace("<", r"\<").replace("*", r"\*")


def default_of(option):
    value = option["default"]
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else "empty" if value == "" else value


def range_of(option):
    if "choices" in option:
        return ", ".join(option["choices"])
    if "minimum" in option:
        return f"{option['minimum']:g} to {option['maximum']:g}"
    return "true or false" if isinstance(option["default"], bool) else "a text"


def table(options):
    rows = [[f"`{o['name']}`" + (f", {o['symbol']}" if o.get("symbol") else ""),
             f"{default_of(o)} {o.get('unit') or ''}".strip(), range_of(o), o["summary"]] for o in options]
    return "\n".join(["| option | default | may be | does |", "| --- | --- | --- | --- |"] + ["| " + " | ".join(map(cell, r)) + " |" for r in rows])


def law(program, method):
    text = program("equations", SCENES[method["kind"]], "--method", method["name"])
    if (method["kind"], method["name"]) == ("impact-law", "anitescu-potra"): # the name of an integrator, which scenes mean
        return method["solves"]
    lines = text[text.index(f"What {method['label']} solves"):].splitlines()[2:]
    formulas = [line for line in lines if line.strip() and not line.startswith("Each numbered equation")]
    out, is_code = [], False
    for line in formulas + [""]:
        if line.startswith("    ") != is_code:
            out.append("" if not is_code else "")
            is_code = not is_code
        out.append(line)
    return "\n".join(out).strip()


def options(program, method):
    shared = program.shared[method["kind"]]
    own = [o for o in method["options"] if o["name"] not in shared]
    text = table(own) if own else "It has none of its own."
    return text + ("\n\nPlans of scenes have the options of [all optimisers](../methods.md#options-of-all-optimisers) too." if shared else "")


def misprints(program, method, paper=None):
    errata = [json.loads(line) for line in program("paper", "errata", paper or method["paper"], "--json").splitlines()]
    told = {}
    for erratum in errata:
        note = re.sub(r";? ?no line:.*", "", erratum["notes"])
        note = re.sub(r".*misprints?: ", "", note).strip().rstrip(";")
        told.setdefault(note, []).append(erratum["item"])
    return "\n".join(["| where | what is wrong |", "| --- | --- |"] + [f"| {cell(', '.join(items))} | {cell(note)} |" for note, items in told.items()])


def figures(program, _, paper):
    items = [i for i in json.loads(program("paper", "--json")) if i["topic"] == paper]
    return "\n".join(["| `stickslip-cli paper` | in the paper | shows |", "| --- | --- | --- |"] +
                     [f"| `{i['name']}` | {i['label']}: {cell(i['title'])} | {cell(i['words'])} |" for i in items])


def methods(program, _):
    out = []
    for kind, title in KINDS.items():
        out += [f"### {title}", "", "| method | is |", "| --- | --- |"]
        out += [f"| [{m['name']}]({page_of(m)}) | {cell(m['summary'])} |" for m in program.methods if m["kind"] == kind] + [""]
    return "\n".join(out).strip()


def shared(program, _):
    first = next(m for m in program.methods if m["kind"] == "optimiser")
    return table([o for o in first["options"] if o["name"] in program.shared["optimiser"]])


def type_of(schema):
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(type_of, schema["anyOf"])))
    if "enum" in schema:
        return "one of its words"
    if "const" in schema:
        return str(schema["const"])
    kind = schema.get("type", "any")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    return f"{kind} of {type_of(schema['items'])}" if kind == "array" and "items" in schema else kind


def fields(program, _, document, part):
    schema = json.loads(program("schema", document))
    rows = [f"| `{name}` | {cell(type_of(field))} | {cell(field.get('description', ''))} |"
            for name, field in schema["$defs"][part]["properties"].items()]
    return "\n".join(["| field | is | means |", "| --- | --- | --- |"] + rows)


def tables(program, _):
    with tempfile.TemporaryDirectory() as folder:
        project = f"{folder}/empty.stickslip"
        program("add", SCENES["integrator"], "--project", project)
        with sqlite3.connect(project) as database:
            names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name")]
            rows = [f"| `{name}` | {', '.join(row[1] for row in database.execute(f'PRAGMA table_info({name})'))} |" for name in names]
    return "\n".join(["| table or view | columns |", "| --- | --- |"] + rows)


def blocks_of(program, path):
    """The page's text with every block made anew."""
    method = program.of.get((path.parent.name.removesuffix("s"), path.stem))

    def made(found):
        return f"{found[1]}\n{globals()[found[2].split()[0]](program, method, *found[2].split()[1:])}\n\n{found[4]}"
    return BLOCK.sub(made, path.read_text())


def pages_with_blocks(root):
    return [p for p in sorted((Path(root) / "data/manual").rglob("*.md")) if "<!-- program: " in p.read_text()]


if __name__ == "__main__":
    for page in pages_with_blocks(sys.argv[2]):
        page.write_text(blocks_of(Program(*sys.argv[1:3]), page))
