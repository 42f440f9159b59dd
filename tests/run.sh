#!/usr/bin/env bash
# Installs what the tests need, builds with gcc and clang (warnings are errors) and with sanitizers, runs every test, the window's under a
# virtual display included. Says what each part took. Ends with one line "N passed, N failed" and status 0 only if nothing failed.
#
#   tests/run.sh [--all] [SUITE...]    --all adds the long checks; SUITE: static unit sanitize threads cli ui (default: all of them, threads with
#                                    --all)
#   tests/run.sh --coverage            which lines of engine/ and app/ the tests without a window run, room by room, and nothing else
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
# shellcheck source=app/packages.sh
. app/packages.sh

long=0 coverage=0 suites=()
for argument in "$@"; do
  case $argument in
    --all) long=1 ;;
    --coverage) coverage=1 ;;
    static | unit | sanitize | threads | cli | ui) suites+=("$argument") ;;
    *) echo "unknown argument $argument (expected --all, --coverage, static, unit, sanitize, threads, cli, ui)" >&2; exit 2 ;;
  esac
done
if ((!${#suites[@]})); then
  suites=(static unit sanitize cli ui)
  if ((long)); then suites+=(threads); fi
fi
export STICKSLIP_TEST_ALL=$long

passed=0 failed=0 cores=$(nproc) scratch=$(mktemp -d)
hashes=$scratch/hashes
mkdir "$hashes"
trap 'rm -rf "$scratch"' EXIT
# count FILE NAME SECONDS KIND: adds the "N passed, N failed" line that ends FILE; a test without one counts by its exit status. FILE.cpu holds the
# seconds of the processor, which `spent` has of each kind, FILE.status the exit status: without it, the process was killed.
declare -A spent=()
kind=checks
count() {
  local file=$1 status=137 name=$2 took="$3 s" cpu line
  [[ ! -s $file.status ]] || status=$(<"$file.status")
  cpu=$(tail -n 1 "$file.cpu")
  spent[$4]="${spent[$4]:-} $cpu"
  took+=", $(awk '{ printf "%.1f", $1 + $2 }' <<<"$cpu") s of the processor"
  rm -f "$file.cpu" "$file.status"
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$file" | tail -n 1)
  if [[ -n $line ]]; then
    local p=${line%% *} f=${line#*, }
    f=${f%% *}
    if ((status != 0 && f == 0)); then f=1; fi
    passed=$((passed + p)) failed=$((failed + f))
    printf '  %-34s %s  %s\n' "$name" "$line" "$took"
    ((f)) && { grep -vE '^ok ' "$file" | tail -n 40; }
  elif ((status == 0)); then
    passed=$((passed + 1))
    printf '  %-34s ok  %s\n' "$name" "$took"
  else
    failed=$((failed + 1))
    printf '  %-34s FAILED (status %s)\n' "$name" "$status"
    tail -n 40 "$file"
  fi
  return 0
}
# timed LOG COMMAND...: what the command says goes to LOG, its seconds of the processor to LOG.cpu, its status to LOG.status: bash forgets that of
# a process that ended long before it is waited for, when another gets the same number.
timed() {
  local log=$1 status=0 TIMEFORMAT='%U %S'
  shift
  { time "$@" >"$log" 2>&1 </dev/null; } 2>"$log.cpu" || status=$?
  echo "$status" >"$log.status"
}
# check NAME COMMAND...: runs a command as one test.
check() {
  local name=$1 log from=$SECONDS
  shift
  log=$(mktemp)
  timed "$log" "$@"
  count "$log" "$name" $((SECONDS - from)) "$kind"
  rm -f "$log"
}
# begin NAME COMMAND...: begins a command that takes both cores, a build, beside all that is run until `finish NAME` waits for it and counts it.
declare -A begun=() begun_logs=() begun_starts=()
begin() {
  local name=$1
  shift
  begun_logs[$name]=$(mktemp) begun_starts[$name]=$SECONDS
  timed "${begun_logs[$name]}" "$@" &
  begun[$name]=$!
}
finish() {
  wait "${begun[$1]}" 2>/dev/null || true # it may have ended long ago
  count "${begun_logs[$1]}" "$1" $((SECONDS - begun_starts[$1])) builds
  rm -f "${begun_logs[$1]}"
  unset "begun[$1]" "begun_logs[$1]" "begun_starts[$1]"
}
# beside NAME COMMAND...: runs a command as one test beside others, `slots` in all; `reap_all` waits for the last of them, then runs those
# that must be alone.
declare -A names=() logs=() starts=() builds=() kinds=()
alone=()
slots=$cores
beside() {
  local name=$1 log
  shift
  ((${#names[@]} < slots)) || reap
  log=$(mktemp)
  timed "$log" "$@" 8>&- &
  names[$!]=$name logs[$!]=$log starts[$!]=$SECONDS builds[$!]=${directory:-} kinds[$!]=$kind
}
reap() {
  local pid=''
  wait -n -p pid "${!names[@]}" || true
  if [[ -z $pid ]]; then # forgotten
    for pid in "${!names[@]}"; do [[ ! -s ${logs[$pid]}.status ]] || break; done
  fi
  count "${logs[$pid]}" "${names[$pid]}" $((SECONDS - starts[$pid])) "${kinds[$pid]}"
  [[ ${names[$pid]} != test-same-bits ]] || grep '^hash ' "${logs[$pid]}" >"$hashes/${builds[$pid]}"
  rm -f "${logs[$pid]}"
  unset "names[$pid]" "logs[$pid]" "starts[$pid]" "builds[$pid]" "kinds[$pid]"
}
reap_all() {
  local name
  while ((${#names[@]})); do reap; done
  for name in "${alone[@]}"; do
    check "${name%%$'\t'*}" timeout $guard bash -c "${name#*$'\t'}"
  done
  alone=()
}
# open_displays: begins a display for each of `slots`, which window tests share from then on; a display, its bus and its window manager take as
# long to start as a short test. close_displays: ends them. They go too when this script ends, which alone holds the other end of their pipe (8).
displays=()
open_displays() {
  local i
  export GUI_DISPLAYS=$scratch/displays
  mkdir -p "$GUI_DISPLAYS"
  mkfifo "$scratch/pipe"
  exec 8<>"$scratch/pipe"
  for ((i = 0; i < slots; i++)); do
    timed "$scratch/display-$i" tests/ui/gui-run.sh --keep "$GUI_DISPLAYS/$i" "$scratch/pipe" 8>&- &
    displays+=($!)
  done
}
close_displays() {
  ((${#displays[@]})) || return 0
  exec 8>&-
  wait "${displays[@]}" 2>/dev/null || true
  spent[ui]="${spent[ui]:-} $(cat "$scratch"/display-*.cpu | paste -sd ' ')"
  rm -rf "$scratch/pipe" "$GUI_DISPLAYS" "$scratch"/display-*
  unset GUI_DISPLAYS
  displays=()
}
# tests_of DIR SUITE...: begins the meson tests of the suites, each counted by its own last line; those that measure time run alone, unless
# they are told to wait for a slow build. Their environment is that of the moment. `left_out`: names that are passed over, with | between;
# `only`: where it is not empty, those that are not.
left_out='' only=''
guard=1800 # seconds: a test waits for events, and nobody knows how busy the machine is
tests_of() {
  local directory=$1 how name program
  while IFS=$'\t' read -r how name program; do
    [[ -z $left_out || ! $name =~ ^($left_out)$ ]] || continue
    [[ -z $only || $name =~ ^($only)$ ]] || continue
    if [[ $how == alone && ${STICKSLIP_TEST_SLOWDOWN:-1} == 1 ]]; then
      alone+=("$name"$'\t'"$program")
    else
      beside "$name" timeout $guard bash -c "$program"
    fi
  done < <(python3 tests/list-tests.py "$@")
}
# part TITLE: begins a part of the run and says what the one before took. Seconds of the processor are those of all processes that ended.
part_title='' part_from=0 part_cpu=0
part() {
  local now=$SECONDS user kernel cpu
  times >"$scratch/times" # not in a subshell, which has spent nothing
  { read -r _; read -r user kernel; } <"$scratch/times"
  cpu=$(awk -v a="$user" -v b="$kernel" 'BEGIN { split(a, u, /[ms]/); split(b, v, /[ms]/); printf "%d", 60 * (u[1] + v[1]) + u[2] + v[2] }')
  [[ -z $part_title ]] || printf '== %s: %d s, %d s of the processor\n' "$part_title" $((now - part_from)) $((cpu - part_cpu))
  part_title=$1 part_from=$now part_cpu=$cpu
  [[ -z $1 ]] || echo "== $1"
}
# quiet DIR PATTERN: fails and prints when a sanitizer left a report in DIR, also of a worker whose output others read.
quiet() {
  local found
  found=$(grep -lE "$2" "$1"/* 2>/dev/null) || return 0
  # shellcheck disable=SC2086
  head -n 40 $found
  return 1
}
# same_hashes: the hashes that test-same-bits printed are those of every build in which it ran.
same_hashes() {
  local file first='' wanted
  for file in "$hashes"/*; do
    [[ -e $file ]] || continue # no suite of this call ran it
    echo "$(basename "$file"): $(wc -l <"$file") hashes"
    if [[ -z $first ]]; then
      first=$file wanted=$(<"$file")
      [[ -n $wanted ]] || return 1
    else
      diff <(echo "$wanted") "$file" || { echo "$(basename "$first") and $(basename "$file") differ"; return 1; }
    fi
  done
}
# The second compiler's build is the one with sanitizers: lines in reports and no more for the debugger; without checks of pointers whose misuse
# the address sanitizer tells. What the undefined behaviour sanitizer finds is an illegal instruction, which the address sanitizer reports with
# its file and line: half as much code. NULL + 0, which clang counts as an overflow of pointers, is no fault here.
with_clang() {
  CC=clang build build-clang --buildtype=plain -Doptimization=1 -Dlight=true -Db_sanitize=address,undefined -Db_lundef=false \
    '-Dc_args=-g1 -fsanitize-trap=undefined -fno-sanitize=null,alignment,object-size,pointer-overflow'
}
# gcc's sanitizers make other checks than clang's; -O1, under which gcc 12 warns of what isn't so.
with_gcc_sanitizers() {
  build build-gcc-asan --buildtype=plain -Doptimization=1 -Dlight=true -Db_sanitize=address,undefined -Db_lundef=false \
    '-Dc_args=-g1 -Wno-error -fsanitize-undefined-trap-on-error' -- programs-of-tests
}
# Also the build without the optional integrator.
with_thread_sanitizer() {
  CC=clang build build-tsan --buildtype=plain -Doptimization=1 -Dlight=true -Db_sanitize=thread -Db_lundef=false -Dcvode=disabled \
    "-Dc_args=-g1 -include $PWD/tests/ss-tsan.h"
}
# Each file by itself, so that the compiler says what it lacks and what it hides; check-includes.py reads the same from the sources, of names of ours.
each_alone() { build build-alone --buildtype=plain -Doptimization=0 -Dtogether= -Dpch=false -Db_lundef=false; }
# Window tests and those of the command line that take longest: first.
longest_cli='cli-(manual|bench|worker|sweep-cluster|bench-forms|limits|damage|reproduce|verbs|plan|endings)' longest_ui='ways_on|fit|race|habits|solve|clicks|parting|robust|sketch|task|contacts|impact|replan|sandbox'
# partly: names of the tests of which sanitizers run less, or more slowly, than the release build.
partly() { grep -lE 'SS_RUN_SLOW|ss_test_is_coarse|STICKSLIP_TEST_SLOWDOWN' tests/{unit,numeric,store,fuzz}/*.c | xargs -n 1 basename -s .c | paste -sd '|'; }
wants() { [[ " ${suites[*]} " == *" $1 "* ]]; }

install_packages "${packages_build[@]}" "${packages_test[@]}" || { echo "0 passed, 1 failed"; exit 1; }
# GObject's bindings belong to the distribution's Python
PATH=$(command -pv python3 | xargs dirname):$PATH

# lines_run: the lines that the tests of the command line and below it run, for each room. What ends by a signal or by _exit, workers that are
# killed, is not counted.
lines_run() {
  part "lines of engine/ and app/ that the tests run"
  check "build with counters" build build-coverage --buildtype=debug -Db_coverage=true -Dui=false -- programs-of-tests
  find build-coverage -name '*.gcda' -delete
  STICKSLIP_TEST_SLOWDOWN=3 tests_of build-coverage numeric unit fuzz store cli
  reap_all
  python3 tests/coverage.py build-coverage || { failed=$((failed + 1)); }
}
# under_valgrind: what valgrind alone sees, values that were never set, in all topics of the engine but the slow ones.
under_valgrind() {
  part "engine under valgrind"
  local how name program
  export STICKSLIP_TEST_COARSE=1 STICKSLIP_TEST_SLOWDOWN=50
  while IFS=$'\t' read -r how name program; do
    [[ $program == */tests-* && ! $program =~ /tests-(store|document|draw|study|session|cvode)" " && ! $name =~ ^($slow)$ ]] || continue
    beside "$name" timeout $guard valgrind -q --error-exitcode=9 --trace-children=yes $program
  done < <(python3 tests/list-tests.py build numeric unit)
  reap_all
  unset STICKSLIP_TEST_COARSE STICKSLIP_TEST_SLOWDOWN
}

# summary: the line that this script ends with, and its status.
summary() {
  part ''
  printf 'All of it: %d s, %d s of the processor\n' "$SECONDS" "$part_cpu"
  echo
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
if ((coverage)); then
  lines_run
  summary
  exit
fi

# No core waits for another: builds with sanitizers go on beside the tests of the programs that are there, and what measures time runs alone in
# the end.
part "build (gcc), checks of sources"
if wants static; then
  beside "format" bash -c 'git ls-files "*.c" "*.h" | xargs clang-format-14 --dry-run --Werror'
  beside "lines" python3 tests/check-lines.py
  beside "rooms, headers, circles of files, sizes" python3 tests/check-includes.py
  beside "order of graph nodes" python3 tests/check-order.py
  beside "public functions have comments" python3 tests/check-docs.py
  beside "keys in texts" python3 tests/check-keys.py
  beside "texts of the window are marked for translation" python3 tests/check-strings.py
  beside "equations of the papers" python3 tests/check-equations.py
  beside "desktop entry" desktop-file-validate data/*.desktop
  beside "metainfo" appstreamcli validate --no-net data/*.metainfo.xml
  beside "settings schema" glib-compile-schemas --strict --dry-run data
fi
kind=builds
check "gcc, warnings are errors" build build --buildtype=release
slow=$(python3 tests/list-tests.py build slow | cut -f 2 | paste -sd '|') # of which sanitizers run nothing

part "tests, beside builds with sanitizers"
asan_reports=$(mktemp -d) tsan_reports=$(mktemp -d)
# Two builds wait for each other (app/packages.sh): first that whose tests take longest.
if wants static || wants sanitize; then begin "clang, warnings are errors (address and undefined behaviour sanitizers)" with_clang; fi
if wants threads; then begin "clang, thread sanitizer" with_thread_sanitizer; fi
kind=checks
if wants static; then
  beside "no GTK in command line" bash -c '! ldd build/app/stickslip-cli | grep -E "libgtk|libadwaita"'
  beside "command line starts without what draws and Ipopt" bash -c '[ "$(uname -m)" != x86_64 ] || { libraries=$(ldd build/app/stickslip-cli) && ! grep -E "lib(cairo|pango|pangocairo|gif|webp|webpmux|cmark-gfm|ipopt|sundials_cvodes|chipmunk)[-.]" <<<"$libraries"; }'
fi
# The longest first: short ones fill the end.
kind=unit
if wants unit; then
  # The rest runs under sanitizers: the same assertions and more checks.
  if ((!long)) && wants sanitize; then only="$slow|$(partly)"; fi
  # Arrays that solvers give back, they ask for again: up to a fifth of their time the kernel cleared them anew. Not in the other suites,
  # some of which limit memory.
  export MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_MMAP_THRESHOLD_=1000000000
  tests_of build numeric
  unset MALLOC_TRIM_THRESHOLD_ MALLOC_MMAP_THRESHOLD_
  tests_of build unit store
  only=''
fi
kind=cli
if wants cli; then
  only=$longest_cli
  tests_of build cli
  only='' left_out=$longest_cli
  tests_of build cli
  left_out=''
fi
# What waits for a window half of its time, or for workers: twice as many as there are cores keep them busy.
slots=$((2 * cores)) kind=ui
if wants ui; then
  open_displays
  for script in $(ls -S tests/ui/test_*.py | grep -E "_($longest_ui).py") $(ls -S tests/ui/test_*.py | grep -vE "_($longest_ui).py"); do
    beside "$(basename "$script" .py)" timeout $guard tests/ui/gui-run.sh python3 "$script"
  done
fi
if wants static || wants sanitize; then finish "clang, warnings are errors (address and undefined behaviour sanitizers)"; fi
if wants sanitize; then
  # What was freed is kept from being given away again: 256 MB of it take a third of the time.
  export ASAN_OPTIONS=detect_leaks=1:handle_sigill=1:abort_on_error=0:quarantine_size_mb=$((long ? 256 : 32)):log_path=$asan_reports/asan
  # Fewer failing allocations are tried, and the programs may answer three times later than promised.
  export STICKSLIP_TEST_COARSE=1 STICKSLIP_TEST_SLOWDOWN=3
  export LSAN_OPTIONS=suppressions=$PWD/tests/data/lsan.supp:print_suppressions=0
  ((long)) || left_out=$slow
  kind=sanitize
  tests_of build-clang unit numeric store
  left_out=''
  # Fuzzers run as long as asked with --all: an hour of the processor each, and what they wait for one another.
  if ((long)); then
    export STICKSLIP_FUZZ_SECONDS=${STICKSLIP_FUZZ_SECONDS:-3600}
    guard=$((1800 + 4 * STICKSLIP_FUZZ_SECONDS))
  fi
  tests_of build-clang fuzz
  guard=1800
  unset ASAN_OPTIONS LSAN_OPTIONS STICKSLIP_TEST_COARSE STICKSLIP_TEST_SLOWDOWN
fi
if wants threads; then
  finish "clang, thread sanitizer"
  # A worker that is told to end while its solver is inside a factorisation ends without that thread, on purpose.
  export TSAN_OPTIONS=report_thread_leaks=0:suppressions=$PWD/tests/data/tsan.supp:log_path=$tsan_reports/tsan
  # The programs are some ten times slower than those whose answers within milliseconds are promised.
  export STICKSLIP_TEST_COARSE=1 STICKSLIP_TEST_SLOWDOWN=10 STICKSLIP_TEST_THREADS=1
  # Minutes here; test-job has the same threads.
  ((long)) || left_out='cli-worker|test-race'
  kind=threads
  tests_of build-tsan threads
  left_out=''
  unset TSAN_OPTIONS STICKSLIP_TEST_COARSE STICKSLIP_TEST_SLOWDOWN STICKSLIP_TEST_THREADS
fi
kind=unit # those that run alone
reap_all
close_displays
slots=$cores kind=checks
if wants sanitize; then check "no reports of the address sanitizer" quiet "$asan_reports" 'ERROR: (Address|Leak)Sanitizer'; fi
if wants threads; then check "no reports of the thread sanitizer" quiet "$tsan_reports" 'WARNING: ThreadSanitizer'; fi
rm -rf "$asan_reports" "$tsan_reports"
check "same bits from every build" same_hashes
for kind in "${!spent[@]}"; do
  awk -v kind="$kind" '{ for (i = 1; i <= NF; i++) sum += $i; printf "== %s: %d s of the processor\n", kind, sum }' <<<"${spent[$kind]}"
done
kind=long
if ((long)); then
  part "command line, worker and window under sanitizers"
  check "build with sanitizers, the window too" build build-clang
  reports=$(mktemp -d)
  # What libraries of the desktop keep is not ours; the tests above look for leaks.
  export ASAN_OPTIONS=detect_leaks=0:handle_sigill=1:abort_on_error=0:log_path=$reports/asan STICKSLIP_TEST_SLOWDOWN=3
  tests_of build-clang cli
  open_displays
  for script in tests/ui/test_*.py; do
    beside "$(basename "$script" .py)" env STICKSLIP="$PWD/build-clang/app/stickslip" timeout $guard tests/ui/gui-run.sh python3 "$script"
  done
  reap_all
  close_displays
  check "no reports" quiet "$reports" 'ERROR: AddressSanitizer'
  rm -rf "$reports"
  unset ASAN_OPTIONS
  part "each file compiled by itself"
  check "gcc, each file by itself" each_alone
  part "unit and numeric under gcc's sanitizers"
  check "build with gcc's sanitizers" with_gcc_sanitizers
  reports=$(mktemp -d)
  export STICKSLIP_TEST_COARSE=1 STICKSLIP_TEST_SLOWDOWN=3 ASAN_OPTIONS=detect_leaks=0:handle_sigill=1:abort_on_error=0:log_path=$reports/asan
  tests_of build-gcc-asan unit numeric store
  reap_all
  check "no reports" quiet "$reports" 'ERROR: AddressSanitizer'
  rm -rf "$reports"
  unset ASAN_OPTIONS STICKSLIP_TEST_COARSE STICKSLIP_TEST_SLOWDOWN
  part "long"
  tests_of build long
  reap_all
  under_valgrind
  lines_run
  part "other compilers, another C library, another processor"
  check "engine and its tests on other machines" tests/machines.sh
fi
summary
