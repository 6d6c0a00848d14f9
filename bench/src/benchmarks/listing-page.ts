import { createHash } from 'node:crypto';
import { giantChannel } from '@tds/platform-simulator';
import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import type { BareExpressOptions } from '../helpers/bare-express.ts';
import type { LoadOptions, LoadRequest, LoadResult } from '../helpers/http-load.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { startHelper } from '../support/helper.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { interleave } from '../support/rounds.ts';

/** Paid keys may ask 300 times in any minute. */
const ACCOUNTS = 1_000;
const CONNECTIONS = 64;
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

const measure = async (ask: () => Promise<LoadResult>): Promise<LoadResult> => {
  const result = await ask();
  const others = Object.keys(result.otherStatuses);
  if (others.length > 0 || result.wrongBodies > 0) {
    throw new Error(
      `answers that are wrong: ${JSON.stringify(result.otherStatuses)}, ${result.wrongBodies} bodies`,
    );
  }
  return result;
};

const outcome = (
  { ours, peer }: { ours: LoadResult[]; peer: LoadResult[] },
  note: string,
  bytes: number,
): Outcome => ({
  rows: [
    {
      path: 'warm page of 500 videos, throughput',
      unit: 'requests/s',
      ours: ours.map(({ perSecond }) => perSecond),
      peer: peer.map(({ perSecond }) => perSecond),
      goal: { least: 0.5 },
    },
  ],
  notes: [`${CONNECTIONS} keep-alive connections, ${ACCOUNTS} paid keys in turn, ${bytes} bytes.`, note],
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
    const load = { connections: CONNECTIONS, requests, status: OK, sampleEvery: SAMPLE_EVERY, expected };
    const ask = (port: number, seconds?: number) =>
      measure(() =>
        generator.ask<LoadResult>('load', {
          ...load,
          port,
          ...(seconds && { seconds }),
        } satisfies LoadOptions),
      );
    // Every key once, which the service has to answer.
    await ask(system.port);
    await ask(system.port, WARM_UP_SECONDS);
    await ask(expressPort, WARM_UP_SECONDS);
    const { result, note } = await onOwnCore([system.gateways[0]?.pid ?? 0, express.pid], () =>
      interleave(bench.rounds, {
        ours: () => ask(system.port, bench.seconds),
        peer: () => ask(expressPort, bench.seconds),
      }),
    );
    return outcome(result, note, body.length);
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
