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
build build --buildtype=release -- app/stickslip app/stickslip-cli data/gschemas.compiled

if [[ -n ${WAYLAND_DISPLAY:-}${DISPLAY:-} ]]; then
  exec build/app/stickslip "${files[@]}"
fi

out=$(mktemp -d "${TMPDIR:-/tmp}/stickslip-first-run.XXXXXX")
project=$out/push-box.stickslip
echo "No display: solving Push Box with CRISP and with Ipopt"
methods=(crisp ipopt)
# status 1 means that a method ended without success: the run is stored and worth exporting all the same
build/app/stickslip-cli compare examples/crisp/push-box.stickslip.json --methods crisp,ipopt --project "$project" || (($? == 1))
mapfile -t runs < <(build/app/stickslip-cli list "$project" --ids)
build/app/stickslip-cli export "${runs[@]}" --project "$project" --plot full --to "$out/push-box.pdf"
build/app/stickslip-cli export "${runs[@]}" --project "$project" --plot full --to "$out/push-box.png"
for i in "${!runs[@]}"; do
  for table in log trajectory; do
    build/app/stickslip-cli export "${runs[i]}" --project "$project" --plot $table --to "$out/${methods[i]}-$table.csv"
  done
done
echo
echo "The results are in $out:"
ls -1 "$out" | sed 's/^/  /'
echo "Look at push-box.pdf; list the runs with: build/app/stickslip-cli list $project"
