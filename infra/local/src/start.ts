import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { specialVideos } from '@tds/platform-simulator';
import { localDir } from '@tds/servers';
import { sayStep } from './steps.ts';
import { type Endpoints, startSystem } from './system.ts';

const { values } = parseArgs({ options: { processes: { type: 'boolean', default: false } } });
const startedAt = performance.now();
const port = Number(process.env.PORT ?? 8080);
const shown = ['manualEn001', 'manyLangs01', 'noCaptions1', 'private_001', 'slow30sec01'];

const isEnding = Promise.withResolvers<void>();
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
  process.once(event, () => isEnding.resolve());

console.error('Starting the Transcript Delivery Service');
const system = await startSystem({
  dir: localDir,
  port,
  processes: values.processes,
  environment: process.env,
  onStep: sayStep,
  onEvent: (line) => console.error(`  ${line}`),
});
await mkdir(localDir, { recursive: true });
await writeFile(path.join(localDir, 'endpoints.json'), `${JSON.stringify(system.endpoints, null, 2)}\n`);
console.log(banner(system.endpoints));

await isEnding.promise;
console.error('\nStopping');
await system.stop();
console.error('Stopped');
if (process.connected) process.disconnect();

function banner({ gateway, mailbox, platform }: Endpoints): string {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const examples = specialVideos
    .filter(({ id }) => shown.includes(id))
    .map(({ id, behaviour }) => `    ${id}  ${behaviour}`);
  return [
    '',
    `Ready in ${seconds} s`,
    `  API            ${gateway}/v1`,
    `  API reference  ${gateway}/v1/openapi.json   errors: ${gateway}/docs/errors`,
    `  Mailbox        ${mailbox ?? process.env.SMTP_URL}`,
    `  Platform       ${platform}${process.env.PLATFORM_ORIGIN ? '' : ' (simulated)'}`,
    ...(process.env.PLATFORM_ORIGIN ? [] : ['', '  Videos of the simulated platform:', ...examples]),
    '',
    'In another terminal:',
    '  npm run -s key -- you@example.com',
    `  curl -i -H "Authorization: Bearer svc_live_..." "${gateway}/v1/transcript?video_id=manualEn001&format=srt&raw=1"`,
    '',
    'Ctrl-C stops everything; the data stays in .local/',
  ].join('\n');
}
