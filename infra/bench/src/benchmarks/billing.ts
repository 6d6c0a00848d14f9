import { setTimeout as delay } from 'node:timers/promises';
import type { Servers } from '@tds/local';
import { type Benchmark, percentile, repeat } from '../benchmark.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { until } from '../support/databases.ts';
import { drive } from '../support/drive.ts';
import { getRequest, type HttpConnection, openConnection } from '../support/http-connection.ts';
import { OK } from '../support/load.ts';
import {
  CREDITS_OF_A_PAYMENT,
  eventRequest,
  grantedBlocks,
  type Payment,
  seedPayments,
} from '../support/payments.ts';

const EVENTS = 4_000;
/** Thirty of a hundred events are repeats. */
const PURCHASES = 2_800;
const ONE_BY_ONE = 200;
const WARM_UP = 50;
const CONNECTIONS = 64;
const PAUSE_MS = 10;
const GRANTED = { everyMs: 20, withinMs: 120_000 };
/** The free credits and one purchase. */
const BALANCE = 100 + CREDITS_OF_A_PAYMENT;

type Stage = { readonly servers: Servers; readonly port: number };

const post = async (
  { servers, port }: Stage,
  connection: HttpConnection | undefined,
  event = '',
): Promise<void> => {
  const answer = await connection?.send(eventRequest(servers, port, event), false);
  if (answer?.status !== OK) throw new Error(`an event was answered ${answer?.status}`);
};

/** Milliseconds from the first byte of the event to the answer of /v1/account with the credits. */
const timeOne = async (stage: Stage, connection: HttpConnection, payment: Payment): Promise<number> => {
  const begun = performance.now();
  await post(stage, connection, payment.event);
  const read = getRequest(stage.port, '/v1/account', payment.account.key);
  for (;;) {
    const { head, body } = await connection.send(read, true);
    const tookMs = performance.now() - begun;
    if (String(body).includes(`"available":${BALANCE}`)) return tookMs;
    if (tookMs > GRANTED.withinMs) throw new Error(`the credits did not arrive: ${head}`);
  }
};

const measureOneByOne = async (stage: Stage, count: number): Promise<number[]> => {
  const payments = await seedPayments(stage.servers, await seedAccounts(stage.servers, 'free', count));
  const connection = await openConnection(stage.port);
  const times = await repeat(payments.length, async () => {
    await delay(PAUSE_MS);
    return timeOne(stage, connection, payments.pop() as Payment);
  });
  connection.close();
  return times;
};

/** Events per second until all are answered. Throws unless the ledger then has each purchase once. */
const measureFlood = async (stage: Stage): Promise<number> => {
  const { servers } = stage;
  const before = await grantedBlocks(servers);
  const payments = await seedPayments(servers, await seedAccounts(servers, 'free', PURCHASES));
  // Each repeat follows a hundred events after the first.
  const events = payments.flatMap(({ event }, index) => {
    const repeated = index < EVENTS - PURCHASES + 100 ? payments[index - 100] : undefined;
    return repeated ? [event, repeated.event] : [event];
  });
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(stage.port)),
  );
  const { perSecond } = await drive({ clients: CONNECTIONS, count: events.length }, (n, client) =>
    post(stage, connections[client], events[n]),
  );
  for (const connection of connections) connection.close();
  await until(async () => {
    const { blocks, credits } = await grantedBlocks(servers);
    const [granted, expected] = [blocks - before.blocks, before.credits + PURCHASES * CREDITS_OF_A_PAYMENT];
    if (granted < PURCHASES) return `${granted} of ${PURCHASES} purchases were granted`;
    if (credits !== expected) throw new Error(`the ledger has ${credits} credits, not ${expected}`);
    return null;
  }, GRANTED);
  return perSecond;
};

export const benchmark: Benchmark = {
  title: 'Billing: from a payment event to credits, and how many events in a second',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['billing'] });
    const stage = { servers: bench.servers, port: system.port };
    await measureOneByOne(stage, WARM_UP);
    const times = await measureOneByOne(stage, ONE_BY_ONE);
    const answered = await measureFlood(stage);
    return {
      rows: [
        { path: 'payment event to balance, p50', unit: 'ms', ours: [percentile(times, 0.5)] },
        {
          ...{ path: 'payment event to balance, p99', unit: 'ms' },
          ...{ ours: [percentile(times, 0.99)], goal: { most: 100 } },
        },
        { path: 'payment events, answered', unit: 'events/s', ours: [answered], goal: { least: 1_000 } },
      ],
      notes: [
        `One by one: ${ONE_BY_ONE} purchases, from the first byte of the signed event to the answer of /v1/account that has the credits; the client polls without a pause.`,
        `At once: ${EVENTS} signed events over ${CONNECTIONS} connections, three of ten of them repeats; every one was answered 200, and the ledger has each purchase once.`,
      ],
    };
  },
};
