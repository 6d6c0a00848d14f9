import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { specialVideos } from '@tds/platform-simulator';
import { localDir } from '@tds/servers';
import { returnMemory } from '@tds/service-kit/return-memory';
import { chooseGatewayPort } from './gateway-port.ts';
import { sayStep } from './steps.ts';
import { type Endpoints, type System, startSystem } from './system.ts';

const { values } = parseArgs({
  options: {
    /** One process for each service. */
    processes: { type: 'boolean', default: false },
    /** Where the data stays. */
    data: { type: 'string', default: localDir },
  },
});
const dir = path.resolve(values.data);
const startedAt = performance.now();
const shown = ['manualEn001', 'manyLangs01', 'noCaptions1', 'private_001', 'slow30sec01'];

const isEnding = Promise.withResolvers<void>();
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
  process.once(event, () => isEnding.resolve());

console.error('Starting the Transcript Delivery Service');
const system = await start().catch((error: Error) => {
  console.error(`\nCould not start: ${error.message}`);
  process.exit(1);
});
await mkdir(dir, { recursive: true });
await writeFile(path.join(dir, 'endpoints.json'), `${JSON.stringify(system.endpoints, null, 2)}\n`);
returnMemory();
console.log(banner(system.endpoints));

await isEnding.promise;
console.error('\nStopping');
await system.stop();
console.error('Stopped');
if (process.connected) process.disconnect();

async function start(): Promise<System> {
  const { PORT, ...environment } = process.env;
  return await startSystem({
    dir,
    port: await chooseGatewayPort(PORT),
    processes: values.processes,
    environment,
    onStep: sayStep,
    onEvent: (line) => console.error(`  ${line}`),
  });
}

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
    `Ctrl-C stops everything; the data stays in ${path.relative('.', dir)}/`,
  ].join('\n');
}
