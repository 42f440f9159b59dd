#!/bin/bash
# All tests in a real window: tests/ui/run.sh [BUILD]. Needs xvfb, openbox, xcompmgr, xdotool, imagemagick, python3-pyatspi.
# The last line is "N passed, N failed". SHOTS=FOLDER keeps pictures of every stage.
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd)
export STICKSLIP=$build/app/stickslip
python=$(command -pv python3)
passed=0 failed=0
for test in "$here"/test_*.py; do
  out=$("$here/gui-run.sh" "$python" "$test" 2>&1)
  echo "$out" | grep -v -E 'dbus-daemon|dbind-WARNING|SpiRegistry|^$'
  last=$(echo "$out" | grep -E '^[0-9]+ passed, [0-9]+ failed$' | tail -1)
  if [ -z "$last" ]; then failed=$((failed + 1)); continue; fi
  passed=$((passed + ${last%% passed*}))
  rest=${last#*, }
  failed=$((failed + ${rest%% failed*}))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
