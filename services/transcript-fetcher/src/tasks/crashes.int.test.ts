import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { loadVideoId } from '@tds/platform-simulator';
import { passLeases } from '@tds/service-kit/testing';
import { eventually, processEnvironment } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSurroundings } from '../test-support/start-fetcher.ts';

const program = path.resolve(import.meta.dirname, '../main.ts');

type Surroundings = Awaited<ReturnType<typeof startSurroundings>>;
let around: Surroundings;
let instance: Awaited<ReturnType<Surroundings['startInstance']>> | undefined;
let dying: ChildProcess | undefined;
beforeAll(async () => {
  around = await startSurroundings();
});
afterAll(() => around?.stop());
afterEach(async () => {
  dying?.kill('SIGKILL');
  await instance?.stop();
  instance = undefined;
});

/** A process of the service that kills itself at a moment between two commits. */
const launch = async (crashAt: string) => {
  const env = {
    ...processEnvironment(),
    NODE_ENV: 'test',
    CRASH_AT: crashAt,
    PORT: '0',
    ...around.environment,
  };
  dying = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'], env });
  return once(dying, 'exit');
};
/** All that a dead process held is free: its leases and the waits of the sweeper have run out. */
const passTime = async () => {
  await passLeases(around.database);
  await around.query(
    `UPDATE operations SET created_at = now() - interval '1 minute' WHERE state = 'reserving'`,
  );
};

type Row = { readonly state: string; readonly settlement: string; readonly charge: number };
const rowOf = async (id: string): Promise<Row | undefined> =>
  (await around.query<Row>('SELECT state, settlement, charge FROM operations WHERE id = $1', [id]))[0];
const countOf = async (table: string, videoId: string): Promise<number> =>
  (await around.query(`SELECT FROM ${table} WHERE video_id = $1`, [videoId])).length;

let videos = 6_000;
/** A request to a process that dies while it works on it; another instance comes after that. */
const dieAt = async (crashAt: string, videoId = loadVideoId(++videos)) => {
  const exit = launch(crashAt);
  await eventually(() => around.facts(videoId));
  const requestId = randomUUID();
  // Its caller is told nothing any more, after a while; nobody waits for that here.
  void around.get({ videoId, requestId, waitMs: 0 }).catch(() => null);
  expect((await exit)[1]).toBe('SIGKILL');
  await passTime();
  instance = await around.startInstance();
  return { requestId, videoId };
};

describe('a fetcher that is killed', () => {
  it.each(['operation-opened', 'operation-reserved'])(
    'at %s has begun nothing: the operation ends as failed, and its credit is free',
    async (crashAt) => {
      const { requestId, videoId } = await dieAt(crashAt);
      await eventually(async () =>
        expect(await rowOf(requestId)).toEqual({ state: 'failed', settlement: 'released', charge: 0 }),
      );
      await expect(around.poll(requestId)).rejects.toMatchObject({ code: 'relay_unavailable' });
      expect(around.ledger.reservations.get(requestId)).toBe('released');
      expect(await around.get({ videoId })).toMatchObject({ state: 'delivered', creditsCharged: 1 });
    },
  );

  it.each(['cues-stored', 'fetch-delivered', 'operation-settled-in-ledger'])(
    'at %s has lost nothing: another instance delivers it, once, for one credit',
    async (crashAt) => {
      const { requestId, videoId } = await dieAt(crashAt);
      expect(await around.poll(requestId)).toMatchObject({ state: 'delivered', cache: 'MISS' });
      await eventually(async () =>
        expect(await rowOf(requestId)).toEqual({ state: 'delivered', settlement: 'settled', charge: 1 }),
      );
      expect(around.ledger.reservations.get(requestId)).toBe('settled');
      expect(around.ledger.asked.filter(({ ref }) => ref === requestId)).toHaveLength(1);
      expect(await countOf('transcripts', videoId)).toBe(1);
      expect(await around.get({ videoId })).toMatchObject({ cache: 'HIT', creditsCharged: 0 });
    },
  );

  it('at fetch-failed has told the failure to nobody: another instance gives the credit back', async () => {
    const { requestId } = await dieAt('fetch-failed', 'private_001');
    await expect(around.poll(requestId)).rejects.toMatchObject({ code: 'video_unavailable' });
    expect(around.ledger.reservations.get(requestId)).toBe('released');
  });
});
