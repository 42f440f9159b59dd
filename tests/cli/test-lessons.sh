#!/usr/bin/env bash
# Lessons: each is played by command, every step is noticed when it was done and not before, and the numbers of its words
# are those of the runs.
#   test-lessons.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

check "they are listed" status 0 lessons
check "eight of them" [ "$(wc -l <out)" = 8 ]
while read -r name _; do
  check "$name is printed" status 0 lessons "$name"
  check "$name has its steps" has out "
1. "
  check "$name is played" status 0 lessons "$name" --play
  check "$name: every step is noticed" [ "$(grep -c noticed out)" = "$(grep -c '"title"' "$root"/data/lessons/*-"$name".json | awk '{print $1 - 1}')" ]
done < <("$cli" lessons)
check "one that there is none of" status 2 lessons no-such-lesson
check "its words" has err "lists them"
finish
