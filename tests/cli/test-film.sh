#!/usr/bin/env bash
# Films coded by GStreamer, read back by their containers; what happens without it, without room and when it is stopped.
#   test-film.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

"$cli" simulate "$fall" --project p.stickslip --quiet >/dev/null
# film FILE ARGUMENTS...: of two seconds of motion; coding is the cost, so it is small.
film() { status "$1" export last --project p.stickslip --plot motion --width 60 --to "$2" "${@:3}"; }
# is FILE PICTURES DURATION: with the size of the GIF, made even. A container rounds times to 1 ms, and may leave out how long the last picture stays.
is() {
  "$root/tests/cli/check-film.py" "$1" >read || return 1
  python3 - "$(cat read)" "$(cat size)" "$2" "$3" <<'PYTHON'
import sys
n, w, h, duration = map(float, sys.argv[1].split())
_, gif_w, gif_h, _ = map(float, sys.argv[2].split())
fps = 10
assert n == int(sys.argv[3]), n
assert (w, h) == (gif_w + gif_w % 2, gif_h + gif_h % 2), (w, h, gif_w, gif_h)
assert -1 / fps - 2e-3 <= duration - float(sys.argv[4]) <= 2e-3, duration
PYTHON
}
check "a GIF" film 0 a.gif --fps 10
"$root/tests/cli/check-film.py" a.gif >size

declare -A coder=([webm]=vp9enc [mp4]=x264enc) package=([webm]=good [mp4]=ugly)
for kind in webm mp4; do
  if ! command -v gst-launch-1.0 >/dev/null || ! gst-inspect-1.0 --exists "${coder[$kind]}" || ! gst-inspect-1.0 --exists webmmux; then
    echo "skipped: no $kind without gstreamer1.0-tools and gstreamer1.0-plugins-${package[$kind]}"
    check "$kind: the package is named" film 2 a.$kind
    check "$kind: the package is named: that one" has err "gstreamer1.0-plugins-${package[$kind]}"
    continue
  fi
  # 21 pictures, of which the last stays for a second
  check "$kind" film 0 a.$kind --fps 10
  check "$kind: pictures, size and duration" is a.$kind 30 3
  check "$kind, twice as fast" film 0 b.$kind --fps 10 --speed 2
  check "$kind, twice as fast: half the motion's pictures" is b.$kind 20 2
  if mkdir -p small && mount -t tmpfs -o size=8k none small 2>/dev/null; then
    check "$kind: a full disk" film 2 small/a.$kind --fps 10
    check "$kind: a full disk is told" has err "No space left on device"
    check "$kind: a full disk has no half film" [ "$(ls -A small | wc -l)" = 0 ]
    umount small
  fi
done

# --- without GStreamer, or without the part of it
without() {
  (export GST_PLUGIN_SYSTEM_PATH_1_0=/nonexistent GST_REGISTRY_1_0=$work/registry && film 2 a.webm --fps 10)
}
cp a.gif a.webm
check "without coders" without
check "without coders: the packages" has err "gstreamer1.0-plugins-good"
mkdir bin && ln -s "$cli" bin/stickslip-cli
without_program() { (PATH=$work/bin; film 2 a.webm --fps 10); }
check "without GStreamer" without_program
check "without GStreamer: the packages" has err "gstreamer1.0-tools"
check "without it the old file stays" cmp a.gif a.webm

# --- stopped while it draws: as many pictures as there may be, so that it is not over before
stopped() {
  mkdir -p stopped
  "$cli" export last --project p.stickslip --plot motion --fps 60 --speed 0.021 --to stopped/a.webm >/dev/null 2>&1 &
  local pid=$!
  await pgrep -P $pid -f gst-launch >/dev/null && kill -TERM $pid && ! wait $pid && [ -z "$(ls -A stopped)" ]
}
if command -v gst-launch-1.0 >/dev/null && gst-inspect-1.0 --exists vp9enc; then check "stopped: nothing is left" stopped; fi
finish
