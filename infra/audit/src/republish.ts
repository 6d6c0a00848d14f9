import { command } from '@tds/command-line';
import { republishCommand } from './republish-command.ts';
import { dataDir, printAnswer } from './running-system.ts';

const republish = command(
  'npm run republish --',
  'Publishes the events of a service since a moment again, for subscribers that have lost them. Those that have handled an event ignore it.',
)
  .argument('<service>', 'whose events, such as identity')
  .argument('<since>', 'a day or a moment, such as 2026-11-20 or 2026-11-20T08:00Z')
  .option('--data <folder>', 'where npm start keeps its data', dataDir)
  .option('--postgres <url>', 'the server of another system, as its administrator')
  .option('--databases <file>', 'the addresses of another system with several servers, as its jobs have them')
  .parse();
const values = republish.opts();
const [service, since] = republish.processedArgs;

await printAnswer('republish', values, (system) => republishCommand(system, service, since));
