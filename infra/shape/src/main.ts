import path from 'node:path';
import { command } from '@tds/command-line';
import { coldPath } from './cold-path.ts';
import { functionsIn } from './functions.ts';
import {
  goalTable,
  isBeyond,
  LONGEST_FUNCTION,
  type Measure,
  measuresOfColdPath,
  measuresOfSources,
} from './goals.ts';
import { unitSizes } from './sizes.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';

const here = path.resolve(import.meta.dirname, '../../..');
const given = command(
  'npm run shape --',
  'Prints how a checkout is cut: sizes, tests against source, SQL, and what one cold transcript passes. Fails beyond the ceilings.',
)
  .option('--root <folder>', 'another checkout, installed, to compare with', here)
  .option('--sources', 'only what is counted without a running system')
  .parse()
  .opts();
const root = path.resolve(given.root);

const printUnits = (files: readonly SourceFile[]): void => {
  console.log('| Unit | files | lines median/p90/max | tests : source | SQL functions | migrations |');
  console.log('|---|---|---|---|---|---|');
  for (const unit of unitSizes(files)) {
    const lengths = `${unit.median}/${unit.p90}/${unit.largest}`;
    const sql = unit.sqlFiles ? `${unit.sqlFiles} of ${unit.sqlLines} lines` : '';
    const migrations = unit.migrations ? `${unit.migrations} of ${unit.migrationLines} lines` : '';
    const tests = unit.testsToSource.toFixed(2);
    console.log(`| ${unit.unit} | ${unit.files} | ${lengths} | ${tests} | ${sql} | ${migrations} |`);
  }
};

const walkColdPath = async (files: readonly SourceFile[]): Promise<Measure[]> => {
  const known = new Map(files.map((file) => [file.path, file]));
  const passed = (await coldPath(root)).flatMap((file) => known.get(file) ?? []);
  console.log('\nFiles that one cold transcript passes');
  for (const [unit, all] of Map.groupBy(passed, (file) => file.unit))
    console.log(`  ${all.length} in ${unit}`);
  return measuresOfColdPath(passed);
};

const files = sourceFiles(root);
const functions = functionsIn(files);
const measures = measuresOfSources(files, functions);
if (!given.sources) {
  printUnits(files);
  measures.push(...(await walkColdPath(files)));
}
console.log(`\nFunctions of more than ${LONGEST_FUNCTION} lines`);
for (const { where, lines } of functions) if (lines > LONGEST_FUNCTION) console.log(`  ${lines}  ${where}`);
console.log(`\n${goalTable(measures)}`);
if (measures.some(isBeyond)) process.exitCode = 1;
