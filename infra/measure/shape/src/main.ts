import { readFileSync } from 'node:fs';
import path from 'node:path';
import { command } from '@tds/servers/command';
import { functionsIn } from './functions.ts';
import { goalTable, isBeyond, MAX_FUNCTION_LINES, measuresOf, packageMeasures } from './measures.ts';
import { sourceFiles, wordsOfDocuments } from './tree.ts';

command(
  'npm run count-lines --',
  'Prints the size of the tree beside its goals, and fails beyond the limits.',
).parse();

const root = path.resolve(import.meta.dirname, '../../../..');
const files = sourceFiles(root);
const functions = functionsIn(files);
const measures = measuresOf(files, functions, wordsOfDocuments(root));
for (const { where, lines } of functions)
  if (lines > MAX_FUNCTION_LINES) console.log(`${where} has ${lines} lines`);
const budget = JSON.parse(readFileSync(path.join(import.meta.dirname, '../budget.json'), 'utf8'));
const beyond = packageMeasures(files, budget).filter(isBeyond);
console.log(goalTable([...measures, ...beyond]));
if ([...measures, ...beyond].some(isBeyond)) process.exitCode = 1;
