# tests/cli/lib.sh: what the command-line tests share. Sourced with the program as $1 and the source tree as $2.
cli=$(realpath "$1")
root=$(realpath "$2")
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
box=$root/examples/crisp/push-box.stickslip.json
fall=$root/examples/sketches/falling-box.stickslip.json

# check NAME COMMAND...: passes when the command succeeds.
check() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok $name"
  else
    failed=$((failed + 1))
    echo "not ok $name"
    [ -s out ] && head -n 20 out
    [ -s err ] && head -n 20 err
  fi
}

# status N ARGUMENTS...: runs the program into the files out and err; true when it ends with status N.
status() {
  local expected=$1 got
  shift
  "$cli" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" = "$expected" ] || { echo "status $got (expected $expected): $*"; return 1; }
}

# has FILE TEXT, hasnt FILE TEXT: whether FILE contains TEXT literally. By the shell itself: a process takes as long as most of what is tested.
contains() {
  local parts
  [ -f "$1" ] && mapfile -d '' parts <"$1" && [[ ${parts[*]} == *"$2"* ]]
}
has() { contains "$@" || { echo "'$2' is not in $1"; return 1; }; }
hasnt() { ! contains "$@" || { echo "'$2' is in $1"; return 1; }; }

# by_hand FILE SQL: changes a project outside of the program as if it had been made so: its checksums are made anew.
by_hand() {
  sqlite3 "$1" "$2" && sqlite3 "$1" ".read $root/tests/data/projects/to-format-6.sql"
}

# await COMMAND...: waits until the command succeeds; gives up after minutes, since nobody knows how busy the machine is. It looks the more
# rarely the longer it has waited, a fifth too long at most: looking takes a process or two.
await() {
  local end=$((SECONDS + 300)) from=${EPOCHREALTIME/[.,]/} pause
  until "$@"; do
    ((SECONDS < end)) || { echo "waited in vain: $*"; return 1; }
    pause=$(((${EPOCHREALTIME/[.,]/} - from) / 5000))
    pause=$((pause < 20 ? 20 : pause > 300 ? 300 : pause))
    printf -v pause '0.%03d' $pause
    sleep "$pause"
  done
}

# cpu_ms PID: CPU time of a process so far [ms], in hundredths of a second; fails once it is gone.
cpu_ms() {
  local stat
  read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  echo $(((${12} + ${13}) * 10))
}
# has_used PID MILLISECONDS: whether a process and its children have spent so much CPU time; so has one that is gone.
has_used() {
  local pid ms sum=0
  kill -0 "$1" 2>/dev/null || return 0
  for pid in "$1" $(pgrep -P "$1"); do
    ms=$(cpu_ms "$pid") && sum=$((sum + ms))
  done
  ((sum >= $2))
}

# rests PID: whether the process waits, with all its threads, and spends nothing of the processor for a quarter of a second. One that has no turn on
# a busy machine does not wait.
rests() {
  local before stat
  before=$(cpu_ms "$1") || return 1
  for _ in 1 2 3 4 5; do
    for stat in "/proc/$1"/task/*/stat; do
      read -r stat 2>/dev/null <"$stat" && [[ ${stat##*) } == S* ]] || return 1
    done
    sleep 0.05
  done
  [ "$(cpu_ms "$1")" = "$before" ]
}

# Points of a push box problem that no machine solves while a test looks away.
lasting=10000

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}
