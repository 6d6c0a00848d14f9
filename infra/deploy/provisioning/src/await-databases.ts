import { setTimeout as delay } from 'node:timers/promises';
import { isMigrated, prismaDirsOf, releaseOf, withClient } from '@tds/migrations';

/** `node await-databases.ts <service>`: ends when the databases of its environment are those of this release, or of a later one. */
const [service = ''] = process.argv.slice(2);
const dirsOf = { DATABASE_URL: service, OBJECTS_DATABASE_URL: 'objects' } as const;
const POLL_MS = 1_000;
const REPORT_EVERY = 10;

for (const [variable, folder] of Object.entries(dirsOf)) {
  const url = process.env[variable];
  if (url === undefined) continue;
  const release = releaseOf(prismaDirsOf(folder));
  for (let tries = 0; ; tries += 1) {
    const answer = await withClient(url, (client) => isMigrated(client, release)).catch(
      ({ message }: Error) => message,
    );
    if (answer === true) break;
    const reason = answer === false ? 'its migrations are those of another release' : answer;
    if (tries % REPORT_EVERY === 0) process.stdout.write(`${service} waits for ${variable}: ${reason}\n`);
    await delay(POLL_MS);
  }
}
