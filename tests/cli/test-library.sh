#!/usr/bin/env bash
# libstickslip as a program of others finds it: installed elsewhere, by pkg-config, from C and from Python; its answers are those of the
# command line; what it shows is what its header declares.
#   test-library.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build=$(dirname "$(dirname "$cli")")
library=$build/engine/libstickslip.so.0

# --- what it shows
header=$root/engine/library/stickslip.h map=$root/engine/library/stickslip.map
grep -oE '\bstickslip_\w+ \(' "$header" | tr -d ' (' | sort -u >declared
grep -oE '^ +stickslip_\w+' "$map" | tr -d ' ' | sort -u >listed
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u >shown
check "it shows what the header declares" diff declared shown
check "the list of its names has these" diff listed shown
check "its name is of version 0" grep -q 'SONAME.*\[libstickslip\.so\.0\]' <(readelf -d "$library")
# A sanitized library wants a sanitized program.
if readelf -d "$library" | grep -qE 'lib[at]san'; then finish; exit; fi

# --- installed elsewhere
check "meson install" bash -c 'meson install -C "$0" --no-rebuild --destdir "$1/there" >told 2>&1 || { tail -n 3 told; exit 1; }' "$build" "$work"
export PKG_CONFIG_SYSROOT_DIR=$work/there
PKG_CONFIG_PATH=$(dirname "$(find there -name stickslip.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs stickslip)
LD_LIBRARY_PATH=$(dirname "$(find "$work/there" -name libstickslip.so.0)")
export LD_LIBRARY_PATH STICKSLIP_LIBRARY=$LD_LIBRARY_PATH/libstickslip.so.0
echo '#include <stickslip/stickslip.h>' >only.c
check "the header is enough by itself" "${CC:-cc}" -std=c99 -pedantic -Wall -Werror -fsyntax-only $(pkg-config --cflags stickslip) only.c
check "the header is C++ too" "${CC:-cc}" -Wall -Werror -fsyntax-only $(pkg-config --cflags stickslip) -x c++ only.c
check "the version is that of the programs" [ "stickslip-cli $(pkg-config --modversion stickslip)" = "$("$cli" --version)" ]
# shellcheck disable=SC2086
check "a program of 30 lines compiles" "${CC:-cc}" -Wall -Wextra -Werror "$root/examples/library/two-methods.c" $flags -o two-methods
check "and runs" bash -c './two-methods "$0" >told' "$fall"
for method in moreau-jean event-driven; do
  status 0 simulate "$fall" --method $method --json
  python3 -c 'import json, sys
result = json.load(open("out"))
print(sys.argv[1] + ": " + result["outcome"])
for name in ("steps", "max_penetration", "energy_final"): print("  %s %.9g" % (name, result["metrics"][name]))' $method
done >expected
check "with the metrics of the command line" diff told expected
check "it says what is wrong" bash -c '! ./two-methods nowhere.stickslip.json 2>told && grep -q nowhere.stickslip.json told'

# --- from Python
cat >drive.py <<'END'
import importlib.util, json, math, sys, threading
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("engine", sys.argv[1] + "/data/python/stickslip/engine.py")  # the package wants numpy, it does not
engine = importlib.util.module_from_spec(spec)
spec.loader.exec_module(engine)
header = open(sys.argv[1] + "/engine/library/stickslip.h").read()
assert all(f"stickslip_{name} (" in header for name in engine._FUNCTIONS)
text = {"format": 1, "name": "slide", "parameters": {"mu": {"value": 0.3}}, "scene": {"friction": "mu", "bodies": [
    {"name": "floor", "fixed": True, "shape": {"type": "half-plane", "normal": [0, 1]}},
    {"name": "box", "shape": {"type": "box", "width": 0.4, "height": 0.2}, "mass": 2, "position": [0, 0.1], "velocity": [2, 0]}],
    "contacts": ["all"]}, "task": {"t_end": 1, "dt": 0.01}}
scene = engine.Scenario(text=json.dumps(text), name="slide")
assert scene.name == "slide" and scene.number("mu") == 0.3 and engine.version()
run = scene.run("event-driven", sensitivities=["mu"])
g, mu, v, t = 9.81, 0.3, 2, 2 / (0.3 * 9.81)
assert run.outcome == "completed" and run.is_success, run.message
# a block that slides to rest: x = v^2 / (2 mu g), so dx/dmu = -v^2 / (2 mu^2 g); solved to the integrator's tolerance of 1e-9
assert abs(run.motion["box.x"][-1] - v**2 / (2 * mu * g)) < 1e-6, run.motion["box.x"][-1]
assert abs(run.derivative("mu", "box.x") + v**2 / (2 * mu**2 * g)) < 1e-5, run.derivative("mu", "box.x")
assert math.isnan(run.derivative("mu", "nothing"))
assert abs(scene.with_(mu=0.6).run("event-driven").motion["box.x"][-1] - v**2 / (2 * 0.6 * g)) < 1e-6
judged = scene.judge(run.motion)
assert judged.outcome == "completed" and abs(judged.metrics["max_penetration"] - run.metrics["max_penetration"]) < 1e-12
for wrong in (lambda: engine.Scenario(text="{}"), lambda: scene.number("box.nothing"), lambda: scene.run("crips"), lambda: scene.run("moreau-jean", dt=-1),
              lambda: scene.run("moreau-jean", options={"theeta": 1}), lambda: scene.run("crisp", kind="optimiser"), lambda: scene.judge({"t": []})):
    try:
        wrong()
    except engine.EngineError as error:
        assert str(error)
    else:
        raise AssertionError("no error")
assert {"moreau-jean", "event-driven"} <= {name for _, name, _ in engine.methods("integrator")}
replayed = scene.run("moreau-jean", wall=60, cpu=60)
assert replayed.metrics["steps"] == 100
threads = [threading.Thread(target=lambda: scene.with_(mu=0.4).run("moreau-jean")) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("driven")
END
check "from Python: closed forms, derivatives, errors, threads" bash -c 'python3 drive.py "$0" >told 2>&1 && grep -qx driven told || { cat told; exit 1; }' "$root"

# --- the interface of before: types and functions as abidw tells them of the header; tests/data/libstickslip.abi is made anew by
# REWRITE=1 where a version adds to it. Long, and where abigail-tools is.
if [ "${STICKSLIP_TEST_ALL:-0}" = 1 ] && command -v abidw >/dev/null && [ "$(uname -m)" = x86_64 ]; then
  abi=$root/tests/data/libstickslip.abi
  "${CC:-cc}" -g -O0 -shared -fPIC -std=c17 -D_POSIX_C_SOURCE=200809L -I"$root/engine" -Wl,--version-script,"$map" -Wl,-soname,libstickslip.so.0 \
    "$root"/engine/library/*.c -o interface.so.0
  abidw --headers-dir "$root/engine/library" --drop-private-types --no-show-locs --no-comp-dir-path --no-corpus-path --drop-undefined-syms interface.so.0 | sed "s|path='$root/|path='|" >now.abi
  [ "${REWRITE:-0}" = 0 ] || cp now.abi "$abi"
  check "functions and types of the interface are those of before" abidiff --no-added-syms "$abi" now.abi
fi

finish
