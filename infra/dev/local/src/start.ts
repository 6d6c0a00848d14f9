import path from 'node:path';
import { returnMemory } from '@tds/kit/return-memory';
import { dataDir, ensureServerPrograms, keepPrivate, writePrivate } from '@tds/servers';
import { command } from '@tds/servers/command';
import { channelAt, DEFAULT_SEED, playlistsOf, specialVideos } from '@tds/simulators/platform';
import { VIDEO } from '@tds/site';
import { endingSignal } from './ending.ts';
import { SIMULATED_VIDEO, startSettings } from './environments.ts';
import { chooseGatewayPort } from './gateway-port.ts';
import { parseInstanceCounts } from './instances.ts';
import { emptyData } from './local-data.ts';
import { scrapeTargets, scrapeTargetsIn } from './scrape-targets.ts';
import { createStartRecords } from './start-records.ts';
import { type System, startSystem } from './system.ts';

/** What the start is at. */
let step = '';

/** Prints a step and, when the returned function is called, its duration; without a terminal on a line each. */
function printStep(title: string): () => void {
  const startedAt = performance.now();
  step = title;
  const isTerminal = process.stderr.isTTY;
  process.stderr.write(`  … ${title}${isTerminal ? '' : '\n'}`);
  return () => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    step = '';
    process.stderr.write(`${isTerminal ? '\r' : ''}  ✓ ${title} (${seconds} s)\n`);
  };
}

const program = command(
  'npm start --',
  'Starts the whole service, and the servers and the platform that it needs.',
)
  .option('--processes', 'one process for each service', false)
  .option('--instances <service=count,...>', 'with --processes, several of these services', parseInstanceCounts)
  .option('--data <folder>', 'where the data stays', dataDir)
  .option('--fresh', 'begins without the data of last time', false)
  .parse();
const values = program.opts();
if (values.instances && !values.processes)
  program.error('error: --instances goes with --processes: in one process there is one of each service');
const dir = path.resolve(values.data);
const startedAt = performance.now();
const recordsFile = path.join(dir, 'start.log');
const records = createStartRecords(recordsFile, {
  print: (line) => void process.stdout.write(line),
  onError: (line) => console.error(`  ${line}`),
});
const exampleIds = [SIMULATED_VIDEO, 'manyLangs01', 'noCaptions1', 'private_001', 'slow30sec01'];

// Whatever is written from here on, by servers too, is for this user alone.
process.umask(0o077);
const ending = endingSignal();
const untilEnding = new Promise<void>((resolve) => ending.addEventListener('abort', () => resolve()));

console.error('Starting the Transcript Delivery Service');
const system = await start().catch((error: Error) => {
  console.error(ending.aborted ? '\nStopped' : `\nCould not start: ${describeFailure(error)}`);
  process.exit(ending.aborted ? 0 : 1);
});
writePrivate(path.join(dir, 'endpoints.json'), `${JSON.stringify(system.endpoints, null, 2)}\n`);
writePrivate(scrapeTargetsIn(dir), scrapeTargets(system.scrapeTargets));
returnMemory();
records.endStart();
if (!ending.aborted) console.log(banner(system));

if (!ending.aborted) await untilEnding;
console.error('\nStopping');
await system.stop();
console.error('Stopped');

/** A failure of a step is mostly the machine's: a port, a disk, too much beside it. */
function describeFailure({ message }: Error): string {
  if (step === '') return message;
  const logs = path.join(path.relative('.', dir), '*/server.log');
  const ofServices = records.count() > 0 ? `, and of the services ${path.relative('.', recordsFile)}` : '';
  return `${step}: ${message}\nIf that names nothing to correct, start again: the data stays. The logs of the servers are ${logs}${ofServices}`;
}

async function start(): Promise<System & { notice: string | undefined }> {
  const { PORT, ...environment } = process.env;
  keepPrivate(dir);
  if (values.fresh) await emptyData(dir);
  const { port, notice } = await chooseGatewayPort(PORT);
  if (notice) console.error(notice);
  await ensureServerPrograms({ signal: ending, onStep: printStep });
  const running = await startSystem({
    dir,
    port,
    processes: values.processes ? (values.instances ?? {}) : undefined,
    environment: startSettings(environment),
    signal: ending,
    onStep: printStep,
    records,
    onEvent: (line) => console.error(`  ${line}`),
  });
  return { ...running, notice };
}

/** A channel and a playlist for lists, jobs and monitors. */
function exampleSources(): string[] {
  const channel = channelAt(0, DEFAULT_SEED);
  const [playlist] = channel ? playlistsOf(channel, DEFAULT_SEED) : [];
  if (!channel || !playlist) return [];
  return [
    `    ${channel.handle}  a channel of ${channel.videoCount} videos`,
    `    ${playlist.id}  a playlist of ${playlist.videoCount}`,
  ];
}

function banner({ endpoints, notice }: Awaited<ReturnType<typeof start>>): string {
  const { gateway, mailbox, platform, webhooks, payment } = endpoints;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const examples = specialVideos
    .filter(({ id }) => exampleIds.includes(id))
    .map(({ id, behaviour }) => `    ${id}  ${behaviour}`);
  const { PLATFORM_ORIGIN, EXAMPLE_VIDEO = PLATFORM_ORIGIN ? VIDEO : SIMULATED_VIDEO } = process.env;
  return [
    '',
    `Ready in ${seconds} s`,
    ...(notice ? [notice] : []),
    `  Pages          ${gateway}   reference: ${gateway}/reference`,
    `  API            ${gateway}`,
    `  Mailbox        ${mailbox ?? process.env.SMTP_URL}`,
    `  Platform       ${platform}${PLATFORM_ORIGIN ? '' : ' (simulated)'}`,
    `  Payments       ${payment}${process.env.STRIPE_API_ORIGIN ? '' : ' (simulated)'}`,
    `  Webhooks       ${webhooks}   (shows what is sent to ${webhooks}/hooks; WEBHOOK_LOCAL_RECEIVERS=1 lets it through)`,
    ...(PLATFORM_ORIGIN ? [] : ['', '  Of the simulated platform:', ...exampleSources(), ...examples]),
    '',
    'In another terminal:',
    '  npm run -s create-key -- you@example.com',
    `  curl -i -H "Authorization: Bearer svc_live_..." "${gateway}/v1/transcript?video_id=${EXAMPLE_VIDEO}&format=srt&raw=1"`,
    '',
    `Ctrl-C stops everything; the data stays in ${path.relative('.', dir)}/`,
  ].join('\n');
}
