#!/bin/bash
# Runs a command on a private display (numbers apart, so that several can start at once), bus, window manager and home: gui-run.sh CMD...
set -eu
if [ -z "${GUI_INSIDE-}" ]; then
  export GUI_INSIDE=1
  exec xvfb-run -a -n $((100 + $$ % 800)) -s "-screen 0 1400x900x24 +extension Composite -r" dbus-run-session -- "$0" "$@"
fi
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT
export XDG_RUNTIME_DIR=$T/run HOME=$T/home XDG_DATA_HOME=$T/home/data; mkdir -m 700 "$XDG_RUNTIME_DIR"; mkdir -p "$HOME/.config/gtk-4.0" "$XDG_DATA_HOME"
printf '[Settings]\ngtk-enable-animations=0\ngtk-font-name=Cantarell 11\n' > "$HOME/.config/gtk-4.0/settings.ini"
# Cairo draws: libraries of a software OpenGL that nobody uses are not loaded at each start
export GDK_BACKEND=x11 GSK_RENDERER=cairo GDK_DEBUG=gl-disable GSETTINGS_BACKEND=memory LC_ALL=C.UTF-8
# Without buttons of its own: it would hold each press until it has looked at it, and a key sent after the press would overtake it
echo '<openbox_config xmlns="http://openbox.org/3.4/rc"><focus><focusNew>yes</focusNew></focus><mouse/></openbox_config>' > "$T/openbox.xml"
openbox --config-file "$T/openbox.xml" >/dev/null 2>&1 & WM=$!
xcompmgr >/dev/null 2>&1 & CM=$!
# the window manager says on the root window that it is there
for _ in $(seq 2400); do xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id' && break; sleep 0.05; done
rc=0; "$@" || rc=$?
kill $WM $CM 2>/dev/null || true
exit $rc
