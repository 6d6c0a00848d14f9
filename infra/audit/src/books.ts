import { parseArgs } from 'node:util';
import { dataDir } from '@tds/servers';
import { bookChecks, checkRunningBooks, newBookChecks } from './book-checks.ts';
import { databasesOn } from './evidence.ts';
import { sayFinding } from './finding.ts';
import { postgresOn, sentenceOf } from './running-system.ts';

/**
 * Checks the books of a running system, by default the developer's, and says exactly what is off. `--data` as with npm start.
 * `--new` looks at what was booked since the ledger's last seals only.
 */

const { values } = parseArgs({
  options: {
    postgres: { type: 'string' },
    data: { type: 'string', default: dataDir },
    new: { type: 'boolean', default: false },
  },
});

const checks = values.new ? newBookChecks : bookChecks;
const check = async () => {
  try {
    const postgres = values.postgres ?? (await postgresOn(values.data, 'books'));
    return await checkRunningBooks(databasesOn(postgres), checks);
  } catch (error) {
    console.error(sentenceOf(error));
    return process.exit(1);
  }
};

const findings = await check();
for (const finding of findings) console.log(sayFinding(finding));
if (findings.length === 0) {
  for (const { invariant, promise } of checks) console.log(`${invariant}  holds: ${promise}`);
}
process.exitCode = findings.length === 0 ? 0 : 1;
if (process.connected) process.disconnect();
