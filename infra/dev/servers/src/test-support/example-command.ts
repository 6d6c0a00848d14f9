import { command, count } from '../command.ts';

/** A command that prints what it has read. */
const example = command('npm run example --', 'Does nothing.')
  .argument('[names...]', 'of anything')
  .option('--rounds <count>', 'how often', count, 5)
  .option('--keep', 'leaves everything behind')
  .parse();
const [names] = example.processedArgs;
process.stdout.write(JSON.stringify({ ...example.opts(), names }));
