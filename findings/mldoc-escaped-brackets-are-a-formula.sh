#!/bin/sh
# mldoc 1.6.0 (the parser of Logseq), Markdown: `\[Music\]`, brackets that are escaped as CommonMark has it, is displayed LaTeX.
# `\[Music]`, which is the same text in CommonMark, is text.
# Guess before the run: `[Music]` as text.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . mldoc@1.6.0
cat > read.cjs <<'CODE'
const { Mldoc } = require('mldoc');
const flags = ['toc', 'parse_outline_only', 'heading_number', 'keep_line_break', 'heading_to_list', 'exporting_keep_properties', 'inline_type_with_pos', 'inline_skip_macro'];
const settings = { ...Object.fromEntries(flags.map((flag) => [flag, false])), format: 'Markdown', export_md_indent_style: 'dashes', export_md_remove_options: [], hiccup_in_block: true };
const read = (text) => JSON.stringify(JSON.parse(Mldoc.parseInlineJson(text, JSON.stringify(settings))));
const [both, first] = ['a \\[Music\\] b', 'a \\[Music] b'].map(read);
console.log(`\\[Music\\]: ${both}\n\\[Music]: ${first}`);
process.exit(both.includes('Latex_Fragment') && !first.includes('Latex') ? 0 : 1);
CODE
node read.cjs
