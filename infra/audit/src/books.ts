import { parseArgs } from 'node:util';
import { dataDir } from '@tds/servers';
import { bookChecks, checkRunningBooks } from './book-checks.ts';
import { databasesOn } from './evidence.ts';
import { sayFinding } from './finding.ts';
import { postgresOn, sentenceOf } from './running-system.ts';

/** Checks the books of a running system, by default the developer's, and says exactly what is off. `--data` as with npm start. */

const { values } = parseArgs({
  options: { postgres: { type: 'string' }, data: { type: 'string', default: dataDir } },
});

const check = async () => {
  try {
    return await checkRunningBooks(databasesOn(values.postgres ?? (await postgresOn(values.data, 'books'))));
  } catch (error) {
    console.error(sentenceOf(error));
    return process.exit(1);
  }
};

const findings = await check();
for (const finding of findings) console.log(sayFinding(finding));
if (findings.length === 0) {
  for (const { invariant, promise } of bookChecks) console.log(`${invariant}  holds: ${promise}`);
}
process.exitCode = findings.length === 0 ? 0 : 1;
if (process.connected) process.disconnect();
