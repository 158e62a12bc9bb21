#!/bin/sh
# Makes the disk image of the app that PyInstaller built: sh packaging/macos/dmg.sh VERSION
# It has never been run here: no Mac was at hand. See docs/rooms/packages.md.
#
# CODESIGN_IDENTITY  signs the app with it; without one the signature is ad hoc, and the person must allow the app once

set -euf
cd "$(dirname "$0")/../.."
version=${1:?say the version: sh packaging/macos/dmg.sh X.Y.Z}
app='dist/Kapture Panel.app'
image="dist/kapture-panel-$version-macos-$(uname -m).dmg"

[ -d "$app" ] || { echo "there is no $app: run pyinstaller packaging/frozen/kapture.spec first" >&2; exit 1; }
codesign --force --deep --options runtime --sign "${CODESIGN_IDENTITY:--}" "$app"
codesign --verify --deep --strict "$app"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp -R "$app" "$stage/"
cp LICENSE "$stage/"
ln -s /Applications "$stage/Applications"
hdiutil create -volname "Kapture Panel" -srcfolder "$stage" -fs HFS+ -format UDZO -ov "$image"
hdiutil verify "$image"
echo "$image"
