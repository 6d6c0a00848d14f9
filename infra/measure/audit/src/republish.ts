import { republishCommand } from './republish-command.ts';
import { printAnswer, systemCommand } from './running-system.ts';

const republish = systemCommand(
  'npm run republish --',
  'Publishes the events of a service since a moment again, for subscribers that have lost them. Those that have handled an event ignore it.',
)
  .argument('<service>', 'whose events, such as identity')
  .argument('<since>', 'a day or a moment, such as 2026-11-20 or 2026-11-20T08:00Z')
  .parse();
const values = republish.opts();
const [service, since] = republish.processedArgs;

await printAnswer(values, (system) => republishCommand(system, service, since));
