import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/nats-core';
import { eventStreamName, OPERATOR } from '@tds/messaging/internals';
import { type Benchmark, measure, median, percentile, type Rounds } from '../benchmark.ts';
import {
  benchContract,
  benchEnvironment,
  connectOperator,
  createBenchDatabase,
  machineMs,
} from '../support/bench-service.ts';
import { type Cpu, cpuText, medianCpu } from '../support/cpu-meter.ts';
import { startHelper } from '../support/helper.ts';
import { cpuMicros, treeCpuMicros } from '../support/procfs.ts';

const STREAM = eventStreamName(benchContract.service);
const PER_SECOND = 1_000;
const ARRIVED_WITHIN_MS = 20_000;
const INACTIVE_MS = 30_000;

type Lag = { readonly p50Ms: number; readonly p99Ms: number; readonly cpu: Cpu };

/** A consumer of the stream, so every event has been stored. Waits for `count` events and returns when each arrived. */
const listen = async (connection: NatsConnection, count: number): Promise<() => Promise<Float64Array>> => {
  const manager = await jetstreamManager(connection);
  // Not an ordered consumer: its filter needs a newer server than the oldest that the system runs on.
  const { name } = await manager.consumers.add(STREAM, {
    filter_subject: benchContract.benchHappened.subject,
    deliver_policy: DeliverPolicy.New,
    ack_policy: AckPolicy.None,
    mem_storage: true,
    inactive_threshold: nanos(INACTIVE_MS),
  });
  const messages = await (await jetstream(connection).consumers.get(STREAM, name)).consume();
  const arrivedAt = new Float64Array(count);
  let missing = count;
  const read = async (): Promise<void> => {
    for await (const message of messages) {
      const at = machineMs();
      const { n } = message.json() as { n: number };
      if (arrivedAt[n] === 0) missing -= 1;
      arrivedAt[n] ||= at;
      if (missing === 0) break;
    }
  };
  const reading = read();
  await connection.flush();
  return async () => {
    const late = setTimeout(() => void messages.close(), ARRIVED_WITHIN_MS);
    await reading;
    clearTimeout(late);
    await messages.close();
    if (missing > 0) throw new Error(`${missing} events did not arrive`);
    return arrivedAt;
  };
};

export const benchmark: Benchmark = {
  title: 'Outbox lag, against a bare JetStream publish',
  run: async (bench) => {
    const { nats, postgres } = bench.servers;
    const { url } = await createBenchDatabase(bench, 'bench-outbox');
    await using emitter = await startHelper('outbox-emitter', {
      ...benchEnvironment(bench),
      DATABASE_URL: url,
    });
    const connection = await connectOperator(nats.servers, nats.seedOf(OPERATOR));
    const readCpu = () => [cpuMicros([emitter.pid]), treeCpuMicros(postgres.pid)] as const;
    const side =
      (name: 'emit' | 'publish') =>
      async (seconds: number): Promise<Lag> => {
        const count = PER_SECOND * seconds;
        const before = readCpu();
        const arrivals = await listen(connection, count);
        const sentAt = await emitter.ask<Float64Array>(name, { count, perSecond: PER_SECOND });
        const lags = (await arrivals()).map((at, n) => Math.max(0, at - (sentAt[n] ?? 0)));
        const [own = 0, server = 0] = readCpu().map((micros, at) => (micros - (before[at] ?? 0)) / count);
        const cpu = { 'emitting service': own, Postgres: server };
        return { p50Ms: percentile(lags, 0.5), p99Ms: percentile(lags, 0.99), cpu };
      };
    const runs: Rounds<Lag> = await measure(bench, {
      ours: side('emit'),
      peer: side('publish'),
      warmUp: true,
    });
    await connection.close();
    const ms = (lags: readonly Lag[], at: 'p50Ms' | 'p99Ms') => median(lags.map((lag) => lag[at])).toFixed(2);
    return {
      rows: [
        {
          ...{ path: `outbox lag at ${PER_SECOND} events/s, p50`, unit: 'ms', goal: { max: 5 } },
          ours: runs.ours.map(({ p50Ms }) => p50Ms),
          cpu: cpuText(medianCpu(runs.ours.map(({ cpu }) => cpu))),
        },
      ],
      notes: [
        'Ours: from the commit of a transaction to the arrival at a consumer of the stream. Peer: from a bare JetStream publish to the same arrival.',
        `Medians: ${ms(runs.ours, 'p50Ms')} ms and ${ms(runs.peer, 'p50Ms')} ms; of the p99: ${ms(runs.ours, 'p99Ms')} ms and ${ms(runs.peer, 'p99Ms')} ms. Every event arrived.`,
      ],
    };
  },
};
