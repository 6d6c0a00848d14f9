import { loadVideoId } from '@tds/platform-simulator';
import type { Benchmark } from '../benchmark.ts';
import type { LoadRequest } from '../helpers/http-load.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { type Loaded, NO_SAMPLES, OK, sendLoad } from '../support/load.ts';
import { measure, pick, row } from '../support/measure.ts';
import { median } from '../support/statistics.ts';

/** A paid key may send 300 requests in any minute. */
const ACCOUNTS = 4_000;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 3;

const transcript = `/v1/transcript?video_id=${loadVideoId(1)}`;
const status: readonly LoadRequest[] = [{ target: '/v1/status' }];

export const statusRead: Benchmark = {
  name: 'status',
  title: 'GET /v1/status, against a cached transcript of the same gateway',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['status'] });
    await using generator = await startHelper('http-load');
    await using flooder = await startHelper('http-load');
    const { port, gatewayPid } = system;
    const accounts = await seedAccounts(await bench.servers(), 'paid', ACCOUNTS);
    const reads = accounts.map(({ key }) => ({ target: transcript, key }));
    const [half, rest] = [reads.slice(0, ACCOUNTS / 2), reads.slice(ACCOUNTS / 2)];
    await fetchOnce(port, transcript, accounts[0]?.key ?? '');
    const load = { port, connections: CONNECTIONS, status: OK, sampleEvery: NO_SAMPLES };
    const send = (helper: Helper, requests: readonly LoadRequest[], seconds?: number) =>
      sendLoad(helper, [gatewayPid], { ...load, requests, seconds });
    /** Cached reads while other connections send these requests as fast as they can. */
    const beside = async (requests: readonly LoadRequest[], seconds: number): Promise<Loaded> => {
      const both = [send(generator, half, seconds), send(flooder, requests, seconds)] as const;
      const [measured] = await Promise.all(both);
      return measured;
    };
    // The first request of each key makes the gateway ask identity and the ledger.
    await send(generator, reads);
    const { result, note } = await onOwnCore([gatewayPid], async () => ({
      alone: await measure(bench, {
        ours: (seconds) => send(generator, status, seconds),
        peer: (seconds) => send(generator, reads, seconds),
        warmUpSeconds: WARM_UP_SECONDS,
      }),
      flooded: await measure(bench, {
        ours: (seconds) => beside(status, seconds),
        peer: (seconds) => beside(rest, seconds),
      }),
    }));
    const { alone, flooded } = result;
    const cpu = (side: 'ours' | 'peer') => median(alone[side].map((one) => one.cpu[0] ?? 0)).toFixed(0);
    const inFlood = 'cached read in a flood of status';
    return {
      rows: [
        row('status, beside a cached transcript', 'requests/s', {
          ...pick(alone, ({ perSecond }) => perSecond),
          goal: { least: 0.8 },
          cpu: `gateway ${cpu('ours')}; with a key ${cpu('peer')}`,
        }),
        row(`${inFlood}, p50`, 'ms', { ...pick(flooded, ({ p50Ms }) => p50Ms), goal: { most: 1.2 } }),
        row(`${inFlood}, p99`, 'ms', { ...pick(flooded, ({ p99Ms }) => p99Ms), goal: { most: 1.2 } }),
      ],
      notes: [
        note,
        `${CONNECTIONS} keep-alive connections. The peer of status is a cached transcript of the same gateway, read with ${ACCOUNTS} paid keys in turn.`,
        `Flood: ${CONNECTIONS} connections read cached transcripts while ${CONNECTIONS} others ask for the status as fast as they can; in the peer the others read cached transcripts.`,
      ],
    };
  },
};
