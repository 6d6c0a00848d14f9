import { environments, type Servers } from '@tds/local';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { interleave } from '../support/rounds.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { percentile } from '../support/statistics.ts';
import { beginDeliveries, fillDeliveries, settle, untilRecorded } from '../support/webhook-fill.ts';

const SERVICE = 'webhook-dispatcher';
const RECEIVERS = 100;
const DELIVERIES = 10_000;
const PEER_AT_ONCE = 100;
const PER_SECOND = 50;
const WAITING = 1_000_000;
const MS = 1_000;
const NOWHERE = 'http://127.0.0.1:9';

type Parts = {
  readonly bench: Bench;
  readonly callers: Helper;
  readonly peer: Helper;
  /** Of the service's database. */
  readonly url: string;
  settle(): Promise<void>;
  readonly origin: string;
  readonly accountIds: readonly string[];
};

const measureRate = async ({
  bench,
  callers,
  peer,
  url,
  origin,
  accountIds,
  settle: settleAll,
}: Parts): Promise<Row> => {
  const runs = await interleave(bench.rounds, {
    ours: async () => {
      await fillDeliveries({ url, accountIds, count: DELIVERIES, due: '0' });
      await settleAll();
      await beginDeliveries({ url, accountIds });
      // What is written past a service is looked for once it does something, or some seconds later.
      const woken = callers.ask('latency', { count: 1, perSecond: 1, dead: 0 });
      const [tookMs] = await Promise.all([untilRecorded({ url, accountIds }), woken]);
      return DELIVERIES / (tookMs / MS);
    },
    peer: async () => {
      const posted = { origin, count: DELIVERIES, receivers: RECEIVERS, atOnce: PEER_AT_ONCE };
      return DELIVERIES / ((await peer.ask<number>('postAll', posted)) / MS);
    },
  });
  const path = `from committed events to recorded deliveries, ${RECEIVERS} receivers`;
  return { path, unit: 'a second', ...runs, goal: { least: 0.4 } };
};

const latencyOf = async ({ bench, callers }: Parts, dead: number, part: number): Promise<number> => {
  const asked = { count: PER_SECOND * bench.seconds, perSecond: PER_SECOND, dead };
  return percentile(await callers.ask<Float64Array>('latency', asked), part);
};

const measureDead = async (parts: Parts): Promise<Row> => {
  const { bench, callers, url } = parts;
  const dead = parts.accountIds.slice(0, 1);
  const runs = await interleave(bench.rounds, {
    ours: async () => {
      await callers.ask('setDead', 1);
      await fillDeliveries({ url, accountIds: dead, count: 500, due: '0' });
      await beginDeliveries({ url, accountIds: dead });
      return latencyOf(parts, 1, 0.99);
    },
    peer: async () => {
      await callers.ask('setDead', 0);
      return latencyOf(parts, 1, 0.99);
    },
  });
  await callers.ask('setDead', 0);
  const path = 'event of a healthy receiver beside a dead one of 100 with 500 waiting, p99';
  return { path, unit: 'ms', ...runs, goal: { most: 1.1 } };
};

/** The million is made once, between the rounds without and those with it. */
const measureWaiting = async (parts: Parts): Promise<Row> => {
  const { bench, url, accountIds } = parts;
  const rounds = async (): Promise<number[]> => {
    const found: number[] = [];
    for (let round = 0; round < bench.rounds; round += 1) found.push(await latencyOf(parts, 0, 0.5));
    return found;
  };
  await parts.settle();
  const peer = await rounds();
  await fillDeliveries({ url, accountIds, count: WAITING, due: '1 hour' });
  await parts.settle();
  const ours = await rounds();
  const path = 'event beside 1,000,000 deliveries that wait for a retry, p50';
  return { path, unit: 'ms', ours, peer, goal: { most: 1.2 } };
};

const measure = async (bench: Bench, servers: Servers, started: Helper[]): Promise<Outcome> => {
  const outside = {
    ...{ port: 0, platformOrigin: NOWHERE, paymentOrigin: NOWHERE },
    smtpUrl: 'smtp://127.0.0.1:9',
  };
  const environment = { ...(await environments(servers, outside)).gateway, HEALTH_PORT: '0' };
  const callers = await startHelper('webhook-callers', { ENVIRONMENT: JSON.stringify(environment) });
  started.push(callers);
  const peer = await startHelper('bare-webhooks');
  started.push(peer);
  const { url = '', ownerUrl = '' } = servers.databases[SERVICE] ?? {};
  type Added = { accountIds: string[]; origin: string };
  const { accountIds, origin } = await callers.ask<Added>('addAccounts', RECEIVERS);
  const settleAll = () => settle({ postgresUrl: servers.postgres.url, ownerUrl });
  const parts = { bench, callers, peer, url, origin, accountIds, settle: settleAll };
  // Each has an endpoint, and both sides are warm.
  await latencyOf(parts, 0, 0.99);
  return {
    rows: [await measureRate(parts), await measureDead(parts), await measureWaiting(parts)],
    notes: [
      `Rate: ${DELIVERIES.toLocaleString('en')} deliveries that are due, claimed, counted, signed, posted over plain http and recorded by one process; peer: one process whose undici loop signs and posts as many, ${PEER_AT_ONCE} at once, to the same receivers.`,
      `Latency: ${PER_SECOND} events a second, each from being asked for over the bus to its arrival; peer: the same without the dead receiver, or without the million.`,
    ],
  };
};

const run = async (bench: Bench): Promise<Outcome> => {
  const servers = await bench.servers();
  // As outside of production: the receivers are on this machine.
  const settings = { NODE_ENV: '', WEBHOOK_LOCAL_RECEIVERS: '1' };
  const { dir, profileDir } = bench;
  const where = { servers, dir, profileDir, port: 0, platformOrigin: NOWHERE };
  const dispatcher = await startServiceProcess({ service: SERVICE, settings, ...where });
  const started: Helper[] = [];
  try {
    return await measure(bench, servers, started);
  } finally {
    for (const helper of started.reverse()) await helper.stop();
    await dispatcher.stop();
  }
};

export const webhooks: Benchmark = {
  name: 'webhooks',
  title: 'Webhooks, beside a bare loop, a dead receiver and a million that wait',
  run,
};
