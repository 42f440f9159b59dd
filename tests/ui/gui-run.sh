#!/bin/bash
# Runs a command with a home of its own on a display (numbers apart, so that several can start at once) with bus and window manager:
#   gui-run.sh CMD...             on one of the displays in the folder GUI_DISPLAYS, as soon as it is free; without the folder, on its own
#                                 of GUI_SCREEN px (1400x900)
#   gui-run.sh --keep NAME PIPE   begins a display, tells of it in NAME.display, and ends it when nobody can write to PIPE any more
set -eu
# What a command before has left: the pointer anywhere, a button or key held. Fails where there is no display.
untouched() { xdotool mousemove 1399 899 mouseup 1 keyup shift keyup ctrl keyup alt keyup super; }
if [ -z "${GUI_INSIDE-}" ] && [ -n "${GUI_DISPLAYS-}" ] && [ "$1" != --keep ]; then
  for _ in $(seq 600); do
    for told in "$GUI_DISPLAYS"/*.display; do
      [ -e "$told" ] || continue
      exec 9<"$told"
      # shellcheck disable=SC1090
      if flock -n 9 && . "$told" && untouched 2>/dev/null; then GUI_INSIDE=shared; break 2; fi
    done
    sleep 0.1
  done
fi
if [ -z "${GUI_INSIDE-}" ]; then
  export GUI_INSIDE=own
  exec xvfb-run -a -n $((100 + $$ % 800)) -s "-screen 0 ${GUI_SCREEN:-1400x900}x24 +extension Composite -r" dbus-run-session -- "$0" "$@"
fi
T=$(mktemp -d) own=()
# Programs that the command left on the display have its home, also where they no longer have its parent.
end() {
  grep -lsz "^HOME=$T/home\$" /proc/[0-9]*/environ | cut -d / -f 3 | xargs -r kill -KILL 2>/dev/null || true
  ((!${#own[@]})) || kill "${own[@]}" 2>/dev/null || true
  rm -rf "$T"
}
trap end EXIT
trap 'exit 143' TERM
export LC_ALL=C.UTF-8
if [ "$GUI_INSIDE" = own ]; then
  # Without buttons of its own: it would hold each press until it has looked at it, and a key sent after the press would overtake it
  echo '<openbox_config xmlns="http://openbox.org/3.4/rc"><focus><focusNew>yes</focusNew></focus><mouse/></openbox_config>' > "$T/openbox.xml"
  openbox --config-file "$T/openbox.xml" >/dev/null 2>&1 & own+=($!)
  xcompmgr >/dev/null 2>&1 & own+=($!)
  # the window manager says on the root window that it is there
  for _ in $(seq 2400); do xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id' && break; sleep 0.05; done
  if [ "$1" = --keep ]; then
    declare -px DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS > "$2.new"; mv "$2.new" "$2.display"
    cat "$3"
    exit
  fi
  untouched
fi
mkdir -m 700 "$T/run"; mkdir -p "$T/home/.config/gtk-4.0" "$T/home/data"
printf '[Settings]\ngtk-enable-animations=0\ngtk-font-name=Cantarell 11\n' > "$T/home/.config/gtk-4.0/settings.ini"
# Cairo draws: libraries of a software OpenGL that nobody uses are not loaded at each start
env XDG_RUNTIME_DIR="$T/run" HOME="$T/home" XDG_DATA_HOME="$T/home/data" \
  GDK_BACKEND=x11 GSK_RENDERER=cairo GDK_DEBUG=gl-disable GSETTINGS_BACKEND=memory "$@" 9<&-
