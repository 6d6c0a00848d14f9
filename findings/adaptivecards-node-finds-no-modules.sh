#!/bin/sh
# adaptivecards 3.0.6: Node can neither import nor require the package by its name: its modules name each other without their endings, which
# only bundlers find. Its bundle `dist/adaptivecards.js` works, and validates and parses cards without a browser.
# Guess before the run: `import 'adaptivecards'` works in Node, and only rendering needs a browser.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . adaptivecards@3.0.6 swiper@12.2.0
cat > read.cjs <<'CODE'
const { AdaptiveCard } = require('adaptivecards/dist/adaptivecards.js');
const card = new AdaptiveCard();
card.parse({ type: 'AdaptiveCard', version: '1.4', body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'x' }] }] });
const isParsed = card.getItemCount() === 1 && card.validateProperties().validationEvents.length === 0;
import('adaptivecards').then(
  () => 'imported',
  ({ code }) => code,
).then((outcome) => {
  console.log(`by its name: ${outcome}; its bundle parses a card: ${isParsed}`);
  process.exit(outcome === 'ERR_MODULE_NOT_FOUND' && isParsed ? 0 : 1);
});
CODE
node read.cjs
