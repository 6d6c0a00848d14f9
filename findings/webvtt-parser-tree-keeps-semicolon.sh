#!/bin/sh
# webvtt-parser 2.2.0 (the parser of the W3C's WebVTT validator): the tree of a cue has the `;` of each escape as a letter of
# the text, so `R&amp;D` is read as `R&;D`, and the validator reports no error. WebVTT: the escape ends with its `;`.
# Guess before the run: the tree has `R&D`, as a browser's text track does.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . webvtt-parser@2.2.0
cat > read.cjs <<'CODE'
const { WebVTTParser } = require('webvtt-parser');
const file = 'WEBVTT\n\n00:01.000 --> 00:02.000\nR&amp;D &lt;b&gt;\n';
const { cues, errors } = new WebVTTParser().parse(file, 'metadata');
const text = cues[0].tree.children[0].value;
console.log(`errors: ${errors.length}; text of the tree: ${text}`);
process.exit(errors.length === 0 && text === 'R&;D <;b>;' ? 0 : 1);
CODE
node read.cjs
