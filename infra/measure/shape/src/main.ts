import path from 'node:path';
import { command } from '@tds/servers/command';
import { functionsIn } from './functions.ts';
import { goalTable, isBeyond, MAX_FUNCTION_LINES, measuresOf } from './measures.ts';
import { countNewcomersWords, sourceFiles } from './tree.ts';

command(
  'npm run count-lines --',
  'Prints the size of the tree beside its goals, and fails beyond the limits.',
).parse();

const root = path.resolve(import.meta.dirname, '../../../..');
const files = sourceFiles(root);
const measures = measuresOf(files, countNewcomersWords(root));
for (const { where, lines } of functionsIn(files))
  if (lines > MAX_FUNCTION_LINES) console.log(`${where} has ${lines} lines`);
console.log(goalTable(measures));
if (measures.some(isBeyond)) process.exitCode = 1;
