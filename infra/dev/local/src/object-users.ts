import { objectUsers } from '@tds/objects/rights';
import { loadSurfaces } from '@tds/provisioning';
import { openSecrets } from '@tds/servers';

/** For operators: `node infra/dev/local/src/object-users.ts <secrets.json>` prints the SQL that gives services their objects. */
const [secretsFile] = process.argv.slice(2);
if (secretsFile === undefined) {
  process.stderr.write('usage: object-users.ts <secrets.json>\n');
  process.exit(2);
}
const { rolesSql, rightsSql } = objectUsers(await loadSurfaces(), openSecrets(secretsFile));
process.stdout.write(rolesSql + rightsSql);
