import type { Benchmark } from '../benchmark.ts';
import { benchEnvironment, createBenchDatabase } from '../support/bench-database.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { measure, pick, row } from '../support/measure.ts';
import { cpuMicros, treeCpuMicros } from '../support/procfs.ts';
import { median, percentile } from '../support/statistics.ts';

const PER_SECOND = 1_000;
const WARM_UP_SECONDS = 2;
const ARRIVED_WITHIN_MS = 20_000;

type Lag = { readonly p50Ms: number; readonly p99Ms: number };

const measureLag = async (listener: Helper, sender: Helper, name: string, seconds: number): Promise<Lag> => {
  const count = PER_SECOND * seconds;
  await listener.ask('expect', count);
  const sentAt = await sender.ask<Float64Array>(name, { count, perSecond: PER_SECOND });
  const arrivedAt = await listener.ask<Float64Array>('heard', ARRIVED_WITHIN_MS);
  const lags = arrivedAt.map((at, n) => Math.max(0, at - (sentAt[n] ?? 0)));
  return { p50Ms: percentile(lags, 0.5), p99Ms: percentile(lags, 0.99) };
};

export const outboxLag: Benchmark = {
  name: 'outbox-lag',
  title: 'Outbox lag, against a bare JetStream publish',
  run: async (bench) => {
    const environment = await benchEnvironment(bench);
    const { url } = await createBenchDatabase(bench, 'bench-outbox');
    await using emitter = await startHelper('outbox-emitter', { ...environment, DATABASE_URL: url });
    await using publisher = await startHelper('bare-publisher', environment);
    await using listener = await startHelper('event-listener', environment);
    const { postgres } = await bench.servers();
    const cpu: { emitter: number; postgres: number }[] = [];
    const readCpu = () => [cpuMicros([emitter.pid]), treeCpuMicros(postgres.pid)] as const;
    const ours = async (seconds: number): Promise<Lag> => {
      const before = readCpu();
      const lag = await measureLag(listener, emitter, 'emit', seconds);
      const [own, server] = readCpu().map(
        (micros, at) => (micros - (before[at] ?? 0)) / (seconds * PER_SECOND),
      );
      cpu.push({ emitter: own ?? 0, postgres: server ?? 0 });
      return lag;
    };
    const peer = (seconds: number) => measureLag(listener, publisher, 'publish', seconds);
    const runs = await measure(bench, { ours, peer, warmUpSeconds: WARM_UP_SECONDS });
    const p50 = (side: readonly Lag[]) => median(side.map(({ p50Ms }) => p50Ms)).toFixed(2);
    const cpuOf = (name: 'emitter' | 'postgres') => median(cpu.map((one) => one[name])).toFixed(0);
    return {
      rows: [
        row(`outbox lag at ${PER_SECOND} events/s, p99`, 'ms', {
          ...pick(runs, ({ p99Ms }) => p99Ms),
          goal: { most: 3 },
          cpu: `emitting service ${cpuOf('emitter')} + Postgres ${cpuOf('postgres')}`,
        }),
      ],
      notes: [
        'Ours: from the commit of a transaction to the arrival at a consumer of the stream. Peer: from a bare JetStream publish to the same arrival.',
        `Medians: ${p50(runs.ours)} ms and ${p50(runs.peer)} ms. Every event arrived.`,
      ],
    };
  },
};
