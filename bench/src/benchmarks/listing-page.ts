import { createHash } from 'node:crypto';
import { giantChannel } from '@tds/platform-simulator';
import type { Benchmark, Row } from '../benchmark.ts';
import type { BareExpressOptions } from '../helpers/bare-express.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { startHelper } from '../support/helper.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { OK, sendLoad } from '../support/load.ts';
import { measure, pick, row } from '../support/measure.ts';
import { median } from '../support/statistics.ts';

/** A paid key may send 300 requests in any minute. */
const ACCOUNTS = 4_000;
/** With fewer connections the machine is idle while they wait for each other. */
const CONNECTIONS = [16, 64] as const;
const MOST_CONNECTIONS = 64;
/** The service behind answers the first request of each key, which is not measured. */
const AT_FIRST = 4;
const SAMPLE_EVERY = 50;
const WARM_UP_SECONDS = 3;
const READY_WITHIN_MS = 120_000;

const target = `/v1/videos?url=${giantChannel.id}&offset=500`;

/** Asks for the last page until the listing is complete, and returns the measured page. */
const makeListing = async (port: number, key: string): Promise<Buffer> => {
  const last = `/v1/videos?url=${giantChannel.id}&offset=19500`;
  const endsAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const { status } = await fetchOnce(port, last, key);
    if (status === OK) break;
    if (performance.now() > endsAt) throw new Error(`the listing is not complete: ${status}`);
  }
  const page = await fetchOnce(port, target, key);
  if (page.status !== OK || !page.body) throw new Error(`no page: ${page.status}`);
  return page.body;
};

export const listingPage: Benchmark = {
  name: 'listing-page',
  title: 'Warm page of 500 videos with the full contract, against a bare Express 5 handler',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['search'] });
    await using express = await startHelper('bare-express');
    await using generator = await startHelper('http-load');
    const { redis } = await bench.servers();
    const accounts = await seedAccounts(await bench.servers(), 'paid', ACCOUNTS);
    const body = await makeListing(system.port, accounts[0]?.key ?? '');
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
    const options: BareExpressOptions = { bodies: { [giantChannel.id]: body }, headers };
    const expressPort = await express.ask<number>('listen', options);
    const requests = accounts.map(({ key }) => ({ target, key }));
    const expected = { [target]: createHash('sha256').update(body).digest('hex') };
    const load = { requests, status: OK, sampleEvery: SAMPLE_EVERY, expected };
    const pids = [system.gatewayPid, redis.pid];
    const ours = (connections: number, seconds?: number) =>
      sendLoad(generator, pids, { ...load, port: system.port, connections, seconds });
    const peer = (connections: number, seconds: number) =>
      sendLoad(generator, [express.pid], { ...load, port: expressPort, connections, seconds });
    await ours(AT_FIRST);
    await ours(MOST_CONNECTIONS, WARM_UP_SECONDS);
    await peer(MOST_CONNECTIONS, WARM_UP_SECONDS);
    const { result: rows, note } = await onOwnCore([system.gatewayPid, express.pid], async () => {
      const measured: Row[] = [];
      for (const connections of CONNECTIONS) {
        const runs = await measure(bench, {
          ours: (seconds) => ours(connections, seconds),
          peer: (seconds) => peer(connections, seconds),
        });
        const cpu = (side: 'ours' | 'peer', at: number) =>
          median(runs[side].map((one) => one.cpu[at] ?? 0)).toFixed(0);
        measured.push(
          row(`warm page of 500 videos, ${connections} connections`, 'requests/s', {
            ...pick(runs, ({ perSecond }) => perSecond),
            goal: { least: 0.5 },
            cpu: `gateway ${cpu('ours', 0)} + Redis ${cpu('ours', 1)}; Express ${cpu('peer', 0)}`,
          }),
        );
      }
      return measured;
    });
    return {
      rows,
      notes: [`Keep-alive connections, ${ACCOUNTS} paid keys in turn, ${body.length} bytes.`, note],
    };
  },
};
