import { createServiceDatabases, kitPrismaDir, migrate } from '@tds/servers';
import { OPERATOR } from '@tds/service-kit/provisioning';
import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import { benchSurface } from '../support/bench-surface.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { cpuMicros, treeCpuMicros } from '../support/procfs.ts';
import { interleave } from '../support/rounds.ts';
import { median, percentile } from '../support/statistics.ts';

const PER_SECOND = 1_000;
const WARM_UP_SECONDS = 2;
const ARRIVED_WITHIN_MS = 20_000;
const DATABASE = 'bench-outbox';

type Lag = { readonly p50Ms: number; readonly p99Ms: number };

/** A database with the kit's own tables and nothing else. */
const prepareDatabase = async (bench: Bench): Promise<string> => {
  const { postgres, secretOf } = await bench.servers();
  const created = await createServiceDatabases(postgres.url, [DATABASE], secretOf);
  const urls = created[DATABASE];
  if (!urls) throw new Error(`${DATABASE} was not created`);
  await migrate({ databaseUrl: urls.ownerUrl, prismaDirs: [kitPrismaDir] });
  return urls.url;
};

const measureLag = async (
  listener: Helper,
  { helper, ask, seconds }: { helper: Helper; ask: string; seconds: number },
): Promise<Lag> => {
  const count = PER_SECOND * seconds;
  await listener.ask('expect', count);
  const sentAt = await helper.ask<Float64Array>(ask, { count, perSecond: PER_SECOND });
  const arrivedAt = await listener.ask<Float64Array>('heard', ARRIVED_WITHIN_MS);
  const lags = arrivedAt.map((at, n) => Math.max(0, at - (sentAt[n] ?? 0)));
  return { p50Ms: percentile(lags, 0.5), p99Ms: percentile(lags, 0.99) };
};

type Sides = { readonly emitter: Helper; readonly publisher: Helper; readonly listener: Helper };

const measure = async (bench: Bench, { emitter, publisher, listener }: Sides): Promise<Outcome> => {
  const { postgres } = await bench.servers();
  const cpu: number[] = [];
  const cpuOfPostgres: number[] = [];
  const ours = async (seconds: number): Promise<Lag> => {
    const before = [cpuMicros([emitter.pid]), treeCpuMicros(postgres.pid)] as const;
    const lag = await measureLag(listener, { helper: emitter, ask: 'emit', seconds });
    cpu.push((cpuMicros([emitter.pid]) - before[0]) / (seconds * PER_SECOND));
    cpuOfPostgres.push((treeCpuMicros(postgres.pid) - before[1]) / (seconds * PER_SECOND));
    return lag;
  };
  const peer = (seconds: number) => measureLag(listener, { helper: publisher, ask: 'publish', seconds });
  await ours(WARM_UP_SECONDS);
  await peer(WARM_UP_SECONDS);
  const runs = await interleave(bench.rounds, {
    ours: () => ours(bench.seconds),
    peer: () => peer(bench.seconds),
  });
  const p50 = (side: readonly Lag[]) => median(side.map(({ p50Ms }) => p50Ms)).toFixed(2);
  return {
    rows: [
      {
        path: `outbox lag at ${PER_SECOND} events/s, p99`,
        unit: 'ms',
        ours: runs.ours.map(({ p99Ms }) => p99Ms),
        peer: runs.peer.map(({ p99Ms }) => p99Ms),
        goal: { most: 3 },
        cpu: `emitting service ${median(cpu).toFixed(0)} + Postgres ${median(cpuOfPostgres).toFixed(0)}`,
      },
    ],
    notes: [
      'Ours: from the commit of a transaction of its own to the arrival at a consumer of the stream. Peer: from a bare JetStream publish to the same arrival.',
      `Medians: ${p50(runs.ours)} ms and ${p50(runs.peer)} ms. Every event arrived.`,
    ],
  };
};

const run = async (bench: Bench): Promise<Outcome> => {
  const { nats, redis } = await bench.servers();
  const environment = {
    NATS_URL: nats.servers,
    NATS_NKEY_SEED: nats.seedOf(benchSurface.name),
    OPERATOR_NKEY_SEED: nats.seedOf(OPERATOR),
    REDIS_URL: redis.urlOf(benchSurface.name),
    LOG_LEVEL: 'warn',
  };
  const started: Helper[] = [];
  const start = async (name: string, more: NodeJS.ProcessEnv = {}): Promise<Helper> => {
    const helper = await startHelper(name, { ...environment, ...more });
    started.push(helper);
    return helper;
  };
  try {
    const emitter = await start('outbox-emitter', { DATABASE_URL: await prepareDatabase(bench) });
    const publisher = await start('bare-publisher');
    const listener = await start('event-listener');
    return await measure(bench, { emitter, publisher, listener });
  } finally {
    for (const helper of started.reverse()) await helper.stop();
  }
};

export const outboxLag: Benchmark = {
  name: 'outbox-lag',
  title: 'Outbox lag, against a bare JetStream publish',
  run,
};
