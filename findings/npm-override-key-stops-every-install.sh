#!/bin/sh
# npm 11.19.1: a key of `overrides` that is no package's name ends `npm install` and `npm ls` before anything is downloaded, with the
# key as the text of the error ("Override without name: ..."), although no dependency could match it. A root `preinstall` script, the
# obvious place to refuse an install, runs only after the dependencies have been written.
# Guess before the run: an override that matches nothing is ignored, and preinstall runs first.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix tool npm@11.19.1
npm11() { node "$dir/tool/node_modules/npm/bin/npm-cli.js" "$@"; }
mkdir late early
cat > late/package.json <<'JSON'
{ "private": true, "scripts": { "preinstall": "ls node_modules/is-odd/package.json && exit 1" }, "dependencies": { "is-odd": "3.0.1" } }
JSON
cat > early/package.json <<'JSON'
{ "private": true, "dependencies": { "is-odd": "3.0.1" }, "overrides": { "./use another command": "-" } }
JSON
cd "$dir/late" && npm11 install --no-audit --no-fund > ../late.log 2>&1 && late=installed || late=refused
cd "$dir/early" && npm11 install --no-audit --no-fund > ../early.log 2>&1 && early=installed || early=refused
grep -h 'package.json$' ../late.log | head -1
grep -h 'Override' ../early.log
echo "preinstall: $late; override: $early, node_modules $(ls -d node_modules 2> /dev/null || echo absent)"
grep -q 'node_modules/is-odd/package.json$' ../late.log
grep -q 'Override without name: ./use another command' ../early.log && ! [ -e node_modules ]
