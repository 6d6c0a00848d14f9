import { command } from '@tds/command-line';
import { storedServiceNames } from '@tds/local';
import { dataDir, withClient } from '@tds/servers';
import { deadLetterCommand } from './dead-letter-commands.ts';
import { databasesOn } from './evidence.ts';
import { postgresOn, sentenceOf } from './running-system.ts';

const deadLetters = command(
  'npm run dead-letters --',
  'Lists what a running system has given up, tries it again, or forgets it.',
)
  .argument('[words...]', 'list | show SERVICE/ID | replay SERVICE/ID | purge SERVICE/ID')
  .option('--data <folder>', 'where npm start keeps its data', dataDir)
  .option('--postgres <url>', 'the server of another system, as its administrator')
  .parse();
const values = deadLetters.opts();
const [words] = deadLetters.processedArgs;

try {
  const addressOf = databasesOn(values.postgres ?? (await postgresOn(values.data, 'dead-letters')));
  const system = {
    services: storedServiceNames,
    on: <T>(service: string, use: Parameters<typeof withClient<T>>[1]) => withClient(addressOf(service), use),
  };
  console.log(await deadLetterCommand(system, words));
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
