import { environments } from '@tds/local';
import { type Bench, type Benchmark, measure, percentile, type Row, repeat } from '../benchmark.ts';
import { type Cpu, cpuSince, cpuText, medianCpu } from '../support/cpu-meter.ts';
import type { DriveResult } from '../support/drive.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { cpuMicros, treeCpuMicros } from '../support/procfs.ts';
import { NO_OUTSIDE, startServiceProcess } from '../support/service-process.ts';
import { beginDeliveries, fillDeliveries, settle, untilRecorded } from '../support/webhook-fill.ts';

const SERVICE = 'webhook-dispatcher';
const RECEIVERS = 100;
const DELIVERIES = 10_000;
const PEER_CONCURRENCY = 100;
const PER_SECOND = 100;
const WAITING = 1_000_000;
const MS = 1_000;

type Stage = {
  readonly bench: Bench;
  readonly callers: Helper;
  readonly peer: Helper;
  /** Reads the CPU of the service and of Postgres. */
  cpu(): Cpu;
  /** Of the service's database. */
  readonly url: string;
  settle(): Promise<void>;
  readonly origin: string;
  readonly accountIds: readonly string[];
};

const measureRate = async (stage: Stage): Promise<Row> => {
  const { bench, callers, peer, url, origin, accountIds } = stage;
  const [used, peerUsed]: [Cpu[], Cpu[]] = [[], []];
  const runs = await measure(bench, {
    ours: async () => {
      await fillDeliveries({ url, accountIds, count: DELIVERIES, due: '0' });
      await stage.settle();
      const before = stage.cpu();
      await beginDeliveries({ url, accountIds });
      // The service looks for rows that it did not write when it next sends something, or some seconds later.
      const probe = callers.ask('latency', { count: 1, perSecond: 1, dead: 0 });
      const [tookMs] = await Promise.all([untilRecorded({ url, accountIds }), probe]);
      used.push(cpuSince(before, stage.cpu()));
      return DELIVERIES / (tookMs / MS);
    },
    peer: async () => {
      const options = { origin, count: DELIVERIES, receivers: RECEIVERS, concurrency: PEER_CONCURRENCY };
      const before = cpuMicros([peer.pid]);
      const { perSecond } = await peer.ask<DriveResult>('postAll', options);
      peerUsed.push({ 'bare loop': cpuMicros([peer.pid]) - before });
      return perSecond;
    },
  });
  const cpu = [used, peerUsed].map((all) => cpuText(medianCpu(all), DELIVERIES)).join('; ');
  const path = `from committed events to recorded deliveries, ${RECEIVERS} receivers`;
  return { path, unit: 'a second', ...runs, goal: { min: 0.4 }, cpu };
};

const measureLatency = async ({ bench, callers }: Stage, dead: number, part: number): Promise<number> => {
  const paced = { count: PER_SECOND * bench.seconds, perSecond: PER_SECOND, dead };
  return percentile(await callers.ask<Float64Array>('latency', paced), part);
};

const measureDead = async (stage: Stage): Promise<Row> => {
  const { bench, callers, url } = stage;
  const dead = stage.accountIds.slice(0, 1);
  const runs = await measure(bench, {
    ours: async () => {
      await callers.ask('setDead', 1);
      await fillDeliveries({ url, accountIds: dead, count: 500, due: '0' });
      await beginDeliveries({ url, accountIds: dead });
      return measureLatency(stage, 1, 0.99);
    },
    peer: async () => {
      await callers.ask('setDead', 0);
      return measureLatency(stage, 1, 0.99);
    },
  });
  await callers.ask('setDead', 0);
  const path = 'event of a healthy receiver beside a dead one of 100 with 500 waiting, p99';
  return { path, unit: 'ms', ...runs, goal: { max: 1.1 } };
};

/** The million is written once, between the rounds without and those with it. */
const measureWaiting = async (stage: Stage): Promise<Row> => {
  const { bench, callers, url, accountIds } = stage;
  const rounds = async () => {
    // While rows are written, V8 drops compiled code.
    await callers.ask('latency', { count: 600, perSecond: 200, dead: 0 });
    return repeat(bench.rounds, () => measureLatency(stage, 0, 0.5));
  };
  await stage.settle();
  const peer = await rounds();
  await fillDeliveries({ url, accountIds, count: WAITING, due: '1 hour' });
  await stage.settle();
  const ours = await rounds();
  const path = 'event beside 1,000,000 deliveries that wait for a retry, p50';
  return { path, unit: 'ms', ours, peer, goal: { max: 1.2 } };
};

export const benchmark: Benchmark = {
  title: 'Webhooks, beside a bare loop, a dead receiver and a million that wait',
  run: async (bench) => {
    const { servers } = bench;
    // As outside of production: the receivers are on this machine.
    const settings = { NODE_ENV: '', WEBHOOK_LOCAL_RECEIVERS: '1' };
    await using dispatcher = await startServiceProcess(bench, SERVICE, { settings });
    const environment = { ...(await environments(servers, NO_OUTSIDE)).gateway, HEALTH_PORT: '0' };
    const ENVIRONMENT = JSON.stringify(environment);
    await using callers = await startHelper('webhook-callers', { ENVIRONMENT });
    await using peer = await startHelper('bare-webhooks');
    const { url = '', ownerUrl = '' } = servers.databases[SERVICE] ?? {};
    type AddedAccounts = { accountIds: string[]; origin: string };
    const { accountIds, origin } = await callers.ask<AddedAccounts>('addAccounts', RECEIVERS);
    const settleAll = () => settle({ postgresUrl: servers.postgres.url, ownerUrl });
    const cpu = () => ({
      [SERVICE]: cpuMicros([dispatcher.pid]),
      Postgres: treeCpuMicros(servers.postgres.pid),
    });
    const stage = { bench, callers, peer, cpu, url, origin, accountIds, settle: settleAll };
    // Creates every endpoint, and warms up both sides.
    await measureLatency(stage, 0, 0.99);
    return {
      rows: [await measureRate(stage), await measureDead(stage), await measureWaiting(stage)],
      notes: [
        `Rate: ${DELIVERIES.toLocaleString('en')} deliveries that are due, claimed, counted, signed, posted over plain http and recorded by one process; peer: one process whose undici loop signs and posts as many, ${PEER_CONCURRENCY} at once, to the same receivers.`,
        `Latency: ${PER_SECOND} events a second, each from the request over the bus to its arrival; peer: the same without the dead receiver, or without the million.`,
      ],
    };
  },
};
