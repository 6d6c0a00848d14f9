import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Endpoints } from '@tds/local';
import { dataDir } from '@tds/servers';
import { bookChecks, checkRunningBooks } from './book-checks.ts';
import { databasesOn } from './evidence.ts';
import { sayFinding } from './finding.ts';

/** Checks the books of a running system, by default the developer's, and says exactly what is off. `--data` as with npm start. */

const { values } = parseArgs({
  options: { postgres: { type: 'string' }, data: { type: 'string', default: dataDir } },
});

const localPostgres = async (): Promise<string> => {
  const file = path.join(values.data, 'endpoints.json');
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as Endpoints).postgres;
  } catch {
    console.error(
      'Start the service first (npm start), or name its database: npm run books -- --postgres <url>',
    );
    return process.exit(1);
  }
};

const isUnreachable = (error: unknown): boolean =>
  ['ECONNREFUSED', '57P03'].includes(String((error as { code?: unknown }).code));

const checkOrSayWhy = async (postgres: string) => {
  try {
    return await checkRunningBooks(databasesOn(postgres));
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    console.error('Its database does not answer. Is npm start still running?');
    return process.exit(1);
  }
};

const findings = await checkOrSayWhy(values.postgres ?? (await localPostgres()));
for (const finding of findings) console.log(sayFinding(finding));
if (findings.length === 0) {
  for (const { invariant, promise } of bookChecks) console.log(`${invariant}  holds: ${promise}`);
}
process.exitCode = findings.length === 0 ? 0 : 1;
if (process.connected) process.disconnect();
