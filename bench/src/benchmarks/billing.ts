import { setTimeout as delay } from 'node:timers/promises';
import type { Servers } from '@tds/local';
import type { Benchmark } from '../benchmark.ts';
import { seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { type Cpu, createCpuMeter } from '../support/cpu-meter.ts';
import { getRequest, type HttpConnection, openConnection } from '../support/http-connection.ts';
import { OK } from '../support/load.ts';
import { row } from '../support/measure.ts';
import {
  CREDITS_OF_A_PAYMENT,
  eventRequest,
  grantedBlocks,
  type Payment,
  seedPayments,
} from '../support/payments.ts';
import { percentile } from '../support/statistics.ts';

const EVENTS = 10_000;
/** Thirty of a hundred events are repeats. */
const PURCHASES = 7_000;
const ONE_BY_ONE = 200;
const CONNECTIONS = 64;
const PAUSE_MS = 10;
const LOOK_EVERY_MS = 20;
const WITHIN_MS = 120_000;
const MS = 1_000;
const MICROS_PER_MS = 1_000;
/** The free credits and one purchase. */
const BALANCE = 100 + CREDITS_OF_A_PAYMENT;

type Stage = { readonly servers: Servers; readonly system: BenchSystem };

const post = async (connection: HttpConnection, request: string): Promise<void> => {
  const { status } = await connection.send(request, false);
  if (status !== OK) throw new Error(`an event was answered ${status}`);
};

/** Milliseconds from the first byte of the event to the answer of /v1/account with the credits. */
const timeOne = async (
  { servers, system: { port } }: Stage,
  connection: HttpConnection,
  payment: Payment,
): Promise<number> => {
  const begun = performance.now();
  await post(connection, eventRequest(servers, port, payment.event));
  for (;;) {
    const { head, body } = await connection.send(getRequest(port, '/v1/account', payment.account.key), true);
    const tookMs = performance.now() - begun;
    if (String(body).includes(`"available":${BALANCE}`)) return tookMs;
    if (tookMs > WITHIN_MS) throw new Error(`the credits did not arrive: ${head}`);
  }
};

const measureOneByOne = async (stage: Stage): Promise<number[]> => {
  const payments = await seedPayments(stage.servers, await seedAccounts(stage.servers, 'free', ONE_BY_ONE));
  const connection = await openConnection(stage.system.port);
  const times: number[] = [];
  for (const payment of payments) {
    times.push(await timeOne(stage, connection, payment));
    await delay(PAUSE_MS);
  }
  connection.close();
  return times;
};

const sendAll = async ({ servers, system: { port } }: Stage, events: readonly string[]): Promise<void> => {
  const left = events.toReversed();
  const work = async (): Promise<void> => {
    const connection = await openConnection(port);
    for (let event = left.pop(); event !== undefined; event = left.pop())
      await post(connection, eventRequest(servers, port, event));
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
};

const untilGranted = async (servers: Servers, blocks: number): Promise<void> => {
  const deadline = performance.now() + WITHIN_MS;
  while ((await grantedBlocks(servers)).blocks < blocks) {
    if (performance.now() > deadline) throw new Error('not every purchase was granted');
    await delay(LOOK_EVERY_MS);
  }
};

/** Events per second until all are answered, and until all credits are in the ledger. */
const measureFlood = async (stage: Stage): Promise<{ answered: number; granted: number }> => {
  const before = await grantedBlocks(stage.servers);
  const payments = await seedPayments(stage.servers, await seedAccounts(stage.servers, 'free', PURCHASES));
  const repeats = payments.slice(0, EVENTS - PURCHASES);
  // Each repeat follows a hundred events after the first.
  const events = payments.flatMap(({ event }, index) => [
    event,
    ...(repeats[index - 100] ? [repeats[index - 100]?.event ?? ''] : []),
  ]);
  const begun = performance.now();
  await sendAll(stage, events);
  const answered = performance.now() - begun;
  await untilGranted(stage.servers, before.blocks + PURCHASES);
  const granted = performance.now() - begun;
  const after = await grantedBlocks(stage.servers);
  const expected = before.credits + PURCHASES * CREDITS_OF_A_PAYMENT;
  if (after.credits !== expected) throw new Error(`${after.credits} credits stand, not ${expected}`);
  return { answered: (events.length * MS) / answered, granted: (events.length * MS) / granted };
};

/** Other load on the machine changes events per second, but not CPU. */
const cpuNote = (cpu: Cpu): string => {
  const ofAPurchase = Object.entries(cpu).map(
    ([name, micros]) => `${name} ${(micros / MICROS_PER_MS / PURCHASES).toFixed(2)}`,
  );
  return `CPU of a purchase with its share of the repeats, in ms: ${ofAPurchase.join(', ')}.`;
};

export const billing: Benchmark = {
  name: 'billing',
  title: 'Billing: from a payment event to credits, and how many events in a second',
  run: async (bench) => {
    const servers = await bench.servers();
    await using system = await startBenchSystem(bench, { more: ['billing'] });
    const stage = { servers, system };
    await measureOneByOne(stage);
    const times = await measureOneByOne(stage);
    const meter = await createCpuMeter(bench, system);
    const { result: flood, cpu } = await meter.during(() => measureFlood(stage));
    return {
      rows: [
        row('payment event to balance, p50', 'ms', { ours: [percentile(times, 0.5)] }),
        row('payment event to balance, p99', 'ms', { ours: [percentile(times, 0.99)], goal: { most: 100 } }),
        row('payment events, answered', 'events/s', { ours: [flood.answered], goal: { least: 1_000 } }),
        row('payment events, until all is granted', 'events/s', { ours: [flood.granted] }),
      ],
      notes: [
        `One by one: ${ONE_BY_ONE} purchases, from the first byte of the signed event to the answer of /v1/account that has the credits; the client polls without a pause.`,
        `At once: ${EVENTS} signed events over ${CONNECTIONS} connections, three of ten of them repeats; every one was answered 200, and the ledger has each purchase once.`,
        cpuNote(cpu),
      ],
    };
  },
};
