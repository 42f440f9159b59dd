#!/bin/bash
# tests/cli/test-measured.sh: the films of examples/measured are what their program makes, and fits of them tell what
# data/manual/film-to-numbers.md says: numbers by which they were made, those of a wrong law, bounds, a scale.
. "$(dirname "$0")/lib.sh"
measured=$root/examples/measured
python3=/usr/bin/python3

if [ "${STICKSLIP_TEST_ALL:-0}" = 1 ]; then # some 8 s
  check "the films are made again" $python3 "$root/data/measured/make.py" "$cli" .
  for film in "$measured"/*.csv; do
    check "$(basename "$film") byte by byte" cmp "$film" "$(basename "$film")"
  done
fi

# fit SCENE NAME ARGUMENTS...: all films of an example, as JSON into out.
fit() {
  local scene=$1 films=()
  for film in "$measured/$2"-*.csv; do films+=(--motion "$film"); done
  shift 2
  status 0 fit "$scene" "${films[@]}" --json "$@"
}
cat >look.py <<'P'
import json, sys
r = json.load(open("out"))
e = r["estimates"]
def holds(name, value): return e[name]["interval"][0] < value < e[name]["interval"][1]
assert eval(sys.argv[1]), (sys.argv[1], r["verdict"], r["message"], e)
P
# Contacts that last 0.3 ms move e by more than its interval is wide, but by less than 1 %.
disc=$measured/bouncing-disc.stickslip.json
check "a disc" fit "$disc" bouncing-disc --free mu,e,disc.mass,start
check "friction" $python3 look.py "r['verdict'] == 'good' and holds('mu', 0.14) and abs(e['mu']['value'] - 0.14) < 0.001"
check "restitution" $python3 look.py "abs(e['e']['value'] - 0.72) < 0.002 and not holds('e', 0.72)"
check "no mass" $python3 look.py "not e['disc.mass']['identifiable'] and e['disc.mass']['value'] == 0.5"
check "starts" $python3 look.py "abs(e['disc.vx[1]']['value'] - 3.6) < 0.01 and abs(e['disc.y[3]']['value'] - 0.94) < 0.005"
check "the scale is told" hasnt out "a wrong scale"

crate=$measured/sliding-crate.stickslip.json
check "a crate" fit "$crate" sliding-crate --free mu,drag,crate.x,crate.vx --also drag=0
check "is dragged" $python3 look.py "r['verdict'] == 'good' and r['alternatives'][0]['bic_difference'] > 100"
check "friction alone does not do" $python3 look.py "r['alternatives'][0]['verdict'] == 'doubtful'"
check "what is made up for" $python3 look.py "not holds('mu', 0.22) and abs(e['mu']['value'] - 0.201) < 0.002"
cp out linear.json
sed 's/-drag\*crate.vx/-drag*crate.vx*abs(crate.vx)/' "$crate" >square.stickslip.json
check "its own law" fit square.stickslip.json sliding-crate --free mu,drag,crate.x,crate.vx
check "has its numbers" $python3 look.py "r['verdict'] == 'good' and holds('mu', 0.22) and holds('drag', 0.5)"
check "and is the better one" $python3 look.py "json.load(open('linear.json'))['loss']['bic'] - r['loss']['bic'] > 10"
for i in 1 2 3; do cut -d, -f1,2 "$measured/sliding-crate-$i.csv" >place-$i.csv; done
check "places alone" status 0 fit square.stickslip.json --motion place-1.csv --motion place-2.csv --motion place-3.csv --free mu,crate.x,crate.vx,drag
check "do not tell the scale" has out "10 % off moves mu by 0.022, drag by 0.051"

check "a tower" fit "$measured/rocking-tower.stickslip.json" rocking-tower --free mu,tilt
check "bounds friction from below" $python3 look.py "not e['mu']['identifiable'] and abs(e['mu']['at_least'] - 0.235) < 0.002 and 'at_most' not in e['mu']"
check "its tilt" $python3 look.py "holds('tilt', 0.22) and abs(e['tilt']['value'] - 0.22) < 0.0005"
finish
