import { createHash } from 'node:crypto';
import { giantChannel } from '@tds/platform-simulator';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import type { BareExpressOptions } from '../helpers/bare-express.ts';
import type { LoadOptions, LoadRequest, LoadResult } from '../helpers/http-load.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { startHelper } from '../support/helper.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { cpuMicros } from '../support/procfs.ts';
import { interleave } from '../support/rounds.ts';
import { median } from '../support/statistics.ts';

/** Paid keys may ask 300 times in any minute. */
const ACCOUNTS = 4_000;
/** With few, whoever waits for somebody else leaves the machine idle. */
const CONNECTIONS = [16, 64] as const;
/** Every key is first answered by the service behind, which is not what is measured. */
const AT_FIRST = 4;
const SAMPLE_EVERY = 50;
const OK = 200;
const WARM_UP_SECONDS = 3;
const READY_WITHIN_MS = 120_000;

const target = `/v1/videos?url=${giantChannel.id}&offset=500`;

/** The listing is made by whoever asks for its last page first. */
const makeListing = async (port: number, key: string): Promise<Buffer> => {
  const last = `/v1/videos?url=${giantChannel.id}&offset=19500`;
  const endsAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const { status } = await fetchOnce(port, last, key);
    if (status === OK) break;
    if (performance.now() > endsAt) throw new Error(`the listing is not there: ${status}`);
  }
  const page = await fetchOnce(port, target, key);
  if (page.status !== OK || !page.body) throw new Error(`no page: ${page.status}`);
  return page.body;
};

type Measured = LoadResult & {
  /** Microseconds of CPU per request of the server that was asked, and of Redis. */
  readonly serverCpu: number;
  readonly redisCpu: number;
};

const measure = async (pids: readonly number[], ask: () => Promise<LoadResult>): Promise<Measured> => {
  const before = pids.map((pid) => cpuMicros([pid]));
  const result = await ask();
  const cpu = pids.map((pid, index) => (cpuMicros([pid]) - (before[index] ?? 0)) / result.requests);
  const others = Object.keys(result.otherStatuses);
  if (others.length > 0 || result.wrongBodies > 0) {
    throw new Error(
      `answers that are wrong: ${JSON.stringify(result.otherStatuses)}, ${result.wrongBodies} bodies`,
    );
  }
  return { ...result, serverCpu: cpu[0] ?? 0, redisCpu: cpu[1] ?? 0 };
};

const rowOf = (connections: number, { ours, peer }: { ours: Measured[]; peer: Measured[] }): Row => ({
  path: `warm page of 500 videos, ${connections} connections`,
  unit: 'requests/s',
  ours: ours.map(({ perSecond }) => perSecond),
  peer: peer.map(({ perSecond }) => perSecond),
  goal: { least: 0.5 },
  cpu: `gateway ${median(ours.map(({ serverCpu }) => serverCpu)).toFixed(0)} + Redis ${median(ours.map(({ redisCpu }) => redisCpu)).toFixed(0)}; Express ${median(peer.map(({ serverCpu }) => serverCpu)).toFixed(0)}`,
});

const run = async (bench: Bench): Promise<Outcome> => {
  const system = await startBenchSystem(bench, 1, ['search']);
  const [express, generator] = await Promise.all([startHelper('bare-express'), startHelper('http-load')]);
  try {
    const accounts = await seedAccounts(await bench.servers(), 'paid', ACCOUNTS);
    const body = await makeListing(system.port, accounts[0]?.key ?? '');
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
    const options: BareExpressOptions = { bodies: { [giantChannel.id]: body }, headers };
    const expressPort = await express.ask<number>('listen', options);
    const requests: LoadRequest[] = accounts.map(({ key }) => ({ target, key }));
    const expected = { [target]: createHash('sha256').update(body).digest('hex') };
    const load = { requests, status: OK, sampleEvery: SAMPLE_EVERY, expected };
    const { redis } = await bench.servers();
    const gateway = { port: system.port, pids: [system.gateways[0]?.pid ?? 0, redis.pid] };
    const peer = { port: expressPort, pids: [express.pid] };
    const ask = ({ port, pids }: typeof gateway, connections: number, seconds?: number) =>
      measure(pids, () =>
        generator.ask<LoadResult>('load', {
          ...load,
          port,
          connections,
          ...(seconds && { seconds }),
        } satisfies LoadOptions),
      );
    const [, most] = CONNECTIONS;
    await ask(gateway, AT_FIRST);
    await ask(gateway, most, WARM_UP_SECONDS);
    await ask(peer, most, WARM_UP_SECONDS);
    const { result: rows, note } = await onOwnCore([system.gateways[0]?.pid ?? 0, express.pid], async () => {
      const measured: Row[] = [];
      for (const connections of CONNECTIONS) {
        const sides = await interleave(bench.rounds, {
          ours: () => ask(gateway, connections, bench.seconds),
          peer: () => ask(peer, connections, bench.seconds),
        });
        measured.push(rowOf(connections, sides));
      }
      return measured;
    });
    return {
      rows,
      notes: [`Keep-alive connections, ${ACCOUNTS} paid keys in turn, ${body.length} bytes.`, note],
    };
  } finally {
    for (const helper of [express, generator]) await helper.stop();
    await system.stop();
  }
};

export const listingPage: Benchmark = {
  name: 'listing-page',
  title: 'Warm page of 500 videos with the full contract, against a bare Express 5 handler',
  run,
};
