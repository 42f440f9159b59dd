#!/usr/bin/env bash
# Files are what their names say: every plot of `export` and every verb that writes files, with every ending. What a plot
# can be written as is read from the help, which walks the program's own table.
#   test-endings.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# refused FILE ARGUMENTS...: status 2, words that name an ending, and no file.
refused() {
  local file=$1
  shift
  status 2 "$@" && has err "expected a name ending in" && [ ! -e "$file" ] || return 1
}
# hold FILE...: whether the first bytes of each are those of a file of its name.
hold() {
  python3 - "$@" <<'PYTHON'
import json, os, sys

def look(path):
    if os.path.isdir(path):
        assert any(name.endswith('.png') for name in os.listdir(path))
        return
    data = open(path, 'rb').read()
    ending = os.path.splitext(path)[1]
    magic = {'.pdf': b'%PDF', '.svg': b'<?xml', '.png': b'\x89PNG', '.gif': b'GIF8', '.zip': b'PK', '.webp': b'RIFF', '.webm': b'\x1a\x45\xdf\xa3'}
    if ending in magic:
        assert data.startswith(magic[ending]), data[:20]
    elif ending == '.json':
        json.loads(data)
    elif ending == '.jsonl':
        [json.loads(line) for line in data.splitlines()]
    elif ending == '.tex':
        assert b'\\begin{' in data, data[:200]
    elif ending == '.md':
        assert b'|' in data, data[:200]
    elif ending == '.csv':
        assert b',' in data.splitlines()[0], data[:200]
    else:
        assert data

wrong = 0
for path in sys.argv[1:]:
    try:
        look(path)
    except Exception as error:
        print(path, repr(error))
        wrong += 1
sys.exit(wrong > 0 or len(sys.argv) == 1)
PYTHON
}

freeze=$root/examples/time-freezing/guiding-particle.stickslip.json
run() { "$cli" "$@" --quiet --project p.stickslip >/dev/null 2>&1; "$cli" list p.stickslip --ids | tail -n 1; }
fall_run=$(run simulate "$fall" --t-end 0.3)
frozen=$(run simulate "$freeze" --method time-freezing)
plan=$(run optimise "$root/examples/plans/cart-pole-walls.stickslip.json" --method crisp --option max-iterations=30 --ways-on 0)
tried=$(run optimise "$root/examples/plans/push-box-with-disc.stickslip.json" --method auto --option member=steady)
replay=$(run replay "$plan")
impact=$(run impact "$root/examples/impacts/rocking-block.stickslip.json" --option samples=200)
box_run=$(run optimise "$box" --method crisp --set N=20)

# --- every plot with every ending that any file has, by the table of the help
"$cli" export --help | sed -n '/^Formats of each plot:/,/^$/p' | sed '1d;/^$/d' >plots
check "the help has all plots" [ "$(wc -l <plots)" = 21 ]
endings=".pdf .svg .png .csv .json .tex .webp .gif .webm .mp4 .zip / .tsv .md .jsonl .txt .text .npz .html .docx .stickslip .PDF"
# Films of five small pictures: encoding is their cost, not their kind.
declare -A few=([.webp]="--fps 1 --width 60" [.gif]="--fps 1 --width 60" [.zip]="--fps 1 --width 60" [/]="--fps 1 --width 60" [.webm]="--fps 1 --width 60" [.mp4]="--fps 1 --width 60")
# What GStreamer codes here; test-film.sh says what happens without it.
coded=""
for kind in .webm:vp9enc .mp4:x264enc; do
  ! gst-inspect-1.0 --exists "${kind#*:}" 2>/dev/null || coded+=" ${kind%:*}"
done
made=() turn=0 every=4
((${STICKSLIP_TEST_ALL:-0} == 0)) || every=1
while read -r plot own; do
  case $plot in
    replay) id=$replay ;;
    tries | worlds | worlds-map | controller) id=$tried ;;
    clocks) id=$frozen ;;
    log | convergence) id=$plan ;;
    samples | shares | configuration) id=$impact ;;
    *) id=$fall_run ;;
  esac
  for ending in $endings; do
    file=$plot$ending
    [[ $ending != .webm && $ending != .mp4 || " $coded " == *" $ending "* ]] || continue
    case " $own " in
      *" $ending "*)
        check "$plot as $ending" status 0 export "$id" --project p.stickslip --plot "$plot" --to "$file" ${few[$ending]:-}
        made+=("$file") ;;
      *) # every fourth by a process of its own; test-export asks the same of all of them
        ((turn++ % every == 0)) || continue
        [ "$ending" = .PDF ] || [ "$plot$ending" = motion.html ] || check "$plot is not $ending" refused "$file" export "$id" --project p.stickslip --plot "$plot" --to "$file" ;;
    esac
  done
done <plots
check "each file holds what its name says" hold "${made[@]}"
check "capitals" status 0 export "$fall_run" --project p.stickslip --plot channels --to CHANNELS.PDF
check "capitals: a PDF" [ "$(head -c 4 CHANNELS.PDF)" = %PDF ]
check "the list is that of the plot" status 2 export "$fall_run" --project p.stickslip --plot trajectory --to t.gif
check "the list is that of the plot: said" has err "a trajectory has no such format (expected a name ending in .csv)"
check "an impact's planes are a picture" refused planes.csv export "$impact" --project p.stickslip --to planes.csv
check "a name without ending promises nothing" status 0 export "$fall_run" --project p.stickslip --plot trajectory --to plain

# --- every other verb that writes files
# One of them each; with --all every one.
some() {
  if ((${STICKSLIP_TEST_ALL:-0})); then echo "$@"; else echo "$1"; fi
}
for ending in $(some .npz .gif .zip .pdf); do
  check "simulate --trajectory $ending" refused a$ending simulate "$fall" --t-end 0.1 --trajectory a$ending
  check "simulate --log $ending" refused a$ending simulate "$fall" --t-end 0.1 --log a$ending
  check "table --to $ending" refused a$ending table --project p.stickslip --to a$ending
  check "violations --to $ending" refused a$ending violations "$box" --to a$ending
  check "accuracy --to $ending" refused a$ending accuracy "$fall" --methods moreau-jean --to a$ending
  [ "$ending" = .pdf ] || check "paper --to $ending" refused a$ending paper crisp-table-2 --quick --to a$ending
  check "bench --to $ending" refused a$ending bench crisp --instances quick --to a$ending
  check "bench --best $ending" refused a$ending bench crisp --instances quick --best a$ending
  check "impact --samples-out $ending" refused a$ending impact "$root/examples/impacts/rocking-block.stickslip.json" --samples-out a$ending
  check "archive --to $ending" refused a$ending archive all --project p.stickslip --to a$ending
  check "figure --table --to $ending" refused a$ending figure --all-of-project --project p.stickslip --table runs --to a$ending
done
for ending in $(some .html .gif .zip .npz); do
  check "figure --to $ending" refused a$ending figure --all-of-project --project p.stickslip --to a$ending
done
for ending in $(some .csv .gif .tex); do
  check "accuracy --figure $ending" refused a$ending accuracy "$fall" --methods moreau-jean --figure a$ending
  check "bench --figure $ending" refused a$ending bench fesd-order --figure a$ending
done
check "guide --to .txt" refused a.txt guide --to a.txt
mkdir folder.csv
check "a folder where a table shall be" status 2 table --project p.stickslip --to folder.csv
check "a folder where a table shall be: said once" [ "$(wc -l <err)" = 1 ]
check "a file where a folder shall be" status 2 figure --all-of-project --project p.stickslip --all --to p.stickslip
check "a file where a folder shall be: said" has err "p.stickslip is a file"
check "two formats at once" status 2 table --project p.stickslip --format md --to a.csv
check "two formats at once: said" has err "say different formats"
check "a format for a plain name" status 0 table --project p.stickslip --format md --to plain-table
check "a format for a plain name: that one" has plain-table "|"

# --- motions of two scenes are no figure; curves over iterations are, and so are motions of one scene with other numbers
for plot in motion full channels phase cone; do
  check "two scenes: $plot" status 2 export "$fall_run" "$box_run" --project p.stickslip --plot $plot --to two.pdf
  check "two scenes: $plot: said" has err "is of another scene"
  check "two scenes: $plot: nothing written" [ ! -e two.pdf ]
done
check "two scenes: a film" status 2 export "$fall_run" "$box_run" --project p.stickslip --plot motion --to two.webp
check "two problems: convergence" status 0 export "$plan" "$box_run" --project p.stickslip --plot convergence --to two.pdf
# --- a picture of axes alone would look like a result
lacks() {
  check "nothing to draw: $2 of $1" status 2 export "$1" --project p.stickslip --plot "$2" --to "$3"
  check "nothing to draw: $2 of $1: said" has err "$4"
  check "nothing to draw: $2 of $1: nothing written" [ ! -e "$3" ]
}
for ending in pdf csv json; do
  lacks "$fall_run" convergence lack.$ending "no run has iterations"
  lacks "$box_run" modes lack.$ending "no run has contacts of bodies"
  lacks "$box_run" states lack.$ending "no run has states of bodies"
  lacks "$impact" steps lack.$ending "no run has steps"
  lacks "$impact" channels lack.$ending "no run has a channel that changes"
done
# --- the cone of each friction: runs of one scene may differ in it
slippery=$(run simulate "$fall" --set mu=0.2 --t-end 0.6)
rough=$(run simulate "$fall" --set mu=0.6 --t-end 0.6)
check "two cones" status 0 export "$slippery" "$rough" --project p.stickslip --plot cone --to cones.svg
check "one cone" status 0 export "$rough" --project p.stickslip --plot cone --to cone.svg
check "two cones: more lines than of one" [ "$(tr '>' '\n' <cones.svg | grep -c '<path')" -ge $(($(tr '>' '\n' <cone.svg | grep -c '<path') + 3)) ]
wide=$(run simulate "$root/examples/classics/ball-on-ramp.stickslip.json" --set r=0.4 --t-end 0.2)
narrow=$(run simulate "$root/examples/classics/ball-on-ramp.stickslip.json" --set r=0.2 --t-end 0.2)
check "one scene, two sizes" status 0 export "$wide" "$narrow" --project p.stickslip --plot motion --to sizes.svg
finish
