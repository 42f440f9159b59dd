#!/usr/bin/env bash
# Installs what the tests need, builds with gcc and clang (warnings are errors) and with sanitizers, runs every test, the window's under a
# virtual display included. Ends with one line "N passed, N failed" and status 0 only if nothing failed.
#
#   tests/run.sh [--all] [SUITE...]    --all adds the long checks; SUITE: static unit sanitize cli ui (default: all of them)
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
# shellcheck source=app/packages.sh
. app/packages.sh

long=0 suites=()
for argument in "$@"; do
  case $argument in
    --all) long=1 ;;
    static | unit | sanitize | cli | ui) suites+=("$argument") ;;
    *) echo "unknown argument $argument (expected --all, static, unit, sanitize, cli, ui)" >&2; exit 2 ;;
  esac
done
((${#suites[@]})) || suites=(static unit sanitize cli ui)
export STICKSLIP_TEST_ALL=$long

passed=0 failed=0
# count FILE STATUS NAME: adds the "N passed, N failed" line that ends FILE; a test without one counts by its exit status.
count() {
  local file=$1 status=$2 name=$3 line
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$file" | tail -n 1)
  if [[ -n $line ]]; then
    local p=${line%% *} f=${line#*, }
    f=${f%% *}
    if ((status != 0 && f == 0)); then f=1; fi
    passed=$((passed + p)) failed=$((failed + f))
    printf '  %-34s %s\n' "$name" "$line"
    ((f)) && { grep -vE '^ok ' "$file" | tail -n 40; }
  elif ((status == 0)); then
    passed=$((passed + 1))
    printf '  %-34s ok\n' "$name"
  else
    failed=$((failed + 1))
    printf '  %-34s FAILED (status %s)\n' "$name" "$status"
    tail -n 40 "$file"
  fi
  return 0
}
# check NAME COMMAND...: runs a command as one test.
check() {
  local name=$1 log status=0
  shift
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  count "$log" "$status" "$name"
  rm -f "$log"
}
# suite_of DIR SUITE: runs the meson tests of a suite, each counted by its own last line.
suite_of() {
  local directory=$1 suite=$2 name program
  while IFS=$'\t' read -r name program; do
    check "$name" timeout 300 bash -c "$program"
  done < <(python3 tests/list-tests.py "$directory" "$suite")
}
wants() { [[ " ${suites[*]} " == *" $1 "* ]]; }

install_packages "${packages_build[@]}" "${packages_test[@]}" || { echo "0 passed, 1 failed"; exit 1; }
# pyatspi belongs to the distribution's Python
PATH=$(command -pv python3 | xargs dirname):$PATH

echo "== build (gcc)"
check "gcc, warnings are errors" build build --buildtype=release

if wants static; then
  echo "== static"
  check "clang, warnings are errors" env CC=clang bash -c '. app/packages.sh && build build-clang --buildtype=debug -Dcvode=disabled'
  check "rooms include only rooms above" python3 tests/check-includes.py build
  check "format" bash -c 'git ls-files "*.c" "*.h" | xargs clang-format-14 --dry-run --Werror'
  check "no GTK in command line" bash -c '! ldd build/app/stickslip-cli | grep -E "libgtk|libadwaita"'
  check "desktop entry" desktop-file-validate data/*.desktop
  check "metainfo" appstreamcli validate --no-net data/*.metainfo.xml
  check "settings schema" glib-compile-schemas --strict --dry-run data
fi
if wants unit; then
  echo "== unit and numeric"
  suite_of build unit
  suite_of build numeric
  suite_of build store
fi
if wants sanitize; then
  echo "== unit under address and undefined behaviour sanitizers"
  check "build with sanitizers" build build-asan --buildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false -Dui=false
  export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
  export LSAN_OPTIONS=suppressions=$PWD/tests/data/lsan.supp:print_suppressions=0
  suite_of build-asan unit
  suite_of build-asan fuzz
  suite_of build-asan store
  unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS
fi
if wants cli; then
  echo "== command line"
  suite_of build cli
fi
if wants ui; then
  echo "== window"
  for script in tests/ui/test_*.py; do
    check "$(basename "$script" .py)" timeout 400 tests/ui/gui-run.sh python3 "$script"
  done
fi
if ((long)); then
  echo "== long"
  suite_of build long
fi

echo
echo "$passed passed, $failed failed"
((failed == 0))
