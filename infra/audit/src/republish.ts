import { command } from '@tds/command-line';
import { storedServiceNames } from '@tds/local';
import { dataDir, withClient } from '@tds/servers';
import { databasesOn } from './evidence.ts';
import { republishCommand } from './republish-command.ts';
import { postgresOn, sentenceOf } from './running-system.ts';

const republish = command(
  'npm run republish --',
  'Publishes the events of a service since a moment again, for subscribers that have lost them. Those that have handled an event ignore it.',
)
  .argument('<service>', 'whose events, such as identity')
  .argument('<since>', 'a day or a moment, such as 2026-11-20 or 2026-11-20T08:00Z')
  .option('--data <folder>', 'where npm start keeps its data', dataDir)
  .option('--postgres <url>', 'the server of another system, as its administrator')
  .parse();
const values = republish.opts();
const [service, since] = republish.processedArgs;

try {
  const addressOf = databasesOn(values.postgres ?? (await postgresOn(values.data, 'republish')));
  const system = {
    services: storedServiceNames,
    on: <T>(name: string, use: Parameters<typeof withClient<T>>[1]) => withClient(addressOf(name), use),
  };
  console.log(await republishCommand(system, service, since));
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
