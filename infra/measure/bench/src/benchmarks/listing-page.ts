import { GIANT_VIDEO_COUNT, giantChannel } from '@tds/platform-simulator';
import { type Benchmark, measure } from '../benchmark.ts';
import type { BareBodies } from '../helpers/bare-server.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { until } from '../support/databases.ts';
import { startHelper } from '../support/helper.ts';
import { fetchOnce, sha256 } from '../support/http-connection.ts';
import { keysFor, OK, sendLoad, throughput } from '../support/load.ts';

/** With fewer connections the machine is idle while they wait for each other. */
const CONNECTIONS = 64;
/** The service behind answers the first request of each key, which is not measured. */
const AT_FIRST = 4;
const SAMPLE_EVERY = 50;
const LISTED = { everyMs: 0, withinMs: 120_000 };

const target = `/v1/videos?url=${giantChannel.id}&offset=500`;
const lastPage = `/v1/videos?url=${giantChannel.id}&offset=${GIANT_VIDEO_COUNT - 500}`;

/** Asks for the last page until the listing is complete, and returns the measured page. */
const makeListing = async (port: number, key: string): Promise<Buffer> => {
  await until(async () => {
    const { status } = await fetchOnce(port, lastPage, key);
    return status === OK ? null : `the listing is not complete: ${status}`;
  }, LISTED);
  const page = await fetchOnce(port, target, key);
  if (page.status !== OK || !page.body) throw new Error(`no page: ${page.status}`);
  return page.body;
};

export const benchmark: Benchmark = {
  title: 'Warm page of 500 videos with the full contract, against a bare Express 5 handler',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['search'] });
    await using express = await startHelper('bare-server');
    await using generator = await startHelper('http-load');
    const accounts = await seedAccounts(bench.servers, 'paid', keysFor(bench));
    const body = await makeListing(system.port, accounts[0]?.key ?? '');
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
    const bare: BareBodies = { bodies: { [giantChannel.id]: body }, headers };
    const expressPort = await express.ask<number>('bodies', bare);
    const requests = accounts.map(({ key }) => ({ target, key }));
    const expected = { [target]: sha256(body) };
    const load = { connections: CONNECTIONS, requests, status: OK, sampleEvery: SAMPLE_EVERY, expected };
    const pids = { gateway: system.gatewayPid, Redis: bench.servers.redis.pid };
    const ours = (seconds?: number, connections = CONNECTIONS) =>
      sendLoad(generator, pids, { ...load, port: system.port, connections, seconds });
    const peer = (seconds: number) =>
      sendLoad(generator, { Express: express.pid }, { ...load, port: expressPort, seconds });
    await ours(undefined, AT_FIRST);
    const { result: runs, note } = await onOwnCore([system.gatewayPid, express.pid], () =>
      measure(bench, { ours, peer, warmUp: true }),
    );
    return {
      rows: [throughput(`warm page of 500 videos, ${CONNECTIONS} connections`, runs, 0.5)],
      notes: [`Keep-alive connections, ${accounts.length} paid keys in turn, ${body.length} bytes.`, note],
    };
  },
};
