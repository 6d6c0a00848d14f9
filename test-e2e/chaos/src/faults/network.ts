import { fairWeather, type ServerName, sleep, type Weather } from '#support';
import { type Harness, scratchOf } from '../harness.ts';
import type { Blow, Fault } from './fault.ts';
import { workers } from './processes.ts';

/** A round trip of 100 ms, and one of a hundred pieces meets a reset. */
const slow: Weather = { delayMs: 50, resetShare: 0.01, held: null };

/** Stays slow until everything has answered in spite of it. */
const slowDown = async (
  harness: Harness,
  { target, holdMs }: { target: string; holdMs: number },
): Promise<Blow> => {
  scratchOf(harness).network.setWeather({ server: target as ServerName }, slow);
  await sleep(holdMs);
  return {};
};

const speedUp = async (harness: Harness, target: string): Promise<void> =>
  scratchOf(harness).network.setWeather({ server: target as ServerName }, fairWeather);

const slowness = {
  id: 'R20',
  does: 'a round trip of 100 ms to the server and resets of 1 % of what is sent',
  ofProcesses: true,
  kills: 0,
  holdMs: 12_000,
  run: slowDown,
  lift: speedUp,
  needs: 'everything' as const,
} as const;

const ways = { asks: '->', answers: '<-' } as const;
const pairs: readonly (readonly [process: string, server: ServerName])[] = [
  ['gateway-1', 'nats'],
  ...workers.flatMap((worker) => [[worker, 'nats'] as const, [worker, 'postgres'] as const]),
];
/** `identity-1 <- postgres`: what Postgres answers does not get back. */
const partitions = pairs.flatMap(([process, server]) => [
  `${process} ${ways.asks} ${server}`,
  `${process} ${ways.answers} ${server}`,
]);

const partition = async (
  harness: Harness,
  { target, holdMs }: { target: string; holdMs: number },
): Promise<Blow> => {
  const { network } = scratchOf(harness);
  const [process = '', way, server] = target.split(' ');
  const where = { process, server: server as ServerName };
  const held = way === ways.asks ? 'asks' : 'answers';
  network.setWeather(where, { ...fairWeather, held });
  await sleep(holdMs);
  network.setWeather(where, fairWeather);
  return {};
};

/** Takes all servers away without closing a connection, so both ends notice only by waiting. */
const isolate = async (
  { system }: Harness,
  { target, holdMs }: { target: string; holdMs: number },
): Promise<Blow> => {
  await system.setReachable(target, false);
  await sleep(holdMs);
  await system.setReachable(target, true);
  return {};
};

const cutOff = {
  ...{ id: 'R19', kills: 0, holdMs: 12_000, quickHoldMs: 2_000 },
  cachedReads: true,
  needs: 'everything',
} as const;

export const networkFaults: readonly Fault[] = [
  {
    ...slowness,
    name: 'slow-network',
    targets: ['postgres', 'nats'],
    hits: 2,
    quickHoldMs: 2_000,
    cachedReads: true,
  },
  // Beyond 50 ms the gateway goes on without Redis.
  {
    ...slowness,
    name: 'slow-redis',
    targets: ['redis'],
    quickHoldMs: 0,
    cachedReads: false,
    forgets: true,
  },
  {
    ...cutOff,
    name: 'partition',
    does: 'one way between a process and a server lets nothing through',
    ofProcesses: true,
    hits: 6,
    targets: partitions,
    run: partition,
  },
  {
    ...cutOff,
    name: 'isolate',
    does: 'the network between a process and all servers is taken away',
    hits: 2,
    targets: workers,
    run: isolate,
  },
];
