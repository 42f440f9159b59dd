#!/usr/bin/env bash
# `edit --cut`: bodies cut along strokes; `edit --trace`: bodies of regions of a picture. Truth: areas, corners, and free
# flight: a piece of a turning box flies on as its matter did.
#   test-cut.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >spin.json <<'END'
{"format": 1, "name": "spin", "scene": {"gravity": [0, -10], "bodies": [
   {"name": "box", "shape": {"type": "box", "width": 2, "height": 1}, "mass": 3, "position": [1, 5], "velocity": [1, 2], "angular_velocity": 2},
   {"name": "ball", "shape": {"type": "circle", "radius": 0.5}, "density": 4, "position": [5, 5]}],
  "contacts": []},
 "outcomes": {"x": "final(box_2.x)", "y": "final(box_2.y)"}, "task": {"t_end": 0.4, "dt": 0.001}}
END
sed 's/box_2/box/g' spin.json >whole.json
check "a box is cut" status 0 edit whole.json --cut 1.3,2,1.3,8 --to cut.json
check "and it is said" has err "“box” was cut: the other piece is “box-2”."
sed -i '/"outcomes"/,$ s/final(box\./final(box_2./g' cut.json
check "the piece flies" status 0 simulate cut.json --method event-driven --json
check "as its matter did" python3 -c '
import json
o = json.load(open("out"))["outcomes"]  # its centre begins at 1.65, 5 with 1, 2 + 2 0.65
assert abs(o["x"]["value"] - (1.65 + .4)) < 1e-9 and abs(o["y"]["value"] - (5 + 3.3 * .4 - 5 * .16)) < 1e-9, o'
check "two strokes, of one body each" status 0 edit whole.json --cut box:-5,5.1,9,5.1 --cut ball:5,0,5,9 --quiet
check "the rest is untouched" python3 -c '
import json
b = {one["name"]: one for one in json.load(open("out"))["scene"]["bodies"]}
assert sorted(b) == ["ball", "ball-2", "box", "box-2"] and abs(b["box"]["mass"] - 1.8) < 1e-12 and b["ball"]["density"] == 4, b
assert {len(b[n]["shape"]["vertices"]) for n in ("ball", "ball-2")} == {29}, b'
check "quietly" test ! -s err
check "no stroke across" status 2 edit whole.json --cut 1.3,2,1.3,5
check "is told" has err "The stroke ends inside “box”"
check "no stroke at all" status 2 edit whole.json --cut 1,2,3
check "says what one is" has err "X,Y,X,Y or BODY:X,Y,X,Y"
check "no such body" status 2 edit whole.json --cut cat:1.3,2,1.3,8

convert -size 200x100 xc:white -fill red -draw 'rectangle 20,10 79,89' -fill blue -draw 'circle 140,50 140,20' shapes.png
check "a red region" status 0 edit whole.json --trace shapes.png --pixel 30,30 --width 2 --corner -1,0
check "is told" has err "polygon: 4 corners"
check "lies where it is drawn" python3 -c '
import json
b = json.load(open("out"))["scene"]["bodies"][-1]  # a pixel is a centimetre; pixel 20 begins at .2, row 89 ends at .1
x, y = b["position"]
corners = sorted((round(x + vx, 9), round(y + vy, 9)) for vx, vy in b["shape"]["vertices"])
assert corners == [(-.8, .1), (-.8, .9), (-.2, .1), (-.2, .9)], corners'
check "a blue disc" status 0 edit whole.json --trace shapes.png --pixel 140,50 --width 2 --quiet
check "has its area" python3 -c '
import json, math
v = json.load(open("out"))["scene"]["bodies"][-1]["shape"]["vertices"]
area = abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(v, v[1:] + v[:1]))) / 2
assert abs(area - math.pi * .305**2) < 2 * math.pi * .305 * .005, area  # half a pixel along its rim'
check "outside of the picture" status 2 edit whole.json --trace shapes.png --pixel 200,3
check "names pixel and size" has err "the picture of 200 x 100 pixels has no pixel 200,3"
convert -size 4000x2000 xc:white -fill red -draw 'rectangle 400,200 1599,1799' large.png
check "pixels are of the picture that is given" status 0 edit whole.json --trace large.png --pixel 1000,1000 --width 40 --quiet
check "not of the smaller copy that is traced" python3 -c '
import json
b = json.load(open("out"))["scene"]["bodies"][-1]  # a pixel is a centimetre
x, y = b["position"]
corners = sorted((x + vx, y + vy) for vx, vy in b["shape"]["vertices"])
assert all(abs(a - e) < .03 for c, d in zip(corners, [(4, 2), (4, 18), (16, 2), (16, 18)]) for a, e in zip(c, d)), corners
assert len(corners) == 4, corners'
check "its size is told" status 2 edit whole.json --trace large.png --pixel 4000,0
check "as it is" has err "the picture of 4000 x 2000 pixels has no pixel 4000,0"
check "a pixel of no picture" status 2 edit whole.json --field task.dt=0.01 --pixel 3,3
check "is refused" has err "'edit without --trace' does not take --pixel"
python3 -c '
import struct, sys
sys.stdout.buffer.write(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 30000, 30000) + b"\x08\2\0\0\0")' >bomb.png
check "more pixels than are read" status 2 edit whole.json --trace bomb.png
check "are counted" has err "the picture has 30000 x 30000 pixels"
check "no picture" status 2 edit whole.json --trace whole.json
check "says so" has err "as a PNG picture"
check "no fineness" status 2 edit whole.json --trace shapes.png --fineness 0
finish
