import { deadLetterCommand } from './dead-letter-commands.ts';
import { printAnswer, systemCommand } from './running-system.ts';

const deadLetters = systemCommand(
  'npm run dead-letters --',
  'Lists what a running system has given up, tries it again, or forgets it.',
)
  .argument('[words...]', 'list | show SERVICE/ID | replay SERVICE/ID | purge SERVICE/ID')
  .parse();
const values = deadLetters.opts();
const [words] = deadLetters.processedArgs;

await printAnswer(values, (system) => deadLetterCommand(system, words));
