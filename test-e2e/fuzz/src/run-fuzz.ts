import { existsSync } from 'node:fs';
import type { Finding } from '@tds/audit';
import { databasesOn, type Evidence, openEvidence } from '@tds/audit';
import { storedServiceNames } from '@tds/local';
import { countOpenWork, readMetrics, type ScratchSystem, startScratchSystem, sumMetric, until } from '#support';
import { gatherCast } from './callers.ts';
import { checkRun, type MemorySample } from './check-run.ts';
import { fire, type Seen } from './fire.ts';
import { requestAt, requestsOf } from './generate.ts';

export type FuzzRun = {
  readonly seed: number;
  readonly requests: number;
  /** Only this one of the seed's requests. */
  readonly only: number | null;
  readonly dir: string;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
};

export type FuzzFigures = {
  readonly seed: number;
  readonly seconds: number;
  readonly seen: Seen;
  readonly samples: readonly MemorySample[];
  readonly findings: readonly Finding[];
};

const AT_ONCE = 16;
/** Without a limit V8 takes what the machine has before it collects, which looks like a leak. */
const settings = {
  NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=160',
  // All come from one network, and each is to be classified by what it is.
  FAILED_CREDENTIALS_PER_MINUTE: '1000000',
  PUBLIC_REQUESTS_PER_MINUTE: '1000000',
};
/** A key of a free account may ask 60 times a minute. */
const REQUESTS_PER_CALLER = 1_000;
const [MIN_CALLERS, MAX_CALLERS] = [4, 60];
const callersFor = (requests: number): number =>
  Math.min(MAX_CALLERS, Math.max(MIN_CALLERS, Math.ceil(requests / REQUESTS_PER_CALLER)));
const SAMPLES = 100;
const SAY_EVERY = 10;
const BYTES_PER_MIB = 1_048_576;
const REST_WITHIN_MS = 240_000;

const HEARD = 'SELECT count(*)::int AS count FROM messaging.inbox';

/** Nothing is open, and between two looks nothing more was heard. */
export const untilAtRest = async (evidence: Evidence, withinMs = REST_WITHIN_MS): Promise<boolean> => {
  let before = -1;
  const isAtRest = async () => {
    const open = await countOpenWork(evidence);
    let heard = 0;
    for (const service of storedServiceNames)
      for (const { count } of await evidence.rows<{ count: number }>(service, HEARD)) heard += count;
    const rests = Object.keys(open).length === 0 && heard === before;
    before = heard;
    return rests;
  };
  return until(isAtRest, { withinMs, everyMs: 500 });
};

const placesOf = async (system: ScratchSystem) => ({
  files: await system.logs(),
  dirs: system.brokers.map(({ streams }) => streams).filter(existsSync),
  services: storedServiceNames,
});

const gatewayMemory = async ({ processes }: ScratchSystem): Promise<number> => {
  const gateway = processes.find(({ service }) => service === 'gateway');
  const bytes = gateway && sumMetric(await readMetrics(gateway), 'process_resident_memory_bytes');
  return (bytes ?? 0) / BYTES_PER_MIB;
};

const attack = async (system: ScratchSystem, run: FuzzRun): Promise<FuzzFigures> => {
  const { seed, only, requests, say, signal } = run;
  const target = { gateway: system.gateway, mailbox: system.mail.url };
  const cast = await gatherCast(target, seed, only === null ? callersFor(requests) : MIN_CALLERS);
  const from = performance.now();
  const samples: MemorySample[] = [];
  const every = Math.max(1, Math.floor(requests / SAMPLES));
  const sample = async (sent: number) => {
    const mib = await gatewayMemory(system);
    if (mib > 0) samples.push({ sent, mib });
    if (samples.length % SAY_EVERY === 0) say(`${sent} sent; the gateway holds ${mib.toFixed(0)} MiB`);
  };
  const sampling: Promise<void>[] = [];
  const seen = await fire({
    gateway: system.gateway,
    cast,
    atOnce: AT_ONCE,
    ...(signal && { signal }),
    requests: only === null ? requestsOf(seed, requests) : [[only, requestAt(seed, only)]],
    onProgress: (sent) => {
      if (sent % every === 0) sampling.push(sample(sent));
    },
  });
  const seconds = (performance.now() - from) / 1_000;
  await Promise.all(sampling);
  const evidence = openEvidence(databasesOn(system.servers.postgres.url), { atRest: true });
  if (!(await untilAtRest(evidence))) say('work is left open');
  samples.sort((a, b) => a.sent - b.sent);
  const findings = await checkRun(evidence, { seen, cast, samples, places: await placesOf(system) });
  const restarts = system.processes.filter((each) => each.restarts > 0);
  const died = restarts.map(({ name, restarts: times }) => ({
    invariant: 'alive',
    subject: name,
    what: 'restarts',
    expected: '0',
    found: `${times}`,
  }));
  return { seed, seconds, seen, samples, findings: [...findings, ...died] };
};

/** Starts a system of its own, throws the seed's requests at it, and checks every answer and what is left behind. */
export const runFuzz = async (run: FuzzRun): Promise<FuzzFigures> => {
  const system = await startScratchSystem({
    seed: run.seed,
    dir: run.dir,
    throwaway: true,
    instances: {},
    settings,
  });
  try {
    return await attack(system, run);
  } finally {
    await system.stop();
  }
};
