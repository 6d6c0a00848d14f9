import { readFile } from 'node:fs/promises';
import { tierLimits } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import { type Benchmark, sum } from '../benchmark.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { pace } from '../support/drive.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { OK } from '../support/load.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const GATEWAYS = 4;
const KEYS = 20;
const WINDOWS = 2;
const OVERLOAD = 10;
const WINDOW_MS = 60_000;
/** At tenfold overload each key uses up a window in six seconds, so the second window needs no more than twelve. */
const OVERLOADED_MS = 72_000;
const MS = 1_000;
const TOO_MANY_REQUESTS = 429;

const limit = tierLimits.free.requestsPerMinute;
const perKeyAndSecond = (limit * OVERLOAD) / (WINDOW_MS / MS);

type Admitted = { readonly sentAt: number; readonly answeredAt: number };

/** Counts admissions beyond the limit: those that end a series of more than the limit, sent and answered within a minute. */
const overAdmitted = (admitted: readonly Admitted[], atMost: number): number => {
  const inOrder = admitted.toSorted((a, b) => a.sentAt - b.sentAt);
  return inOrder.filter((_, index) => {
    const together = inOrder.slice(Math.max(0, index - atMost), index + 1);
    const lastAnswer = Math.max(...together.map(({ answeredAt }) => answeredAt));
    return together.length > atMost && lastAnswer - (together[0]?.sentAt ?? 0) < WINDOW_MS;
  }).length;
};

const overload = async (ports: readonly number[], keys: readonly string[], target: string) => {
  // Fetch keeps connections open, each for its next request.
  const admitted = new Map<string, Admitted[]>(keys.map((key) => [key, []]));
  const others: Record<string, number> = {};
  const startedAt = performance.now();
  const ask = async (n: number): Promise<void> => {
    const key = keys[n % keys.length] ?? '';
    // Each key's requests go round all gateways.
    const port = ports[Math.floor(n / keys.length) % ports.length];
    const sentAt = performance.now() - startedAt;
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { status } = answer;
    await answer.arrayBuffer();
    if (status === OK) admitted.get(key)?.push({ sentAt, answeredAt: performance.now() - startedAt });
    else if (status !== TOO_MANY_REQUESTS) others[status] = (others[status] ?? 0) + 1;
  };
  const perSecond = keys.length * perKeyAndSecond;
  await pace({ count: (perSecond * OVERLOADED_MS) / MS, perSecond }, ask);
  if (Object.keys(others).length > 0) throw new Error(`wrong answers: ${JSON.stringify(others)}`);
  return [...admitted.values()];
};

const timesWithoutRedis = async ({ logFile }: ServiceProcess): Promise<number> =>
  (await readFile(logFile, 'latin1')).split('goes on without redis').length - 1;

export const benchmark: Benchmark = {
  title: 'Accuracy of the limit per minute, four gateways under tenfold overload',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { gatewayCount: GATEWAYS });
    const [reader] = await seedAccounts(bench.servers, 'paid', 1);
    const target = `/v1/transcript?video_id=${loadVideoId(1)}&raw=1`;
    await fetchOnce(system.port, target, reader?.key);
    const accounts = await seedAccounts(bench.servers, 'free', KEYS);
    const ports = system.gateways.map(({ port }) => port);
    const keys = accounts.map(({ key }) => key);
    const admissions = await overload(ports, keys, target);
    const allowed = WINDOWS * limit * KEYS;
    const over = sum(admissions.map((admitted) => overAdmitted(admitted, limit)));
    const under = allowed - sum(admissions.map(({ length }) => Math.min(length, WINDOWS * limit)));
    const outages = sum(await Promise.all(system.gateways.map(timesWithoutRedis)));
    const percent = (count: number) => [(100 * count) / allowed];
    return {
      rows: [
        { path: 'limiter, admitted beyond the limit', unit: '%', ours: percent(over), goal: { most: 0 } },
        { path: 'limiter, refused within the limit', unit: '%', ours: percent(under), goal: { most: 1 } },
      ],
      notes: [
        `${GATEWAYS} gateways on one Redis, ${KEYS} free keys, each with ${OVERLOAD} times its ${limit} requests per minute for ${OVERLOADED_MS / MS} s, which are ${WINDOWS} windows, in turn through all gateways. ${sum(admissions.map(({ length }) => length))} of ${allowed} were admitted.`,
        `Gateways went on without Redis ${outages} times (no answer within 50 ms, which a busy machine can cause). Each gateway then counts by itself and admits too many.`,
      ],
    };
  },
};
