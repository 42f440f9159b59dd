#!/usr/bin/env bash
# A project that is deleted, renamed or replaced while a verb writes it, and one without room: status 4, the file is named, no other project is
# harmed, and what fits is stored. Each case once; 20 times each with STICKSLIP_TEST_ALL=1.
#   test-moved.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

trials=1
[ "${STICKSLIP_TEST_ALL:-0}" = 1 ] && trials=20
# In memory where the machine has it: a disk takes its time to sync.
if [ -w /dev/shm ] && [ "$(df --output=avail -k /dev/shm | tail -n 1)" -gt 262144 ]; then
  memory=$(mktemp -d /dev/shm/test-moved-XXXXXX)
  trap 'rm -rf "$work" "$memory"' EXIT
  cd "$memory" || exit 1
fi

"$cli" simulate "$fall" --project base.stickslip --quiet >/dev/null 2>&1

# query FILE SQL: the first value, by SQLite alone.
query() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$1" "$2"; }
sound() { [ "$(query "$1" 'PRAGMA integrity_check')" = ok ]; }
count() { query "$1" 'SELECT count(*) FROM run'; }

# moved FATE SECONDS VERB...: starts the verb on p.stickslip, lets the file meet its fate after that time, tells the verb to end as Ctrl-C does
# (but a bench, which then leaves out what it was at), and looks at what is left.
moved() {
  local fate=$1 seconds=$2 pid got
  shift 2
  rm -f p.stickslip* q.stickslip* other.stickslip*
  [ "$1" = replay ] && cp base.stickslip p.stickslip
  "$cli" "$@" --project p.stickslip --quiet >out 2>err </dev/null &
  pid=$!
  until [ -e p.stickslip-wal ] || ! kill -0 $pid 2>/dev/null; do :; done
  sleep "$seconds"
  case $fate in
  delete) rm p.stickslip ;;
  rename) mv p.stickslip q.stickslip ;;
  replace) cp base.stickslip other.stickslip && mv other.stickslip p.stickslip ;;
  esac
  [ "$1" = bench ] || kill -INT $pid
  wait $pid
  got=$?
  [ $got = 4 ] || { echo "status $got: $fate, $*"; return 1; }
  has err p.stickslip || return 1
  [ "$(wc -l <err)" = 1 ] || { echo "told more than once"; return 1; }
  [ ! -e p.stickslip-wal ] && [ ! -e p.stickslip-shm ] || { echo "a journal is left"; return 1; }
  case $fate in
  delete) [ ! -e p.stickslip ] ;;
  rename) [ ! -e p.stickslip ] && sound q.stickslip ;;
  replace) sound p.stickslip && [ "$(count p.stickslip)" = 1 ] && "$cli" list p.stickslip >/dev/null ;;
  esac
}

# None ends by itself for a long time, so that the file goes before the last commit, however late a busy machine comes to that.
fine=(--dt 1e-5 --t-end 1e3)
solve=(optimise "$box" --method ipopt --set N=10000 --keep-iterates 1)
for ((i = 0; i < trials; i++)); do
  late=0.0$((i % 4 * 5))
  for fate in delete rename replace; do
    check "simulate, $fate $i" moved $fate $late simulate "$fall" "${fine[@]}"
    [ $((i % 3)) = 0 ] && case $fate in # what all verbs share was tried above
    delete) check "optimise, $fate $i" moved $fate $late "${solve[@]}" ;;
    rename) check "replay, $fate $i" moved $fate $late replay last "${fine[@]}" ;;
    replace)
      check "compare, $fate $i" moved $fate $late compare "$fall" --methods stewart-trinkle "${fine[@]}"
      check "bench, $fate $i" moved $fate $late bench crisp --problems push-box --instances quick --methods ipopt --repeats 1 --cpu-limit 0.5
      ;;
    esac
  done
done

# --- no room: the answer is stored, what was kept on the way is not
full() {
  rm -f p.stickslip*
  (ulimit -f "$1" && exec "$cli" optimise "$box" --keep-iterates 1 --project p.stickslip --quiet) >out 2>err </dev/null
  local got=$?
  [ $got = 4 ] || { echo "status $got"; return 1; }
  has err p.stickslip && sound p.stickslip || return 1
  [ "$(query p.stickslip "SELECT outcome FROM run")" = solved ] &&
    [ "$(query p.stickslip "SELECT count(*) FROM motion WHERE role = 'answer'")" = 1 ] &&
    [ "$(query p.stickslip "SELECT value > 0 FROM metric WHERE name = 'objective'")" = 1 ]
}
for ((i = 0; i < 20; i++)); do
  [ $((i % (20 / trials))) = 0 ] || continue
  check "no room for iterates $i" full $((220 + 4 * i))
done
finish
