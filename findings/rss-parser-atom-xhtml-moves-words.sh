#!/bin/sh
# rss-parser 3.13.0: of Atom's `content type="xhtml"` all text of an element comes before its children, so `Night <em>shift</em> ends`
# is given as `Night ends` and then `shift`; an xhtml title is an object and no text. RFC 4287, 3.1.1.3: the markup's own order.
# Guess before the run: the markup as it stands in the feed, and the title's text.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . rss-parser@3.13.0
cat > read.cjs <<'CODE'
const Parser = require('rss-parser');
const div = (text) => `<div xmlns="http://www.w3.org/1999/xhtml">${text}</div>`;
const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Matches</title><id>urn:x:0</id><updated>2026-11-29T10:00:00Z</updated>
  <entry><id>urn:x:1</id><updated>2026-11-29T09:00:00Z</updated><title type="xhtml">${div('Night <em>shift</em>')}</title>
  <link href="https://example.com/1"/><content type="xhtml">${div('Night <em>shift</em> ends')}</content></entry></feed>`;
new Parser().parseString(feed).then(({ items: [{ title, content, contentSnippet }] }) => {
  console.log(`title: ${typeof title}; content: ${content}; snippet: ${contentSnippet}`);
  process.exit(typeof title === 'object' && /Night\s+ends\s*<em>shift<\/em>/.test(content) ? 0 : 1);
});
CODE
node read.cjs
