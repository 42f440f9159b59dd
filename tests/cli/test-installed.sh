#!/usr/bin/env bash
# What is installed beside the programs: manual pages and completions.
#   test-installed.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# --- manual pages: made of the tables, without a warning of troff
build=$(dirname "$cli")
for page in stickslip-cli stickslip-ampl; do
  check "manual page of $page" [ -s "$build/$page.1" ]
  check "no warnings, $page" [ -z "$(LC_ALL=C.UTF-8 groff -man -Kutf8 -Tutf8 -ww -z "$build/$page.1" 2>&1)" ]
  command -v mandoc >/dev/null && check "mandoc has none, $page" mandoc -T lint -W warning "$build/$page.1"
done
status 0 --help
verbs=$(sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' out)
check "there are verbs" [ "$(wc -w <<<"$verbs")" -gt 30 ]
pages=$(sed 's/\\-/-/g' "$build/stickslip-cli.1")
for verb in $verbs; do check "the page has $verb" grep -qx ".SS $verb" <<<"$pages"; done
status 0 simulate --help
for option in $(sed -n 's/^  \(--[a-z-]*\) .*/\1/p' out | grep -vx -- --help); do
  check "the page has $option" grep -qF "\\fB$option\\fR" <<<"$pages"
done

# --- packages are linked by Debian's own linker, which has rules of its own for what is wrapped (app/later.py)
if command -v ld.bfd >/dev/null && [ -f "$build/../build.ninja" ]; then
  link=$(ninja -C "$build/.." -t commands app/stickslip | tail -n 1 | sed "s/ -fuse-ld=[a-z]*/ -fuse-ld=bfd/; s| -o app/stickslip | -o '$PWD/linked' |")
  check "the window links by it" bash -c 'cd "$1" && eval "$2"' bash "$build/.." "$link"
  check "and starts" "$PWD/linked" --help
fi

# --- completion in bash: completed LINE prints what its last word may become, a candidate a line
completed() {
  PATH=$build:$PATH bash --norc -c '
    . "$1/data/completion/$3"
    compopt () { :; } # of a completion that bash itself began
    COMP_LINE=$2 COMP_POINT=${#2}
    read -ra COMP_WORDS <<<"$2"
    [[ $2 != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    "_${3//-/_}" "$3"
    printf "%s\n" "${COMPREPLY[@]}"' bash "$root" "$1" "${1%% *}"
}
# is LINE WORDS: these are all candidates.
is() { [ "$(completed "$1" | paste -sd ' ')" = "$2" ] || { completed "$1"; return 1; }; }
check "verbs" is "stickslip-cli sim" "simulate"
check "all verbs" [ "$(completed "stickslip-cli " | wc -l)" = "$(wc -w <<<"$verbs")" ]
check "verbs to be explained" is "stickslip-cli help optim" "optimise"
check "options of a verb" is "stickslip-cli simulate a.stickslip.json --met" "--method"
check "no options of other verbs" is "stickslip-cli validate --met" ""
check "methods of the verb's kind" is "stickslip-cli optimise a.stickslip.json --method cr" "crisp"
check "no methods of another kind" is "stickslip-cli simulate a.stickslip.json --method cr" ""
check "the last method of a list" is "stickslip-cli compare a.stickslip.json --methods crisp,ip" "crisp,ipopt"
check "options of the method" is "stickslip-cli optimise a --method crisp --option mu0" "mu0="
check "choices, behind what bash breaks words at" is "stickslip-cli optimise a --method crisp --option preset=pa" "paper"
check "papers" is "stickslip-cli paper crisp-table" "crisp-table-2"
check "plots" is "stickslip-cli export last --plot converg" "convergence"
check "files are left to the shell" is "stickslip-cli simulate fall" ""
check "an unknown verb" is "stickslip-cli nonsense --m" ""
touch problem.nl other.txt
check "problems" is "stickslip-ampl " "problem.nl"
check "keywords" is "stickslip-ampl problem.nl obj" "objno="
if command -v zsh >/dev/null; then check "zsh reads its completions" zsh -n "$root/data/completion/_stickslip-cli" "$root/data/completion/_stickslip"; fi
if command -v fish >/dev/null; then
  completes() { PATH=$build:$PATH fish --no-config -c "source $root/data/completion/stickslip-cli.fish; complete -C '$1'" | grep -q "^$2"; }
  check "fish: methods" completes "stickslip-cli optimise x --method cr" "crisp"
fi

# --- thumbnails of scenarios and projects, for file managers
thumbnail() { status 0 thumbnail "$1" picture.png 128 && [ "$(identify -format '%wx%h' picture.png)" = 128x128 ] && [ "$(identify -format %k picture.png)" -gt 5 ]; }
check "a scene" thumbnail "$fall"
check "a model" thumbnail "$box"
status 0 add "$fall" --project sketched.stickslip
check "a project with a sketch" thumbnail sketched.stickslip
check "nothing is written beside it" [ -z "$(find . -name 'sketched.stickslip-*')" ]
check "no scenario" status 2 thumbnail other.txt picture.png 128
check "no size" status 2 thumbnail "$fall" picture.png 128x
check "the window's files are known to it" grep -qx "$(grep ^MimeType "$root/data/org.stickslip.Stickslip.thumbnailer")" "$root/data/org.stickslip.Stickslip.desktop"

# --- the Flatpak manifest, which was never built: as a file
cat >manifest.py <<'END'
import json, pathlib, sys
data = pathlib.Path(sys.argv[1]) / "data"
manifest = json.loads((data / "packaging/org.stickslip.Stickslip.json").read_text())
assert (data / f"{manifest['app-id']}.desktop").exists() and manifest["command"] == "stickslip"
assert "--env=GSETTINGS_BACKEND=keyfile" in manifest["finish-args"]
assert not [a for a in manifest["finish-args"] if a.startswith(("--filesystem", "--talk-name", "--share=network"))], "files come by portals"
options = (data / "../meson_options.txt").read_text()
own = manifest["modules"][-1]
assert all(f"option('{o[2:].split('=')[0]}'" in options for o in own["config-opts"] if o.startswith("-D") and "werror" not in o)
assert all(m["name"] and m["sources"] and m.get("buildsystem", "autotools") in ("autotools", "cmake-ninja", "meson", "simple") for m in manifest["modules"])
END
check "the Flatpak manifest" python3 manifest.py "$root"

# --- one version and one day of it, wherever they stand
version=$("$cli" --version)
version=${version#* }
first() { sed -n "s/$1/\1/p" "$root/$2" | head -n 1; }
day=$(first '^date-released: *\(.*\)' CITATION.cff)
check "a version" grep -qx '[0-9]*\.[0-9]*\.[0-9]*' <<<"$version"
check "the build has it" [ "$(first ".*version: '\\([0-9.]*\\)', license.*" meson.build)" = "$version" ]
check "the citation" [ "$(first '^version: *\(.*\)' CITATION.cff)" = "$version" ]
check "the AppStream data" grep -q "version=\"$version\" date=\"$day\"" <(grep -m 1 '<release ' "$root/data/org.stickslip.Stickslip.metainfo.xml")
check "the Debian packages" [ "$(first '^stickslip (\([0-9.]*\)-.*' data/packaging/debian/changelog)" = "$version" ]
check "the Python package" [ "$(first '^__version__ = "\(.*\)"' data/python/stickslip/__init__.py)" = "$version" ]

finish
