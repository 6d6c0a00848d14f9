import { parseArgs } from 'node:util';
import { storedServiceNames } from '@tds/local';
import { dataDir, withClient } from '@tds/servers';
import { deadLetterCommand } from './dead-letter-commands.ts';
import { databasesOn } from './evidence.ts';
import { postgresOn, sentenceOf } from './running-system.ts';

/** What a running system has given up: lists it, tries it again, forgets it. `--data` as with npm start. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: 'string' }, data: { type: 'string', default: dataDir } },
});

try {
  const addressOf = databasesOn(values.postgres ?? (await postgresOn(values.data, 'dead-letters')));
  const system = {
    services: storedServiceNames,
    on: <T>(service: string, use: Parameters<typeof withClient<T>>[1]) => withClient(addressOf(service), use),
  };
  console.log(await deadLetterCommand(system, positionals));
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
