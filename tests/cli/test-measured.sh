#!/bin/bash
# tests/cli/test-measured.sh: the films of examples/measured are what their program makes, and a fit of each tells what its
# scene says: the numbers by which they were made, within what the films' law and the fitted one differ, or a bound.
. "$(dirname "$0")/lib.sh"
measured=$root/examples/measured
python3=/usr/bin/python3

check "the films are made again" $python3 "$root/data/measured/make.py" "$cli" .
for film in "$measured"/*.csv; do
  check "$(basename "$film") byte by byte" cmp "$film" "$(basename "$film")"
done

# fit NAME ARGUMENTS...: all films of an example, as JSON into out.
fit() {
  local name=$1 films=()
  shift
  for film in "$measured/$name"-*.csv; do films+=(--motion "$film"); done
  status 0 fit "$measured/$name.stickslip.json" "${films[@]}" --json "$@"
}
cat >look.py <<'P'
import json, sys
r = json.load(open("out"))
e = r["estimates"]
assert r["cpu_seconds"] < 20, r["cpu_seconds"]
assert eval(sys.argv[1]), (sys.argv[1], r["verdict"], r["message"], e)
P
# Contacts that last 0.3 ms move impacts by less than the noise of a frame: 1 % of either number.
check "a disc" fit bouncing-disc --free mu,e,disc.mass,start
check "friction" $python3 look.py "r['verdict'] == 'good' and abs(e['mu']['value'] - 0.14) < 0.0014"
check "restitution" $python3 look.py "abs(e['e']['value'] - 0.72) < 0.0072"
check "no mass" $python3 look.py "not e['disc.mass']['identifiable'] and e['disc.mass']['value'] == 0.5"
check "starts" $python3 look.py "abs(e['disc.vx[1]']['value'] - 3.6) < 0.02 and abs(e['disc.y[3]']['value'] - 0.94) < 0.01"

# A drag by the square of the speed is taken for friction and one by the speed: together they stop it alike, within 3 %.
check "a crate" fit sliding-crate --free mu,drag,crate.x,crate.vx --also drag=0
check "is dragged" $python3 look.py "r['verdict'] == 'good' and r['alternatives'][0]['bic_difference'] > 10"
check "friction alone does not do" $python3 look.py "r['alternatives'][0]['verdict'] != 'good'"
check "force at 1 m/s" $python3 look.py "abs(e['mu']['value'] * 2 * 9.81 + e['drag']['value'] - (0.22 * 2 * 9.81 + 0.5)) < 0.15"

check "a tower" fit rocking-tower --free mu,tilt
check "bounds friction from below" $python3 look.py "not e['mu']['identifiable'] and 0.1 < e['mu']['at_least'] < 0.7 and 'at_most' not in e['mu']"
check "its tilt" $python3 look.py "abs(e['tilt']['value'] - 0.22) < 0.001"
finish
