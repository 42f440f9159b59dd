"""tests/ui/tree.py: what a program tells assistive technology (AT-SPI over D-Bus): its windows and what is in them, by role, name and state.

GTK hands out all that it was ever asked about in one answer (org.a11y.atspi.Cache), which costs a fortieth of asking every node for its role, name
and number of children, one by one. A walk takes that answer and asks for nothing but which children a node has, and that only once: until the program
says that they changed (a signal, which comes before the answer does), or their number is another, or one of them is gone. What a walk has read is
believed until something is done or awaited (`changed`); everything else is asked when it is read, but the role, which stays.
"""
import collections

import gi
gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, Gio, GLib  # names of roles and states only: libatspi asks one question a property

ROOT = '/org/a11y/atspi/accessible/root'
NULL = '/org/a11y/atspi/null'
WINDOW_COORDINATES = 1

now = 0  # grows with everything that is done or awaited
role_names = {}  # by number


def changed():
    """What was read so far may no longer be so."""
    global now
    now += 1


Rectangle = collections.namedtuple('Rectangle', 'x y width height')


class Item:
    """A node as the program described it in its one answer."""
    def __init__(self, item):
        child = item.get_child_value
        self.path, self.n_children = child(0).get_child_value(1).get_string(), child(4).get_int32()
        self.name, self.role = child(6).get_string(), child(7).get_uint32()
        self.states = child(9).get_child_value(0).get_uint32()  # all that are used are in the first word


class Program:
    """The tree of the running program of that name."""
    def __init__(self, session, name, timeout):
        address = session.call_sync('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', None, None, 0, timeout, None).unpack()[0]
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.timeout = timeout
        self.name = name
        self.owner = None
        self.read, self.items = -1, {}
        self.children, self.roles = {}, {}  # by path: the last answer, while it holds; for good

    def root(self):
        """The node of the program itself, or None: it has not come yet, or has ended."""
        for owner, path in self.ask('org.a11y.atspi.Registry', ROOT, 'Accessible', 'GetChildren')[0]:
            try:
                if self.get(owner, path, 'Accessible', 'Name') == self.name:
                    self.owner = owner
                    self.bus.signal_subscribe(owner, 'org.a11y.atspi.Event.Object', 'ChildrenChanged', None, None, 0, self.children_changed)
                    return Node(self, path)
            except GLib.Error:  # one that has just ended
                continue
        return None

    def children_changed(self, _bus, _sender, path, *_):
        self.children.pop(path, None)

    def ask(self, owner, path, interface, method, arguments=None):
        return self.bus.call_sync(owner, path, 'org.a11y.atspi.' + interface, method, arguments, None, 0, self.timeout, None).unpack()

    def get(self, owner, path, interface, name):
        return self.bus.call_sync(owner, path, 'org.freedesktop.DBus.Properties', 'Get', GLib.Variant('(ss)', ('org.a11y.atspi.' + interface, name)),
                                  None, 0, self.timeout, None).unpack()[0]

    def look(self):
        """Reads the one answer, once between changes."""
        if self.read == now:
            return
        answer = self.bus.call_sync(self.owner, '/org/a11y/atspi/cache', 'org.a11y.atspi.Cache', 'GetItems', None, None, 0, self.timeout, None)
        listed = answer.get_child_value(0)
        items = [Item(listed.get_child_value(i)) for i in range(listed.n_children())]
        self.items, self.read = {item.path: item for item in items}, now
        context = GLib.MainContext.default()
        while context.pending():  # signals that came before the answer
            context.iteration(False)

    def children_of(self, path):
        """Paths, and items of those that the answer holds. Which children there are is asked: the answer holds hidden ones too, and does not hold
        those that were never asked about."""
        if path == ROOT:
            return [(p, None) for p in self.ask_children(path)]
        self.look()
        item = self.items.get(path)
        if item and item.n_children == 0:
            return []
        known = self.children.get(path)
        if not item or known is None or len(known) != item.n_children or not all(p in self.items for p in known):
            known = self.children[path] = self.ask_children(path)
        return [(p, self.items.get(p)) for p in known]

    def ask_children(self, path):
        return [p for _, p in self.ask(self.owner, path, 'Accessible', 'GetChildren')[0]]


class Node:
    def __init__(self, program, path, item=None):
        self.program, self.path, self.item, self.read = program, path, item, now

    def __eq__(self, other):
        return isinstance(other, Node) and self.path == other.path

    def __hash__(self):
        return hash(self.path)

    def __iter__(self):
        for path, item in self.program.children_of(self.path):
            if path != NULL:
                yield Node(self.program, path, item)

    def __getitem__(self, index):
        return list(self)[index]

    def seen(self):
        return self.item if self.read == now else None

    def ask(self, interface, method, signature='()', *arguments):
        return self.program.ask(self.program.owner, self.path, interface, method, GLib.Variant(signature, arguments))

    def get(self, interface, name):
        return self.program.get(self.program.owner, self.path, interface, name)

    @property
    def name(self):
        seen = self.seen()
        return seen.name if seen else self.get('Accessible', 'Name')

    @property
    def role(self):
        seen = self.seen()
        number = seen.role if seen else self.program.roles.get(self.path)
        if number is None:
            number = self.program.roles[self.path] = self.ask('Accessible', 'GetRole')[0]
        if number not in role_names:
            role_names[number] = Atspi.role_get_name(Atspi.Role(number))
        return role_names[number]

    @property
    def description(self):
        return self.get('Accessible', 'Description')

    @property
    def parent(self):
        return Node(self.program, self.get('Accessible', 'Parent')[1])

    def n_children(self):
        return self.get('Accessible', 'ChildCount')

    def attributes(self):
        return self.ask('Accessible', 'GetAttributes')[0]

    def has_state(self, name):
        seen = self.seen()
        states = seen.states if seen else self.ask('Accessible', 'GetState')[0][0]
        return bool(states >> int(getattr(Atspi.StateType, name.upper())) & 1)

    def extents(self):
        """In its window."""
        return Rectangle(*self.ask('Component', 'GetExtents', '(u)', WINDOW_COORDINATES)[0])

    def text(self, start=0, end=None):
        end = self.get('Text', 'CharacterCount') if end is None else end
        return self.ask('Text', 'GetText', '(ii)', start, end)[0]

    def set_text(self, text):
        changed()
        return self.ask('EditableText', 'SetTextContents', '(s)', text)[0]

    @property
    def value(self):
        return self.get('Value', 'CurrentValue')

    @value.setter
    def value(self, value):
        changed()
        arguments = GLib.Variant('(ssv)', ('org.a11y.atspi.Value', 'CurrentValue', GLib.Variant('d', value)))
        self.program.bus.call_sync(self.program.owner, self.path, 'org.freedesktop.DBus.Properties', 'Set', arguments, None, 0,
                                   self.program.timeout, None)

    def do(self, wanted='click'):
        """Its action of that name, or else its first."""
        changed()
        names = [self.ask('Action', 'GetName', '(i)', i)[0] for i in range(self.get('Action', 'NActions'))]
        assert self.ask('Action', 'DoAction', '(i)', names.index(wanted) if wanted in names else 0)[0], names
