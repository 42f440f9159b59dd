#!/usr/bin/env bash
# From a fresh Debian 12 to the running program: installs the packages it needs, builds, opens the window on the gallery. Without a
# display it runs the main job (push box with CRISP and with Ipopt, stored, compared, exported) and prints where the results are.
#
#   app/start.sh [FILE...]     FILE: a project or scenario to open
set -euo pipefail
here=$(pwd)
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
# shellcheck source=app/packages.sh
. app/packages.sh

files=()
for file in "$@"; do
  case $file in /*) files+=("$file") ;; *) files+=("$here/$file") ;; esac
done

install_packages "${packages_build[@]}"
echo "Building Stickslip (a minute the first time)"
build build --buildtype=release

if [[ -n ${WAYLAND_DISPLAY:-}${DISPLAY:-} ]]; then
  exec build/app/stickslip "${files[@]}"
fi

out=$(mktemp -d "${TMPDIR:-/tmp}/stickslip-first-run.XXXXXX")
project=$out/push-box.stickslip
echo "No display: solving Push Box with CRISP and with Ipopt"
build/app/stickslip-cli compare examples/crisp/push-box.stickslip.json --methods crisp,ipopt --project "$project"
mapfile -t runs < <(build/app/stickslip-cli list "$project" --ids)
build/app/stickslip-cli export "${runs[@]}" --project "$project" --plot full --to "$out/push-box.pdf"
build/app/stickslip-cli export "${runs[@]}" --project "$project" --plot full --to "$out/push-box.png"
for run in "${runs[@]}"; do
  build/app/stickslip-cli export "$run" --project "$project" --plot log --to "$out/log-${run:0:8}.csv"
  build/app/stickslip-cli export "$run" --project "$project" --plot trajectory --to "$out/trajectory-${run:0:8}.csv"
done
echo
echo "The results are in $out:"
ls -1 "$out" | sed 's/^/  /'
echo "Look at push-box.pdf; list the runs with: build/app/stickslip-cli list $project"
