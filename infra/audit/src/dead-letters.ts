import { command } from '@tds/command-line';
import { deadLetterCommand } from './dead-letter-commands.ts';
import { dataDir, printAnswer } from './running-system.ts';

const deadLetters = command(
  'npm run dead-letters --',
  'Lists what a running system has given up, tries it again, or forgets it.',
)
  .argument('[words...]', 'list | show SERVICE/ID | replay SERVICE/ID | purge SERVICE/ID')
  .option('--data <folder>', 'where npm start keeps its data', dataDir)
  .option('--postgres <url>', 'the server of another system, as its administrator')
  .option('--databases <file>', 'the addresses of another system with several servers, as its jobs have them')
  .parse();
const values = deadLetters.opts();
const [words] = deadLetters.processedArgs;

await printAnswer('dead-letters', values, (system) => deadLetterCommand(system, words));
