import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { environments } from '@tds/local';
import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import type { BareStreamsOptions } from '../helpers/bare-streams.ts';
import type { Opened, StreamAsk, StreamsOptions } from '../helpers/stream-load.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { rssBytes } from '../support/procfs.ts';

const STREAMS = 10_000;
const STREAMS_PER_KEY = 10;
/** Two heartbeats come in this time. */
const HELD_MS = 21_000;
const MIB = 1_024 ** 2;

type Measured = { readonly idleMiB: number; readonly heldMiB: number };

const measure = async (
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

/** What the gateway begins a stream with, for the peer to do the same. */
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

const run = async (bench: Bench): Promise<Outcome> => {
  const servers = await bench.servers();
  const outside = {
    port: 0,
    platformOrigin: 'http://127.0.0.1:9',
    smtpUrl: 'smtp://127.0.0.1:9',
    paymentOrigin: 'http://127.0.0.1:9',
  };
  const jobs = await startHelper('running-jobs', (await environments(servers, outside))['bulk-orchestrator']);
  const system = await startBenchSystem(bench, 1, [], { MAX_CONNECTIONS: '120000', STREAM_LIFE: '600s' });
  const [bare, load] = await Promise.all([startHelper('bare-streams'), startHelper('stream-load')]);
  try {
    const accounts = await seedAccounts(servers, 'paid', STREAMS / STREAMS_PER_KEY);
    const asks = accounts.flatMap(({ key }) => {
      const path = `/v1/jobs/${randomUUID()}/events`;
      return Array.from({ length: STREAMS_PER_KEY }, () => ({ path, key }));
    });
    const barePort = await bare.ask<number>('listen', await firstOf(load, system.port, asks[0] as StreamAsk));
    const ours = await measure(load, { port: system.port, pid: system.gateways[0]?.pid ?? 0, asks });
    const peer = await measure(load, { port: barePort, pid: bare.pid, asks });
    return {
      rows: [
        {
          path: `RSS with ${STREAMS} progress streams`,
          unit: 'MiB',
          ours: [ours.heldMiB],
          peer: [peer.heldMiB],
          goal: { most: 1.5 },
        },
        {
          path: `RSS that ${STREAMS} progress streams add`,
          unit: 'MiB',
          ours: [ours.heldMiB - ours.idleMiB],
          peer: [peer.heldMiB - peer.idleMiB],
          goal: null,
        },
      ],
      notes: [
        `${accounts.length} paid keys with ${STREAMS_PER_KEY} streams each, all of one job per key, held for ${HELD_MS / 1_000} s; the gateway looks at every job each five seconds. Peer: node:http with the same head, first event and heartbeats.`,
      ],
    };
  } finally {
    for (const part of [load, bare]) await part.stop();
    await system.stop();
    await jobs.stop();
  }
};

export const jobStreams: Benchmark = {
  name: 'job-streams',
  title: 'Memory of 10,000 progress streams, against node:http',
  run,
};
