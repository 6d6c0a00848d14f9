import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { environments } from '@tds/local';
import type { Benchmark } from '../benchmark.ts';
import type { BareStreamsOptions } from '../helpers/bare-http.ts';
import type { Opened, StreamAsk, StreamsOptions } from '../helpers/stream-load.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { row } from '../support/measure.ts';
import { rssBytes } from '../support/procfs.ts';
import { NO_OUTSIDE } from '../support/service-process.ts';

const STREAMS = 10_000;
const STREAMS_PER_KEY = 10;
/** Long enough for two heartbeats. */
const HELD_MS = 21_000;
const MIB = 1_024 ** 2;

type Measured = { readonly idleMiB: number; readonly heldMiB: number };

const holdStreams = async (
  load: Helper,
  { port, pid, asks }: StreamsOptions & { readonly pid: number },
): Promise<Measured> => {
  const idleMiB = rssBytes(pid) / MIB;
  const { streams } = await load.ask<Opened>('open', { port, asks } satisfies StreamsOptions);
  await delay(HELD_MS);
  const held = await load.ask<number>('count');
  if (streams !== STREAMS || held !== STREAMS) throw new Error(`${streams} streams opened, ${held} held`);
  const heldMiB = rssBytes(pid) / MIB;
  await load.ask('close');
  return { idleMiB, heldMiB };
};

/** Reads the head and the first event of the gateway's stream, which the peer repeats. */
const firstOf = async (load: Helper, port: number, ask: StreamAsk): Promise<BareStreamsOptions> => {
  const { first: text } = await load.ask<Opened>('open', { port, asks: [ask] } satisfies StreamsOptions);
  await load.ask('close');
  const [head = '', body = ''] = text.split(/\r\n\r\n/);
  const lines = head.split('\r\n').slice(1);
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  const own = headers.filter(
    ([name]) => !['Date', 'Connection', 'Keep-Alive', 'Transfer-Encoding'].includes(name ?? ''),
  );
  return {
    head: Object.fromEntries(own),
    first: body.slice(body.indexOf('retry'), body.lastIndexOf('\r\n')),
  };
};

export const jobStreams: Benchmark = {
  name: 'job-streams',
  title: 'Memory of 10,000 progress streams, against node:http',
  run: async (bench) => {
    const servers = await bench.servers();
    const environment = (await environments(servers, NO_OUTSIDE))['bulk-orchestrator'];
    await using _jobs = await startHelper('running-jobs', environment);
    const gatewaySettings = { MAX_CONNECTIONS: '120000', STREAM_LIFE: '600s' };
    await using system = await startBenchSystem(bench, { gatewaySettings });
    await using bare = await startHelper('bare-http');
    await using load = await startHelper('stream-load');
    const accounts = await seedAccounts(servers, 'paid', STREAMS / STREAMS_PER_KEY);
    const asks = accounts.flatMap(({ key }) => {
      const path = `/v1/jobs/${randomUUID()}/events`;
      return Array.from({ length: STREAMS_PER_KEY }, () => ({ path, key }));
    });
    const barePort = await bare.ask<number>('stream', await firstOf(load, system.port, asks[0] as StreamAsk));
    const ours = await holdStreams(load, { port: system.port, pid: system.gatewayPid, asks });
    const peer = await holdStreams(load, { port: barePort, pid: bare.pid, asks });
    return {
      rows: [
        row(`RSS with ${STREAMS} progress streams`, 'MiB', {
          ours: [ours.heldMiB],
          peer: [peer.heldMiB],
          goal: { most: 1.5 },
        }),
        row(`RSS that ${STREAMS} progress streams add`, 'MiB', {
          ours: [ours.heldMiB - ours.idleMiB],
          peer: [peer.heldMiB - peer.idleMiB],
        }),
      ],
      notes: [
        `${accounts.length} paid keys with ${STREAMS_PER_KEY} streams each, all of one job per key, held for ${HELD_MS / 1_000} s; the gateway reads every job each five seconds. Peer: node:http with the same head, first event and heartbeats.`,
      ],
    };
  },
};
