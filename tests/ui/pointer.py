"""tests/ui/pointer.py: pointer and keys of the display, and sizes of its windows, as xdotool has them, by XTEST and without a process for each:
a drag of eight steps started eighteen."""
import ctypes
import time

x11, xtest = ctypes.CDLL('libX11.so.6'), ctypes.CDLL('libXtst.so.6')  # both come with xdotool
ulong, integer, pointer = ctypes.c_ulong, ctypes.c_int, ctypes.c_void_p
x11.XOpenDisplay.restype, x11.XOpenDisplay.argtypes = pointer, [ctypes.c_char_p]
x11.XSync.argtypes = [pointer, integer]
x11.XWarpPointer.argtypes = [pointer, ulong, ulong] + [integer] * 2 + [ctypes.c_uint] * 2 + [integer] * 2
x11.XGetGeometry.argtypes = [pointer, ulong] + [pointer] * 7
x11.XStringToKeysym.restype, x11.XStringToKeysym.argtypes = ulong, [ctypes.c_char_p]
x11.XKeysymToKeycode.restype, x11.XKeysymToKeycode.argtypes = ctypes.c_ubyte, [pointer, ulong]
x11.XkbKeycodeToKeysym.restype, x11.XkbKeycodeToKeysym.argtypes = ulong, [pointer, ctypes.c_ubyte, integer, integer]
xtest.XTestFakeButtonEvent.argtypes = [pointer, ctypes.c_uint, integer, ulong]
xtest.XTestFakeKeyEvent.argtypes = [pointer, ctypes.c_uint, integer, ulong]

HELD = 0.012  # between press and release [s], as xdotool has it
MODIFIERS = {'ctrl': 'Control_L', 'alt': 'Alt_L', 'shift': 'Shift_L', 'super': 'Super_L'}

opened = []
faults = []
sent = []  # events that no program was asked about yet


@ctypes.CFUNCTYPE(integer, pointer, pointer)
def on_error(_display, _event):
    """A window that has gone: told by the call, not by the end of the process."""
    faults.append(True)
    return 0


def display():
    if not opened:
        x11.XSetErrorHandler(on_error)
        opened.append(x11.XOpenDisplay(None))
        assert opened[0], 'there is no display'
    return opened[0]


def arrived():
    """Waits until the display has taken what was sent."""
    x11.XSync(display(), 0)
    sent.append(True)
    if faults:
        faults.clear()
        raise RuntimeError('the window is gone')


def size(window):
    root, x, y, width, height, border, depth = ulong(), integer(), integer(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    x11.XGetGeometry(display(), int(window), *map(ctypes.byref, (root, x, y, width, height, border, depth)))
    arrived()
    return width.value, height.value


def move(window, x, y):
    """To a point in a window's coordinates."""
    x11.XWarpPointer(display(), 0, int(window), 0, 0, 0, 0, x, y)
    arrived()


def button(number, is_down):
    xtest.XTestFakeButtonEvent(display(), number, is_down, 0)
    arrived()


def click(number):
    button(number, True)
    time.sleep(HELD)
    button(number, False)


def codes(keys):
    """Key codes of a key with its modifiers, as in ctrl+shift+z; None: one that this keyboard has not without another modifier."""
    found = []
    for name in keys.split('+'):
        symbol = x11.XStringToKeysym(MODIFIERS.get(name, name).encode())
        code = x11.XKeysymToKeycode(display(), symbol) if symbol else 0
        if not code or x11.XkbKeycodeToKeysym(display(), code, 0, 0) != symbol:
            return None
        found.append(code)
    return found


def key(keys):
    """Presses and releases; False: it cannot."""
    pressed = codes(keys)
    if pressed is None:
        return False
    for code in pressed:
        xtest.XTestFakeKeyEvent(display(), code, True, 0)
    arrived()
    time.sleep(HELD)
    for code in reversed(pressed):
        xtest.XTestFakeKeyEvent(display(), code, False, 0)
    arrived()
    return True
