#!/bin/sh
# typst 0.14 (typst-ts-node-compiler 0.7.0): in a BibTeX file `--` of a url becomes an en dash, so the link of a video whose id has two hyphens
# leads to another page; `-%2D` arrives as it was written. And `year = {n.d.}`, which biblatex prints, ends the compilation of the document.
# Guess before the run: a url is taken verbatim, and a year that is no number is shown or left out.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . @myriaddreamin/typst-ts-node-compiler@0.7.0
cat > read.mjs <<'CODE'
import { writeFileSync } from 'node:fs';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
const compile = (fields) => {
  writeFileSync('a.bib', `@misc{k, author = {{Someone}}, title = {{A title}}, ${fields} }\n`);
  writeFileSync('a.typ', '@k\n#bibliography("a.bib", style: "apa")\n');
  const compiler = NodeCompiler.create({ workspace: process.cwd() });
  try {
    return compiler.query({ mainFilePath: 'a.typ' }, { selector: 'link' }).map(({ dest }) => dest).join(' ');
  } catch {
    return 'not compiled';
  }
};
const url = (id) => `url = {https://example.com/watch?v=${id}}`;
const [dashes, escaped] = [compile(`year = {2024}, ${url('a--b')}`), compile(`year = {2024}, ${url('a-%2Db')}`)];
const undated = compile(`year = {n.d.}, ${url('ab')}`);
console.log(`--: ${dashes}\n-%2D: ${escaped}\nyear n.d.: ${undated}`);
const isSo = !dashes.includes('a--b') && escaped.endsWith('v=a-%2Db') && undated === 'not compiled';
process.exit(isSo ? 0 : 1);
CODE
node read.mjs
