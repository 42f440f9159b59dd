# app/packages.sh: which Debian 12 packages Stickslip needs, and a function that installs what is missing. Sourced by the two
# commands of the README; the reason for each package is in the README's table.

# To build and run.
packages_build=(gcc libc6-dev meson ninja-build pkg-config
  libgtk-4-dev libadwaita-1-dev libgtksourceview-5-dev libgtk-4-bin libglib2.0-bin libsqlite3-dev libcairo2-dev libpango1.0-dev libwebp-dev libgif-dev
  libjansson-dev coinor-libipopt-dev libsuitesparse-dev
  adwaita-icon-theme fonts-cantarell fonts-dejavu-core librsvg2-common)

# Besides, to test: the optional integrator's library (a large download, so not for everyone), a second compiler, a display, a driver
# for the window, checkers of data files.
packages_test=(libsundials-dev clang clang-format-14 libclang-rt-14-dev python3 git
  xvfb xauth dbus dbus-x11 at-spi2-core python3-pyatspi gir1.2-atspi-2.0 xdotool imagemagick openbox xcompmgr x11-utils
  desktop-file-utils appstream libxml2-utils poppler-utils sqlite3 python3-numpy procps locales-all chromium)

# install_packages NAME...: installs those that are missing, as root or through sudo; says which ones when it can't.
install_packages() {
  local name missing=()
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  local become=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      echo "These Debian packages are missing, and there is no sudo to install them: ${missing[*]}" >&2
      return 1
    }
    become=(sudo)
  fi
  echo "Installing Debian packages: ${missing[*]}"
  "${become[@]}" apt-get -qq -o Acquire::Retries=3 update &&
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 \
      install --no-install-recommends "${missing[@]}" >/dev/null ||
    { echo "The packages could not be installed: ${missing[*]}" >&2; return 1; }
}

# build DIR [meson options]: configures DIR when it is new or its options changed, and compiles; quiet unless something fails.
build() {
  local directory=$1 log
  shift
  log=$(mktemp)
  if [[ ! -f $directory/build.ninja ]]; then
    rm -rf "$directory"
    meson setup "$directory" "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  elif [[ "$*" != *cvode=disabled* && -f /usr/include/cvodes/cvodes.h ]] && grep -q SS_HAVE_CVODE=0 "$directory/build.ninja"; then
    # configured before the optional library was installed; a mere --reconfigure would keep the old answers of the compiler
    meson setup --wipe "$directory" "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  fi
  ninja -C "$directory" >"$log" 2>&1 || { tail -n 60 "$log" >&2; rm -f "$log"; return 1; }
  rm -f "$log"
}
