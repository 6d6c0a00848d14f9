import path from 'node:path';
import { command } from '@tds/command-line';
import { coldPath } from './cold-path.ts';
import { functionsIn } from './functions.ts';
import {
  goalTable,
  isBeyond,
  MAX_FUNCTION_LINES,
  type Measure,
  measureOfPatterns,
  measuresOfColdPath,
  measuresOfSources,
  measuresOfWords,
  unitSizes,
} from './measures.ts';
import { slowPatterns } from './patterns.ts';
import {
  filesNaming,
  publicCommands,
  type SourceFile,
  sourceFiles,
  unclearWords,
  wordsOfDocuments,
} from './tree.ts';

const here = path.resolve(import.meta.dirname, '../../..');
const given = command(
  'npm run shape --',
  'Prints the size of a checkout and what one cold transcript passes, beside the goals. Fails beyond the limits.',
)
  .option('--root <folder>', 'another checkout, installed, to compare with', here)
  .option('--sources', 'only what can be counted without a running system')
  .parse()
  .opts();
const root = path.resolve(given.root);

const printUnits = (files: readonly SourceFile[]): void => {
  console.log('| Package | part | files | lines | median/longest | tests per line |');
  console.log('|---|---|---|---|---|---|');
  for (const { unit, part, files: count, lines, median, largest, tests } of unitSizes(files))
    if (part !== 'tests')
      console.log(
        `| ${unit} | ${part} | ${count} | ${lines} | ${median}/${largest} | ${(tests / lines).toFixed(2)} |`,
      );
};

const printColdPath = async (): Promise<Measure[]> => {
  const passed = await coldPath(root);
  console.log('\nFiles that one cold transcript passes');
  const byUnit = Map.groupBy(passed, ({ file }) => file.split('/').slice(0, 2).join('/'));
  for (const [unit, all] of byUnit) {
    const lines = all.reduce((sum, file) => sum + file.lines, 0);
    console.log(`  ${all.length} in ${unit}, ${lines} lines`);
  }
  return measuresOfColdPath({
    files: passed.length,
    lines: passed.reduce((sum, { lines }) => sum + lines, 0),
  });
};

const files = sourceFiles(root);
const functions = functionsIn(files);
const perCommand = publicCommands(root).map((name) => filesNaming(files, name));
const slow = slowPatterns(files);
const measures = [
  ...measuresOfSources(files, functions),
  measureOfPatterns(slow.length),
  ...measuresOfWords(wordsOfDocuments(root), unclearWords(files), perCommand),
];
if (!given.sources) {
  printUnits(files);
  measures.push(...(await printColdPath()));
}
console.log(`\nFunctions of more than ${MAX_FUNCTION_LINES} lines`);
for (const { where, lines } of functions) if (lines > MAX_FUNCTION_LINES) console.log(`  ${lines}  ${where}`);
for (const { where, pattern } of slow) console.log(`\nNot linear: ${where}  ${pattern}`);
console.log(`\n${goalTable(measures)}`);
if (measures.some(isBeyond)) process.exitCode = 1;
