import { loadSurfaces } from '@tds/provisioning';
import { redisUsers } from '@tds/provisioning/rights';
import { openSecrets } from '@tds/servers';

/** For operators: `node infra/dev/local/src/redis-users.ts records|cache <secrets.json>` prints the users of a Redis server. */
const [server, secretsFile] = process.argv.slice(2);
if ((server !== 'records' && server !== 'cache') || secretsFile === undefined) {
  process.stderr.write('usage: redis-users.ts records|cache <secrets.json>\n');
  process.exit(2);
}
process.stdout.write(redisUsers(await loadSurfaces(), openSecrets(secretsFile)).fileOf(server));
