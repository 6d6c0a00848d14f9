import { operations, runOperation } from './operations.ts';

const [name = '', ...words] = process.argv.slice(2);
const operation = operations.get(name);
try {
  if (!operation) throw new Error(`Usage: cli.ts <${[...operations.keys()].join('|')}> ...`);
  process.stdout.write(`${await runOperation(operation, words, process.env)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
