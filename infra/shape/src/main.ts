import path from 'node:path';
import { command } from '@tds/command-line';
import { coldPath } from './cold-path.ts';
import { longFunctions, unitSizes } from './sizes.ts';
import { sourceFiles } from './source-files.ts';

const here = path.resolve(import.meta.dirname, '../../..');
const given = command(
  'npm run shape --',
  'Prints how a checkout is cut: sizes, tests against source, long functions, and what one cold transcript passes.',
)
  .option('--root <folder>', 'another checkout, installed, to compare with', here)
  .parse()
  .opts();
const root = path.resolve(given.root);
const files = sourceFiles(root);

console.log('| Unit | files | lines median/p90/max | tests : source |\n|---|---|---|---|');
for (const { unit, files: count, median, p90, largest, testsToSource } of unitSizes(files)) {
  console.log(`| ${unit} | ${count} | ${median}/${p90}/${largest} | ${testsToSource.toFixed(2)} |`);
}

console.log('\nFunctions of more than 50 lines');
for (const { where, lines } of longFunctions(files)) console.log(`  ${lines}  ${where}`);

const passed = await coldPath(root);
const linesOf = new Map(files.map((file) => [file.path, file.lines]));
const lines = passed.reduce((sum, file) => sum + (linesOf.get(file) ?? 0), 0);
console.log(`\nOne cold transcript passes ${passed.length} files of ${lines} lines`);
for (const [folder, all] of Map.groupBy(passed.toSorted(), (file) => file.split('/').slice(0, 2).join('/'))) {
  console.log(`  ${all.length} in ${folder}`);
}
