#!/usr/bin/env bash
# Runs a command on a private display, bus, home and settings: tests/ui/gui-run.sh COMMAND...
# Needs xvfb, dbus, openbox (window management), xcompmgr (popovers without black margins).
set -eu
if [ -z "${GUI_INSIDE-}" ]; then
  export GUI_INSIDE=1
  exec xvfb-run -a -s "-screen 0 1280x800x24 +extension Composite" dbus-run-session -- "$0" "$@"
fi
scratch=$(mktemp -d)
trap 'kill $jobs_started 2>/dev/null || true; rm -rf "$scratch"' EXIT
export XDG_RUNTIME_DIR=$scratch/run HOME=$scratch/home
mkdir -m 700 "$XDG_RUNTIME_DIR"
mkdir -p "$HOME/.config/gtk-4.0"
printf '[Settings]\ngtk-enable-animations=0\n' >"$HOME/.config/gtk-4.0/settings.ini"
unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME WAYLAND_DISPLAY
export GDK_BACKEND=x11 GSK_RENDERER=cairo GSETTINGS_BACKEND=memory LC_ALL=C.UTF-8 G_DEBUG=fatal-criticals NO_AT_BRIDGE=0
openbox >/dev/null 2>&1 &
jobs_started=$!
xcompmgr >/dev/null 2>&1 &
jobs_started="$jobs_started $!"
sleep 0.4
status=0
"$@" || status=$?
exit $status
