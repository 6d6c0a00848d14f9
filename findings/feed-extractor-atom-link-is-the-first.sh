#!/bin/sh
# @extractus/feed-extractor 8.0.3: the link of an Atom entry is its first `link`, whatever its `rel`: a file that is enclosed, or the feed's
# own address, in place of the page (`rel="alternate"`), which stands behind it. Atom gives links no order (RFC 4287, 4.2.7).
# An xhtml title is empty.
# Guess before the run: the alternate one, as with links in the other order, and the title's text.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . @extractus/feed-extractor@8.0.3
cat > read.mjs <<'CODE'
import { extractFromXml } from '@extractus/feed-extractor';
const page = '<link rel="alternate" href="https://example.com/page"/>';
const file = '<link rel="enclosure" type="text/plain" href="https://example.com/file.txt"/>';
const title = '<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Night shift</div></title>';
const entry = (id, links, name) =>
  `<entry><id>urn:x:${id}</id><updated>2026-11-29T09:00:00Z</updated>${name}${links}<summary>said</summary></entry>`;
const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Matches</title><id>urn:x:0</id><updated>2026-11-29T10:00:00Z</updated>
  ${entry(1, file + page, '<title>One</title>')}${entry(2, page + file, title)}</feed>`;
const [first, second] = extractFromXml(feed).entries;
console.log(`file first: ${first.link}; page first: ${second.link}; xhtml title: "${second.title}"`);
process.exit(first.link.endsWith('file.txt') && second.link.endsWith('page') && second.title === '' ? 0 : 1);
CODE
node read.mjs
