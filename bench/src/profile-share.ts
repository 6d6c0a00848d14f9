import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { command } from '@tds/command-line';
import { localDir } from '@tds/servers';
import { shareOf } from './support/profile-share.ts';

const { dir, service, code } = command(
  'node bench/src/profile-share.ts',
  'Prints the share of CPU time that certain code takes in the profiles that --profile wrote.',
)
  .option('--dir <folder>', 'the folder of the profiles', path.join(localDir, 'bench-profiles'))
  .option('--service <name>', 'the service', 'gateway')
  .option(
    '--code <pattern>',
    'the files whose time counts',
    '/prom-client/|/@opentelemetry/|/base/src/telemetry/',
  )
  .parse()
  .opts();

const profiles = readdirSync(dir).filter((name) => name.startsWith(`${service}-`));
if (profiles.length === 0)
  throw new Error(`Found no profile of ${service} in ${dir}: npm run bench -- cached-read --profile`);
for (const name of profiles) {
  const share = shareOf(JSON.parse(readFileSync(path.join(dir, name), 'utf8')), new RegExp(code));
  console.log(`${name}  ${(share * 100).toFixed(2)} %`);
}
