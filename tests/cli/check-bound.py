#!/usr/bin/env python3
"""check-bound.py CERTIFICATE SCENARIO: proves a lower bound again with nothing of the program that found it.

It reads the model from the scenario by itself, follows the certificate's tree from all of space to its leaves, and
takes each leaf's least value of the Lagrangian (weak duality) in rational numbers. Limits of variables are rounded
outward to doubles, so that fractions stay short. A literal, a parameter and a multiplier are the doubles that are
written. Parameters are those of the certificate, which `--set` may have changed: those that differ from the file are
printed. The digest of the tree is not looked at: a proof holds or not.

Read are polynomials of degree two at most: + - * /constant ^whole, next(), k, t, definitions, rows over points. Others
(quotients, roots, abs, min, max; families of names) are refused with exit status 2.

Exit status 0: the bound holds, 1: it does not, and the reason is printed, 2: this model or certificate is not read."""
import hashlib
import json
import math
import re
import sys
from fractions import Fraction

INF = math.inf
SLACK = 1e-12  # of a claim, of its size: the program folds literals of a formula in doubles, this does not
TOKEN = re.compile(r"\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|(.))")


class Refused(Exception):
    """The proof does not hold."""


class Unread(Exception):
    """Beyond what this program reads."""


# ---- polynomials: {(): constant, (i,): of x_i, (i, j): of x_i x_j, i <= j}, without zeros ----


def plus(p, q, factor=1):
    out = dict(p)
    for key, value in q.items():
        value = out.get(key, 0) + value * factor
        if value:
            out[key] = value
        else:
            out.pop(key, None)
    return out


def times(p, q):
    out = {}
    for a, x in p.items():
        for b, y in q.items():
            key = tuple(sorted(a + b))
            if len(key) > 2:
                raise Unread(f"a formula of degree {len(key)}")
            out[key] = out.get(key, 0) + x * y
    return {key: value for key, value in out.items() if value}


def number(p):
    if any(p):
        raise Unread("a divisor or exponent that is no constant")
    return p.get((), Fraction(0))


class Formula:
    """A formula at a point as a polynomial. `resolve(name, is_next)` gives a name's."""

    def __init__(self, text, resolve):
        self.tokens = [m.groups() for m in TOKEN.finditer(text.strip())] + [(None, None, "")]
        self.resolve, self.at = resolve, 0

    def peek(self):
        return self.tokens[self.at][2]

    def take(self, expected):
        if self.peek() != expected:
            found = "".join(t or "" for t in self.tokens[self.at])
            raise Unread(f"'{found}' in a formula, where '{expected}' would be read")
        self.at += 1

    def whole(self):
        value = self.sum()
        self.take("")
        return value

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.peek() == "+" else -1
            self.at += 1
            value = plus(value, self.product(), sign)
        return value

    def product(self):
        value = self.signed()
        while self.peek() in ("*", "/"):
            op = self.peek()
            self.at += 1
            other = self.signed()
            if op == "*":
                value = times(value, other)
            elif number(other) == 0:
                raise Unread("a quotient by 0")
            else:
                value = times(value, {(): 1 / number(other)})
        return value

    def signed(self):
        if self.peek() in ("+", "-"):
            sign = 1 if self.peek() == "+" else -1
            self.at += 1
            return times({(): Fraction(sign)}, self.signed())
        value = self.atom()
        if self.peek() == "^":
            self.at += 1
            power = number(self.signed())
            if power not in (0, 1, 2) and any(value) or power.denominator != 1 or not 0 <= power <= 16:
                raise Unread(f"the power {power}")
            base, value = value, {(): Fraction(1)}
            for _ in range(int(power)):
                value = times(value, base)
        return value

    def atom(self):
        literal, name, _ = self.tokens[self.at]
        if literal is None and name is None:
            self.take("(")
            value = self.sum()
            self.take(")")
            return value
        self.at += 1
        if literal is not None:
            if self.tokens[self.at][1] is not None or self.tokens[self.at][0] is not None:
                raise Unread(f"the unit after {literal}")
            value = Fraction(float(literal))
            return {(): value} if value else {}
        if name == "next":
            self.take("(")
            name = self.tokens[self.at][1]
            self.at += 1
            self.take(")")
            return self.resolve(name, True)
        if name in ("max", "min") and self.peek() == "(":  # of numbers alone: number() refuses all else
            self.take("(")
            values = [number(self.sum())]
            while self.peek() == ",":
                self.at += 1
                values.append(number(self.sum()))
            self.take(")")
            value = {"max": max, "min": min}[name](values)
            return {(): value} if value else {}
        return self.resolve(name, False)


# ---- the model ----


def only(thing, keys, what):
    if not isinstance(thing, dict) or set(thing) - set(keys):
        raise Unread(f"{what} with {', '.join(sorted(set(thing) - set(keys))) if isinstance(thing, dict) else thing}")


class Model:
    """minimise f subject to rows (form, is_equality), pairs (a, b) with ab <= 0. Variables: point * names + name."""

    def __init__(self, file, values):
        model = file["model"]
        only(model, ("points", "time_step", "states", "controls", "definitions", "constraints", "cost"), "a model")
        self.parameters = {name: Fraction(value) for name, value in values.items()}
        self.definitions = model.get("definitions", {})
        self.changed = [f"{name} = {values[name]:.9g}" for name, p in file.get("parameters", {}).items()
                        if not self.is_given(p["value"] if isinstance(p, dict) else p, values[name])]
        self.names = {}
        for name in model["states"] + model.get("controls", []):
            if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_]\w*", name):
                raise Unread(f"the name {name}")
            self.names[name] = len(self.names)
        self.points = self.index(model["points"])
        self.step = float(self.constant(model.get("time_step", 1)))
        self.n = self.points * len(self.names)
        self.objective, self.rows, self.pairs = {}, [], []
        blocks, costs = model.get("constraints", []), model.get("cost", [])
        for block in blocks:
            only(block, ("name", "points", "zero", "nonnegative", "complementary"), "a block")
        for cost in costs:
            only(cost, ("name", "points", "cost"), "a cost")
        for k in range(self.points):
            here = [block for block in blocks if k in self.range(block)]
            self.read_point(k, here)
            for cost in costs:
                if k in self.range(cost):
                    self.objective = plus(self.objective, self.form(cost["cost"], k))
        forms = [self.objective] + [form for form, _ in self.rows] + [side for pair in self.pairs for side in pair]
        self.products = sorted({key for form in forms for key in form if len(key) == 2})

    def read_point(self, k, blocks):
        signs = []
        for block in blocks:
            self.rows += [(self.form(text, k), True) for text in block.get("zero", [])]
            for text in block.get("nonnegative", []):
                signs.append(self.form(text, k))
                self.rows.append((signs[-1], False))
        for pair in (pair for block in blocks for pair in block.get("complementary", [])):
            imposed = "both"
            if isinstance(pair, dict):
                only(pair, ("a", "b", "signs"), "a pair")
                imposed, pair = pair.get("signs", "both"), (pair["a"], pair["b"])
            sides = tuple(self.form(text, k) for text in pair)
            for name, side in zip("ab", sides):
                if imposed in ("both", name) and side not in signs:
                    signs.append(side)
                    self.rows.append((side, False))
            self.pairs.append(sides)

    def form(self, text, k):
        def resolve(name, is_next):
            at = k + is_next
            if name in self.names:
                if at >= self.points:
                    raise Unread("a row that reads beyond the last point")
                return {(at * len(self.names) + self.names[name],): Fraction(1)}
            if is_next:
                raise Unread(f"next({name})")
            if name in self.definitions:
                return self.form(self.definitions[name], k)
            numbers = {"k": Fraction(k), "t": Fraction(k * self.step)}
            value = numbers.get(name, self.parameters.get(name))
            if value is None:
                raise Unread(f"the name {name}")
            return {(): value} if value else {}

        return Formula(str(text), resolve).whole()

    def constant(self, text):
        def resolve(name, is_next):
            if is_next or name not in self.parameters:
                raise Unread(f"{name} as a number")
            return {(): self.parameters[name]}

        return Fraction(text) if not isinstance(text, str) else number(Formula(text, resolve).whole())

    def is_given(self, written, value):
        """Whether a parameter has the value that the file gives it; a formula's to what doubles are exact to."""
        return abs(self.constant(written) - Fraction(value)) <= Fraction(1e-12) * abs(Fraction(value))

    def index(self, text):
        value = self.constant(text)
        if value.denominator != 1:
            raise Unread(f"the point {text}")
        return int(value)

    def range(self, block):
        at = block.get("points", 0 if self.points == 1 else None)
        if at == "all":
            return range(self.points)
        if isinstance(at, list) and len(at) in (2, 3):
            first, last, stride = [self.index(i) for i in at] + [1] * (3 - len(at))
        elif at is not None and not isinstance(at, list):
            first, last, stride = self.index(at), self.index(at), 1
        else:
            raise Unread(f"the points {at}")
        if not 0 <= first <= last < self.points or stride < 1:
            raise Unread(f"the points {at}")
        return range(first, last + 1, stride)


# ---- intervals of fractions and +-INF; 0 times a missing limit is 0 ----


def mul(x, y):
    if x == 0 or y == 0:
        return Fraction(0)
    if isinstance(x, float) or isinstance(y, float):
        return INF if (x > 0) == (y > 0) else -INF
    return x * y


def add(x, y):
    return x if isinstance(x, float) else y if isinstance(y, float) else x + y


def span(x, y):
    ends = [mul(a, b) for a in x for b in y]
    return min(ends), max(ends)


def of_term(key, value, box):
    if len(key) == 2 and key[0] == key[1]:
        low, high = box[key[0]]
        squares = mul(low, low), mul(high, high)
        return span((value, value), (0 if low <= 0 <= high else min(squares), max(squares)))
    ends = (value, value)
    for i in key:
        ends = span(ends, box[i])
    return ends


def form_range(form, box):
    low, high = Fraction(0), Fraction(0)
    for key, value in form.items():
        least, most = of_term(key, value, box)
        low, high = add(low, least), add(high, most)
    return low, high


def to_double(x, up):
    """The next double that is not below x (not above it)."""
    if isinstance(x, float):
        return x
    try:
        y = float(x)
    except OverflowError:
        return INF if up else -INF
    if math.isinf(y):
        return y if (y > 0) == up else Fraction(math.nextafter(y, 0))
    if (y < x) if up else (y > x):
        y = math.nextafter(y, INF if up else -INF)
    return Fraction(y) if math.isfinite(y) else y


def root_above(x):
    """A fraction that is not below the root of x."""
    if x == 0:
        return Fraction(0)
    scale = 1 << 2 * max(0, 80 - (x.numerator.bit_length() - x.denominator.bit_length()) // 2)
    return Fraction(math.isqrt(-(-x.numerator * scale // x.denominator)) + 1, math.isqrt(scale))


# ---- a node of the tree ----


class Node:
    """What holds there: limits of variables and sides of pairs that are <= 0."""

    def __init__(self, model, cutoff, box, sides):
        self.model, self.cutoff, self.box, self.sides = model, cutoff, box, sides
        self.is_empty = False

    def limit(self, i, low, high):
        old = self.box[i]
        new = max(old[0], to_double(low, False)), min(old[1], to_double(high, True))
        self.box[i] = new
        self.is_empty = self.is_empty or new[0] > new[1]

    def side(self, constraint):
        """-> (form, hull) of a constraint of a pair."""
        pair, which = divmod(constraint - len(self.model.rows), 3)
        if which < 2 and (pair, which) not in self.sides:
            raise Refused(f"uses side {'ab'[which]} of pair {pair}, which does not hold there")
        return pair, which

    def take_step(self, constraint, i):
        """A constraint limits x_i: r + s x + q x^2 lies in a range `room` for some r and s of theirs."""
        model = self.model
        if not 0 <= i < model.n:
            raise Refused("limits a variable that is not there")
        if constraint == -1:
            form, kind = plus(model.objective, {(): self.cutoff}, -1) if self.cutoff < INF else {}, "<="
        elif 0 <= constraint < len(model.rows):
            form, is_equality = model.rows[constraint]
            kind = "=" if is_equality else ">="
        elif 0 <= constraint - len(model.rows) < 3 * len(model.pairs):
            pair, which = self.side(constraint)
            if which == 2:
                raise Refused("takes a step by a hull")
            form, kind = model.pairs[pair][which], "<="
        else:
            raise Refused("takes a step by a constraint that is not there")
        rest, slope, square = (Fraction(0),) * 2, (Fraction(0),) * 2, Fraction(0)
        for key, value in form.items():
            if key == (i, i):
                square += value
            elif i in key:
                others = [j for j in key if j != i]
                ends = span((value, value), self.box[others[0]]) if others else (value, value)
                slope = add(slope[0], ends[0]), add(slope[1], ends[1])
            else:
                ends = of_term(key, value, self.box)
                rest = add(rest[0], ends[0]), add(rest[1], ends[1])
        room = -INF if kind == "<=" else -rest[1], INF if kind == ">=" else -rest[0]
        if square < 0:
            square, slope, room = -square, (-slope[1], -slope[0]), (-room[1], -room[0])
        if square == 0:
            if not slope[0] <= 0 <= slope[1]:
                inverse = [Fraction(0) if isinstance(s, float) else 1 / s for s in slope]
                self.limit(i, *span(room, inverse))
        elif INF not in (room[1], slope[1]) and slope[0] != -INF:
            most = max(slope[0] ** 2, slope[1] ** 2)
            size = room[1] / square + most / (4 * square * square)  # of (x + s / 2q)^2
            if size < 0:
                self.is_empty = True
            else:
                half = root_above(size)
                self.limit(i, -half - slope[1] / (2 * square), half - slope[0] / (2 * square))

    def lagrangian(self, leaf):
        """w f - u'c, every c of which is >= 0, or = 0, at feasible points of the box."""
        model = self.model
        first_pair, first_product = len(model.rows), len(model.rows) + 3 * len(model.pairs)
        total = dict(model.objective) if leaf["weight"] == 1 else {}
        for constraint, u in leaf["multipliers"]:
            u = Fraction(u)
            if not 0 <= constraint < first_product + 4 * len(model.products):
                raise Refused("has a multiplier of nothing")
            if u < 0 and not (constraint < first_pair and model.rows[constraint][1]):
                raise Refused("has a negative multiplier of an inequality")
            if constraint < first_pair:
                total = plus(total, model.rows[constraint][0], -u)
            elif constraint < first_product:
                pair, which = self.side(constraint)
                a, b = model.pairs[pair]
                if which < 2:
                    total = plus(total, (a, b)[which], u)
                    continue
                most_a, most_b = form_range(a, self.box)[1], form_range(b, self.box)[1]
                if INF in (most_a, most_b):
                    raise Refused("uses the hull of a pair without limits")
                total = plus(plus(plus(total, {(): -most_a * most_b * u}), a, most_b * u), b, most_a * u)
            else:
                product, corner = divmod(constraint - first_product, 4)
                (i, j), x_up, y_up = model.products[product], corner // 2, corner % 2
                c, d = self.box[i][x_up], self.box[j][y_up]
                if isinstance(c, float) or isinstance(d, float):
                    raise Refused("uses a limit of a variable that has none")
                sign = -1 if x_up != y_up else 1
                total = plus(total, times({(i,): Fraction(1), (): -c}, {(j,): Fraction(1), (): -d}), -sign * u)
        return total

    def floor(self, leaf):
        """A number that w f is not below here. Any split of the Lagrangian gives one: the best of some counts."""
        total = self.lagrangian(leaf)
        floors = [separate_floor(total, self.box)]
        if leaf.get("point") is not None:
            floors += [separate_floor(without_squares(total, leaf["point"], coupling), self.box)
                       for coupling in (1e-9, 0)]
        return max(floors)


def separate_floor(form, box):
    """Sum of the least values of each variable's terms, and of each product's."""
    least = form.get((), Fraction(0))
    for i in sorted({i for key in form for i in key}):
        slope, square = form.get((i,), Fraction(0)), form.get((i, i), Fraction(0))
        low, high = box[i]
        if square > 0:
            x = min(max(-slope / (2 * square), low), high)
            value = slope * x + square * x * x
        elif square < 0:
            value = -INF if isinstance(low, float) or isinstance(high, float) else min(
                slope * x + square * x * x for x in (low, high))
        else:
            value = mul(slope, low if slope > 0 else high) if slope else Fraction(0)
        least = add(least, shorter(value))
    for key, value in form.items():
        if len(key) == 2 and key[0] != key[1]:
            least = add(least, shorter(of_term(key, value, box)[0]))
    return least


def shorter(x):
    """Not above x, with fewer digits."""
    return x if isinstance(x, float) else Fraction(math.floor(x * 2 ** 160), 2 ** 160)


def without_squares(form, point, coupling):
    """The form with squares that products couple replaced by a tangent of theirs at the point, which lies below: a sum
    of squares d_c (l_c'x)^2, d_c >= 0, is taken from it, whatever rounding made of l and d, and its tangent added."""
    size = {key[0]: value for key, value in form.items() if len(key) == 2 and key[0] == key[1] and value > 0}
    groups = {}
    for key, value in form.items():
        if len(key) == 2 and key[0] != key[1] and key[0] in size and key[1] in size:
            if value * value > Fraction(coupling) ** 2 * size[key[0]] * size[key[1]]:
                both = groups.get(key[0], {key[0]}) | groups.get(key[1], {key[1]})
                groups.update({i: both for i in both})
    out = form
    for group in {min(g): sorted(g) for g in groups.values()}.values():
        rest = {(i, j): float(form.get((min(i, j), max(i, j)), 0)) * (1 if i == j else 0.5)
                for i in group for j in group}
        for c in group:
            d = rest[c, c]
            if not d > 1e-13 * float(form[c, c]):
                continue
            line = {i: rest[i, c] / d for i in group if i >= c and rest[i, c] != 0}
            for i in line:
                for j in line:
                    rest[i, j] -= line[i] * line[j] * d
            exact = {(i,): Fraction(value) for i, value in line.items()}
            at = sum(value * Fraction(point[i]) for (i,), value in exact.items())
            out = plus(out, times(exact, exact), -Fraction(d))
            out = plus(plus(out, exact, 2 * at * Fraction(d)), {(): -at * at * Fraction(d)})
    return out


# ---- the tree ----


def check_tree(model, certificate):
    """-> (bound, leaves). Leaves cover all of space: each branch has both sides of a pair, or of a value."""
    tree, cutoff = certificate["tree"], certificate["cutoff"]
    cutoff = INF if cutoff is None else Fraction(cutoff)
    bound, n_leaves, seen = cutoff, 0, set()
    todo = [(0, -1, [(-INF, INF)] * model.n, frozenset(), False)]
    while todo:
        index, parent, box, sides, is_empty = todo.pop()
        if not parent < index < len(tree) or index in seen:
            raise Refused(f"node {parent} has a child that is none")
        seen.add(index)
        entry, node = tree[index], Node(model, cutoff, list(box), sides)
        node.is_empty = is_empty or any(low > high for low, high in box)
        try:
            for constraint, i in entry["steps"]:
                if not node.is_empty:
                    node.take_step(constraint, i)
            if "children" in entry:
                first, second = entry["children"]
                if "pair" in entry:
                    if not 0 <= entry["pair"] < len(model.pairs):
                        raise Refused("branches on no pair")
                    halves = [(node.box, sides | {(entry["pair"], side)}) for side in (0, 1)]
                else:
                    i, at = entry["variable"], Fraction(entry["at"])
                    if not 0 <= i < model.n:
                        raise Refused("branches on no variable")
                    low, high = node.box[i]
                    halves = [(node.box[:i] + [half] + node.box[i + 1:], sides)
                              for half in ((low, min(high, at)), (max(low, at), high))]
                for child, (half, on) in zip((first, second), halves):
                    todo.append((child, index, half, on, node.is_empty))
                continue
            n_leaves += 1
            if node.is_empty:
                continue
            if entry.get("empty"):
                raise Refused("is said to be empty, and its steps do not show it")
            if entry["weight"] not in (0, 1):
                raise Refused("has a weight that is neither 0 nor 1")
            least = node.floor(entry)
            if entry["weight"] == 0:
                if not least > 0:
                    raise Refused("is said to hold no feasible point, and its multipliers do not show it")
                continue
            if entry["floor"] is not None and least < entry["floor"]:
                raise Refused(f"proves {float(least):.12g}, less than the {entry['floor']:.12g} that it claims")
            bound = min(bound, least)
        except Refused as why:
            raise Refused(f"node {index} {why}") from None
    return bound, n_leaves


def main(certificate_path, scenario_path):
    with open(scenario_path, "rb") as stream:
        text = stream.read()

    def no_number(name):
        raise Unread(f"the number {name}")

    with open(certificate_path, encoding="utf-8") as stream:
        result = json.load(stream, parse_constant=no_number)
    if result["scenario"]["sha256"] != hashlib.sha256(text).hexdigest():
        raise Refused("the certificate is of another file")
    file, certificate = json.loads(text), result["certificate"]
    model = Model(file, result["scenario"]["values"])
    if certificate["variables"] != model.n:
        raise Unread(f"{certificate['variables']} variables, the model has {model.n}: no polynomial of degree two")
    bound, n_leaves = check_tree(model, certificate)
    if result["lower_bound"] is None:
        if bound < INF:
            raise Unread("a result without a bound")
        print(f"no feasible point verified, {n_leaves} leaves")
        return
    claim = Fraction(result["lower_bound"])
    if bound < claim - Fraction(SLACK) * (1 + abs(claim)):
        raise Refused(f"it proves {float(bound):.15g}, less than the {float(claim):.15g} that it claims")
    print(f"bound {float(to_double(bound, False))!r} verified, {n_leaves} leaves"
          + (f", of {', '.join(model.changed)}" if model.changed else ""))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except Refused as why:
        print(f"not proved: {why}")
        sys.exit(1)
    except Unread as what:
        print(f"not read: {what}")
        sys.exit(2)
    except (OSError, KeyError, TypeError, ValueError, IndexError) as what:
        print(f"not read: {type(what).__name__}: {what}")
        sys.exit(2)
