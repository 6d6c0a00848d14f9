import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { environments } from '@tds/local';
import type { Benchmark } from '../benchmark.ts';
import type { BareStream } from '../helpers/bare-server.ts';
import type { OpenResult, StreamAsk, StreamsOptions } from '../helpers/stream-load.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { headersOf } from '../support/http-connection.ts';
import { rssBytes } from '../support/procfs.ts';
import { NO_OUTSIDE } from '../support/service-process.ts';

const STREAMS = 10_000;
const STREAMS_PER_KEY = 10;
/** Long enough for a heartbeat and two reads of every job. */
const HELD_MS = 11_000;
const MIB = 1_024 ** 2;
const nodeHeaders = new Set(['Date', 'Connection', 'Keep-Alive', 'Transfer-Encoding']);

/** Holds streams by a process of their own, and returns the memory of the process that answers them, in MiB. */
const holdStreams = async ({ pid, ...options }: StreamsOptions & { readonly pid: number }): Promise<number> => {
  await using load = await startHelper('stream-load');
  const { streams } = await load.ask<OpenResult>('open', options);
  await delay(HELD_MS);
  const heldCount = await load.ask<number>('count');
  if (streams !== STREAMS || heldCount !== STREAMS)
    throw new Error(`${streams} streams opened, ${heldCount} held`);
  return rssBytes(pid) / MIB;
};

/** Reads the head and the first event of the gateway's stream, which the peer repeats. */
const readFirst = async (load: Helper, port: number, ask: StreamAsk): Promise<BareStream> => {
  const { first: text } = await load.ask<OpenResult>('open', { port, asks: [ask] } satisfies StreamsOptions);
  await load.ask('close');
  const [head = '', body = ''] = text.split(/\r\n\r\n/);
  const ownHeaders = Object.entries(headersOf({ head })).filter(([name]) => !nodeHeaders.has(name));
  return {
    head: Object.fromEntries(ownHeaders),
    first: body.slice(body.indexOf('retry'), body.lastIndexOf('\r\n')),
  };
};

export const benchmark: Benchmark = {
  title: 'Memory of 10,000 progress streams, against node:http',
  run: async (bench) => {
    const { servers } = bench;
    const environment = (await environments(servers, NO_OUTSIDE))['bulk-orchestrator'];
    await using _jobs = await startHelper('running-jobs', environment);
    const gateway = { MAX_CONNECTIONS: '120000', STREAM_LIFE: '600s' };
    await using system = await startBenchSystem(bench, { settings: { gateway } });
    await using bare = await startHelper('bare-server');
    await using load = await startHelper('stream-load');
    const accounts = await seedAccounts(servers, 'paid', STREAMS / STREAMS_PER_KEY);
    const asks = accounts.flatMap(({ key }) => {
      const path = `/v1/jobs/${randomUUID()}/events`;
      return Array.from({ length: STREAMS_PER_KEY }, () => ({ path, key }));
    });
    const first = await readFirst(load, system.port, asks[0] as StreamAsk);
    const barePort = await bare.ask<number>('streams', first);
    const sides = [
      { port: system.port, pid: system.gateway.pid, asks },
      { port: barePort, pid: bare.pid, asks },
    ];
    const [ours = 0, peer = 0] = await Promise.all(sides.map(holdStreams));
    return {
      rows: [
        {
          ...{ path: `RSS with ${STREAMS} progress streams`, unit: 'MiB', goal: { max: 1.5 } },
          ...{ ours: [ours], peer: [peer] },
        },
      ],
      notes: [
        `${accounts.length} paid keys with ${STREAMS_PER_KEY} streams each, all of one job per key, held for ${HELD_MS / 1_000} s; the gateway reads every job each five seconds. Peer: node:http with the same head, first event and heartbeats.`,
      ],
    };
  },
};
