import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { command } from '@tds/command-line';
import { localDir } from '@tds/servers';
import { shareOf } from './support/profile-share.ts';

const { dir, service, code } = command(
  'node bench/src/profile-share.ts',
  'Says which part of the processor time of the profiles that --profile has left is spent in certain code.',
)
  .option('--dir <folder>', 'where the profiles lie', path.join(localDir, 'bench-profiles'))
  .option('--service <name>', 'whose', 'gateway')
  .option('--code <pattern>', 'which files', '/prom-client/|/@opentelemetry/|/service-kit/src/telemetry/')
  .parse()
  .opts();

const profiles = readdirSync(dir).filter((name) => name.startsWith(`${service}-`));
if (profiles.length === 0)
  throw new Error(`There is no profile of ${service} in ${dir}: npm run bench -- cached-read --profile`);
for (const name of profiles) {
  const share = shareOf(JSON.parse(readFileSync(path.join(dir, name), 'utf8')), new RegExp(code));
  console.log(`${name}  ${(share * 100).toFixed(2)} %`);
}
