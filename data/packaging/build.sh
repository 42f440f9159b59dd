#!/usr/bin/env bash
# Debian packages of the committed state: stickslip, libstickslip0, libstickslip-dev, python3-stickslip, stickslip-doc, and their source.
#
#   data/packaging/build.sh [FOLDER]    FOLDER: where they go, made if it is not there (default: build-packages)
#
# Needs what data/packaging/debian/control names in Build-Depends, dpkg-dev and git. Says what lintian finds, where it is.
set -euo pipefail
here=$(pwd)
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
out=${1:-build-packages}
[[ $out == /* || $# == 0 ]] || out=$here/$out
mkdir -p "$out"
out=$(cd "$out" && pwd)

version=$(dpkg-parsechangelog -l data/packaging/debian/changelog -S Version)
name=stickslip-${version%-*} work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The archive is that of the source; debian/ is laid over it, since the source keeps it below data/.
git archive --prefix="$name/" HEAD | xz -1 >"$work/stickslip_${version%-*}.orig.tar.xz"
tar -C "$work" -xf "$work/stickslip_${version%-*}.orig.tar.xz"
cp -r data/packaging/debian "$work/$name/debian"
(cd "$work/$name" && dpkg-buildpackage -us -uc -ui) >"$work/log" 2>&1 || { tail -n 60 "$work/log" >&2; exit 1; }
mv "$work"/*.deb "$work"/*.dsc "$work"/*.tar.* "$work"/*.changes "$work"/*.buildinfo "$out"
if command -v lintian >/dev/null; then lintian --allow-root --fail-on error,warning "$out"/*.deb "$out"/*.dsc; fi
ls -1 "$out"
