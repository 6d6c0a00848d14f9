#!/bin/sh
# feedparser 2.6.0 (the stream for Node): what looks like a tag goes from a title that is declared as text. `type="text"` with
# `1 &lt;b and c&gt; 2` is the text `1 <b and c> 2` (RFC 4287, 3.1.1.1) and is given as `1  2`; the summary of the same kind is kept.
# Guess before the run: both texts as they are.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . feedparser@2.6.0
cat > read.mjs <<'CODE'
import FeedParser from 'feedparser';
const text = '1 &lt;b and c&gt; 2';
const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Matches</title><id>urn:x:0</id><updated>2026-11-29T10:00:00Z</updated>
  <entry><id>urn:x:1</id><updated>2026-11-29T09:00:00Z</updated><title type="text">${text}</title>
  <link href="https://example.com/1"/><summary type="text">${text}</summary></entry></feed>`;
const parser = new FeedParser({});
const items = [];
parser.on('readable', () => {
  for (let item = parser.read(); item; item = parser.read()) items.push(item);
});
parser.on('end', () => {
  const [{ title, summary }] = items;
  console.log(`title: "${title}"; summary: "${summary}"`);
  process.exit(!title.includes('and c') && summary === '1 <b and c> 2' ? 0 : 1);
});
parser.end(feed);
CODE
node read.mjs
