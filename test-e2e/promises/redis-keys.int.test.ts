import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  call,
  dashboard,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

/** A script as a server ran it: the keys that it was given, and those that it touched. */
type Run = { readonly given: readonly string[]; readonly touched: string[] };

const withoutKeys: ReadonlySet<string> = new Set(['time']);
const commandsOfKeys: ReadonlySet<string> = new Set(['mget', 'del', 'unlink', 'exists']);
const scriptCommands: ReadonlySet<string> = new Set(['eval', 'evalsha']);

/** What decides in a cluster on which server a key lies. */
const tagOf = (key: string): string => /\{([^}]+)\}/.exec(key)?.[1] ?? key;

let system: TestSystem;
const monitors: Socket[] = [];
const runs: Run[] = [];
const severalKeys: string[][] = [];
let transactions = 0;

/** A server writes down a script, then what it calls. */
const note = (source: string, [command = '', ...given]: readonly string[]): void => {
  const name = command.toLowerCase();
  if (source === 'lua') {
    if (!withoutKeys.has(name)) runs.at(-1)?.touched.push(given[0] ?? '');
  } else if (scriptCommands.has(name)) {
    runs.push({ given: given.slice(2, 2 + Number(given[1])), touched: [] });
  } else if (commandsOfKeys.has(name)) {
    severalKeys.push([...given]);
  } else if (name === 'multi') {
    transactions += 1;
  }
};

/** As a server writes it: `+<time> [<database> <source>] "<command>" "<argument>" ...`, after `+OK`. */
const noteLine = (line: string): void => {
  const [, source, words] = /^\+[\d.]+ \[\d+ (\S+)\] (.*)$/.exec(line) ?? [];
  if (source && words)
    note(
      source,
      [...words.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => word),
    );
};

/** Not by the client's `monitor()`: that fails where the server has something to tell in the same breath as its consent. */
const watch = async (url: string): Promise<void> => {
  const { hostname, port, username, password } = new URL(url);
  const monitor = connect(Number(port), hostname);
  monitors.push(monitor);
  const lines = createInterface({ input: monitor });
  lines.on('line', noteLine);
  const login = [username, decodeURIComponent(password)].map((word) => JSON.stringify(word));
  for (const command of [`AUTH ${login.join(' ')}`, 'MONITOR']) {
    monitor.write(`${command}\r\n`);
    expect(await once(lines, 'line')).toEqual(['+OK']);
  }
};

beforeAll(async () => {
  system = await shareTestSystem();
  await watch(system.redis.url);
  await watch(system.redisCache.url);
});
afterAll(async () => {
  for (const monitor of monitors) monitor.destroy();
  await system?.stop();
});

/** Everything that has the services count, project and forget. */
const useEverything = async (): Promise<void> => {
  const customer = await signUp(system);
  const video = `/v1/transcript?video_id=${fileVideo(603)}`;
  for (let round = 0; round < 3; round += 1) expect((await customer.get(video)).status).toBe(200);
  const made = await postJson(`${system.gateway}/v1/keys`, { name: 'second' }, dashboard(customer));
  const { key } = made.json<{ key: { id: string; secret: string } }>();
  const second = { headers: { authorization: `Bearer ${key.secret}` } };
  await Promise.all(Array.from({ length: 20 }, () => call(system.gateway + video, second)));
  const gone = await call(`${system.gateway}/v1/keys/${key.id}`, {
    method: 'DELETE',
    headers: dashboard(customer),
  });
  expect(gone.status).toBeLessThan(300);
};

describe('in Redis, so that a cluster may take the place of one server', () => {
  it('scripts touch the keys that they were given and no other, and what is touched together has one hash tag', async () => {
    await useEverything();
    const owners = () => new Set(runs.flatMap(({ touched }) => touched.map((key) => key.split(':')[0])));
    await eventually(() => expect([...owners()].sort()).toEqual(['credits-ledger', 'gateway', 'identity']));
    for (const { given, touched } of runs) {
      expect(given).toEqual(expect.arrayContaining(touched));
      expect(new Set(given.map(tagOf)).size).toBe(1);
    }
    const together = runs.filter(({ given }) => given.length > 1);
    expect(new Set(together.map(({ given }) => given[0]?.split(':')[0]))).toEqual(
      new Set(['gateway', 'identity']),
    );
    for (const keys of severalKeys) expect(new Set(keys.map(tagOf)).size).toBe(1);
    expect(transactions).toBe(0);
  });
});
