#!/bin/sh
# @plussub/srt-vtt-parser 2.0.5: a WebVTT cue without text (its payload may be empty) takes the next cue as its text, with that
# cue's line of times, and the next cue is missing. The same two cues as SubRip are read as two.
# Guess before the run: the empty cue has an empty text, or is left out.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . @plussub/srt-vtt-parser@2.0.5
cat > read.mjs <<'CODE'
import { parse } from '@plussub/srt-vtt-parser';
const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n\n00:00:02.000 --> 00:00:03.000\nafter\n';
const srt = '1\n00:00:01,000 --> 00:00:02,000\n\n\n2\n00:00:02,000 --> 00:00:03,000\nafter\n';
const [fromVtt, fromSrt] = [vtt, srt].map((file) => parse(file).entries.map(({ text }) => text));
console.log(`WebVTT: ${JSON.stringify(fromVtt)}\nSubRip: ${JSON.stringify(fromSrt)}`);
const isSo = fromVtt.length === 1 && fromVtt[0].includes('-->') && fromSrt.length === 2;
process.exit(isSo ? 0 : 1);
CODE
node read.mjs
