"""The engine in this process: libstickslip by ctypes, without a program beside it.

    from stickslip import engine
    scene = engine.Scenario("examples/sketches/falling-box.stickslip.json")
    result = scene.with_(mu=0.3).run("moreau-jean", dt=0.001, sensitivities=["mu"])
    result.outcome, result.metrics["max_penetration"], result.motion["box.y"][-1], result.derivative("mu", "box.x")

Names are those of stickslip.h, which says what each is; errors are EngineError. The library is found as any other, or at $STICKSLIP_LIBRARY. A run takes no lock of Python's: others go on.
"""
import ctypes
import os
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_void_p

__all__ = ["EngineError", "Scenario", "Result", "methods", "version"]
KINDS = {"integrator": 0, "optimiser": 1, "impact-law": 2}
_ERROR = (c_char_p, c_size_t)  # where a message goes
_FUNCTIONS = {  # name: result, arguments
    "version": (c_char_p,), "method_count": (c_int,), "method_at": (c_void_p, c_int), "metric_count": (c_int,), "metric_name": (c_char_p, c_int),
    "method_kind": (c_int, c_void_p), "method_name": (c_char_p, c_void_p), "method_summary": (c_char_p, c_void_p),
    "method_find": (c_void_p, c_int, c_char_p, *_ERROR), "method_of_scenario": (c_void_p, c_int, c_void_p),
    "scenario_parse": (c_void_p, c_char_p, c_size_t, c_char_p, *_ERROR), "scenario_with": (c_void_p, c_void_p, c_char_p, c_double, *_ERROR),
    "scenario_number": (c_double, c_void_p, c_char_p, *_ERROR), "scenario_name": (c_char_p, c_void_p), "scenario_free": (None, c_void_p),
    "scenario_is_scene": (c_bool, c_void_p),
    "job_new": (c_void_p, c_void_p, c_void_p, *_ERROR), "job_free": (None, c_void_p), "job_run": (c_void_p, c_void_p, *_ERROR),
    "job_set_option": (c_bool, c_void_p, c_char_p, c_char_p, *_ERROR), "job_set_step": (c_bool, c_void_p, c_double, *_ERROR),
    "job_set_end": (c_bool, c_void_p, c_double, *_ERROR), "job_set_limits": (None, c_void_p, c_double, c_double),
    "job_add_sensitivity": (c_bool, c_void_p, c_char_p, *_ERROR), "job_set_motion": (c_bool, c_void_p, c_void_p, *_ERROR),
    "judge": (c_void_p, c_void_p, c_void_p, *_ERROR), "result_free": (None, c_void_p), "result_outcome": (c_char_p, c_void_p),
    "result_message": (c_char_p, c_void_p), "result_n_motions": (c_int, c_void_p), "result_motion": (c_void_p, c_void_p, c_int),
    "result_metric": (c_bool, c_void_p, c_char_p, POINTER(c_double)), "result_is_success": (c_bool, c_void_p),
    "result_derivative": (c_double, c_void_p, c_char_p, c_char_p),
    "trajectory_new": (c_void_p, POINTER(c_char_p), c_int, *_ERROR), "trajectory_append": (c_bool, c_void_p, POINTER(c_double), *_ERROR),
    "trajectory_free": (None, c_void_p), "trajectory_n_channels": (c_int, c_void_p), "trajectory_channel": (c_char_p, c_void_p, c_int),
    "trajectory_n_rows": (c_int, c_void_p), "trajectory_row": (POINTER(c_double), c_void_p, c_int),
}


class EngineError(Exception):
    """What the engine says was wrong."""


def _load():
    library = ctypes.CDLL(os.environ.get("STICKSLIP_LIBRARY", "libstickslip.so.0"))
    for name, (result, *arguments) in _FUNCTIONS.items():
        function = getattr(library, "stickslip_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = None


def _call(name, *arguments):
    """The function's answer; EngineError with its message where it has one and fails."""
    global _library
    _library = _library or _load()
    if _FUNCTIONS[name][-2:] != _ERROR:
        return getattr(_library, "stickslip_" + name)(*arguments)
    message = ctypes.create_string_buffer(1024)
    answer = getattr(_library, "stickslip_" + name)(*arguments, message, len(message))
    if message.value:
        raise EngineError(message.value.decode())
    return answer


def version():
    return _call("version").decode()


def methods(kind=None):
    """(kind, name, summary) of every method."""
    kinds = {number: name for name, number in KINDS.items()}
    every = [_call("method_at", i) for i in range(_call("method_count"))]
    rows = [(kinds[_call("method_kind", m)], _call("method_name", m).decode(), _call("method_summary", m).decode()) for m in every]
    return [row for row in rows if kind is None or row[0] == kind]


def _to_motion(handle):
    """Channels by name: arrays of numpy where it is there, else lists."""
    n, rows = _call("trajectory_n_channels", handle), _call("trajectory_n_rows", handle)
    names = [_call("trajectory_channel", handle, i).decode() for i in range(n)]
    numbers = _call("trajectory_row", handle, 0)[:n * rows] if rows else []
    try:
        import numpy
        return dict(zip(names, numpy.array(numbers).reshape(rows, n).T))
    except ImportError:
        return {name: numbers[i::n] for i, name in enumerate(names)}


class _Motion:
    """A motion of the caller's, channels by name, as the engine takes it."""

    def __init__(self, channels):
        names = ["t", *(name for name in channels if name != "t")]
        self.handle = _call("trajectory_new", (c_char_p * len(names))(*(n.encode() for n in names)), len(names))
        for row in zip(*(channels[name] for name in names)):
            _call("trajectory_append", self.handle, (c_double * len(names))(*row))

    def __del__(self):
        _call("trajectory_free", self.handle)


class Result:
    """What came of a run, read out of the engine: outcome, message, is_success, metrics, motions (channels by name), motion: the first."""

    def __init__(self, handle, numbers=()):
        self.outcome, self.message = _call("result_outcome", handle).decode(), _call("result_message", handle).decode()
        self.is_success = _call("result_is_success", handle)
        self.metrics, value = {}, c_double()
        for name in (_call("metric_name", i) for i in range(_call("metric_count"))):
            if _call("result_metric", handle, name, ctypes.byref(value)):
                self.metrics[name.decode()] = value.value
        self.motions = [_to_motion(_call("result_motion", handle, i)) for i in range(_call("result_n_motions", handle))]
        self.motion = self.motions[0] if self.motions else None
        self._derivatives = {(number, channel): _call("result_derivative", handle, number.encode(), channel.encode())
                             for number in numbers for channel in self.motion or ()}
        _call("result_free", handle)

    def derivative(self, number, channel):
        """Of a channel of the last row by a number of `sensitivities`; NaN: there is none."""
        return self._derivatives.get((number, channel), float("nan"))


class Scenario:
    """A scene or a model in equations: the path of its file, or its text."""

    def __init__(self, file=None, text=None, name=""):
        if text is None:
            with open(file, "rb") as source:
                text, name = source.read(), os.fspath(file)
        data = text.encode() if isinstance(text, str) else text
        self._handle = _call("scenario_parse", data, len(data), os.fsencode(name))

    def __del__(self):
        if getattr(self, "_handle", None):
            _call("scenario_free", self._handle)

    @property
    def name(self):
        return _call("scenario_name", self._handle).decode()

    def number(self, name):
        return _call("scenario_number", self._handle, name.encode())

    def with_(self, numbers=None, **more):
        """The same with other numbers: {"box.mass": 2}, mu=0.3."""
        other = self
        for name, value in {**(numbers or {}), **more}.items():
            handle = _call("scenario_with", other._handle, name.encode(), value)
            other = object.__new__(Scenario)
            other._handle = handle
        return other

    def run(self, method=None, kind=None, dt=None, t_end=None, wall=None, cpu=None, sensitivities=(), motion=None, options=None):
        """Runs a method; without `kind` an integrator of a scene, an optimiser of a model; without a name the file's."""
        kind = KINDS[kind or ("integrator" if _call("scenario_is_scene", self._handle) else "optimiser")]
        found = _call("method_find", kind, method.encode()) if method else _call("method_of_scenario", kind, self._handle)
        if found is None:
            raise EngineError("there is no method of that kind")
        given = _Motion(motion) if motion is not None else None
        job = _call("job_new", self._handle, found)
        try:
            for name, value in (options or {}).items():
                text = {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
                _call("job_set_option", job, name.encode(), text.encode())
            if dt is not None:
                _call("job_set_step", job, dt)
            if t_end is not None:
                _call("job_set_end", job, t_end)
            for number in sensitivities:
                _call("job_add_sensitivity", job, number.encode())
            if given is not None:
                _call("job_set_motion", job, given.handle)
            _call("job_set_limits", job, float("inf") if wall is None else wall, float("inf") if cpu is None else cpu)
            return Result(_call("job_run", job), sensitivities)
        finally:
            _call("job_free", job)

    def judge(self, motion):
        """A motion from elsewhere, channels by name, judged as that of a run."""
        given = _Motion(motion)
        return Result(_call("judge", self._handle, given.handle))
