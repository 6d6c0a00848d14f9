import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { BatchOutcome } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import { passLeases } from '@tds/service-kit/testing';
import { copyDatabase, eventually, processEnvironment } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Batch, batchOf, wordFor } from '../test-support/batches.ts';
import { openRows, startSurroundings } from '../test-support/start-fetcher.ts';

const program = path.resolve(import.meta.dirname, '../main.ts');
const ROWS = 40;

type Surroundings = Awaited<ReturnType<typeof startSurroundings>>;
let around: Surroundings;
let instance: Awaited<ReturnType<Surroundings['startInstance']>> | undefined;
let dying: ChildProcess | undefined;
beforeAll(async () => {
  around = await startSurroundings();
});
afterAll(() => around?.stop());
afterEach(async () => {
  around.simulator.setLatency(0);
  dying?.kill('SIGKILL');
  await instance?.stop();
  instance = undefined;
});

let videos = 80_000;
const freshVideos = (count: number) => Array.from({ length: count }, () => loadVideoId(++videos));
const launch = (crashAt = '') => {
  const env = { ...processEnvironment(), NODE_ENV: 'test', CRASH_AT: crashAt, ...around.environment };
  dying = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'], env });
  return dying;
};
const chargesOf = ({ accountId }: Batch) =>
  around.query<{ charge: number; state: string }>(
    'SELECT charge, state FROM operations WHERE account_id = $1',
    [accountId],
  );
const wordsOf = async (batch: Batch) => (await around.batches.finish(batch)).map(wordFor);
const digestOf = (outcome: BatchOutcome) => outcome.state === 'delivered' && outcome.sha256;
const loseObjects = async () => {
  const objects = openRows(around.objectsUrl);
  await objects.query('DELETE FROM objects');
  await objects.close();
};

describe('a batch whose process is killed', () => {
  it.each(['batch-opened', 'task-claimed', 'batch-stored', 'batch-ended'])(
    'at %s is finished by another one; every row is delivered, and charged once',
    async (crashAt) => {
      const exit = once(launch(crashAt), 'exit');
      const batch = batchOf(freshVideos(ROWS));
      await eventually(() => around.facts(batch.rows[0]?.videoId ?? ''));
      // The caller is told nothing any more.
      void around.batches.send(batch).catch(() => null);
      await exit;
      await passLeases(around.database);
      instance = await around.startInstance();
      expect(await wordsOf(batch)).toEqual(Array(ROWS).fill('MISS 1'));
      const charged = await chargesOf(batch);
      expect(charged).toHaveLength(ROWS);
      expect(charged.every(({ charge, state }) => charge === 1 && state === 'delivered')).toBe(true);
    },
  );

  it.each(['batch-restoring', 'task-claimed', 'batch-ended'])(
    'at %s while it brings lost rows back is finished by another one, for nothing',
    async (crashAt) => {
      instance = await around.startInstance();
      const paid = batchOf(freshVideos(ROWS));
      const digests = (await around.batches.finish(paid)).map(digestOf);
      await instance.stop();
      await loseObjects();
      const exit = once(launch(crashAt), 'exit');
      const batch = batchOf(paid.rows.map(({ videoId }) => videoId));
      await eventually(() => around.facts(batch.rows[0]?.videoId ?? ''));
      void around.batches.send(batch).catch(() => null);
      await exit;
      await passLeases(around.database);
      instance = await around.startInstance();
      const outcomes = await around.batches.finish(batch);
      expect(outcomes.map(wordFor)).toEqual(Array(ROWS).fill('HIT 0'));
      expect(outcomes.map(digestOf)).toEqual(digests);
    },
  );

  it('with kill -9 in the middle, too, and its first outcomes are what they were', async () => {
    around.simulator.setLatency(100);
    const running = launch();
    const batch = batchOf(freshVideos(ROWS * 2));
    await eventually(() => around.facts(batch.rows[0]?.videoId ?? ''));
    let first: BatchOutcome[] = [];
    while (first.length === 0) first = await around.batches.send(batch);
    expect(first.length).toBeLessThan(ROWS * 2);
    const exit = once(running, 'exit');
    running.kill('SIGKILL');
    await exit;
    await passLeases(around.database);
    instance = await around.startInstance();
    const outcomes = await around.batches.finish(batch);
    expect(outcomes.map(wordFor)).toEqual(Array(ROWS * 2).fill('MISS 1'));
    for (const early of first) expect(outcomes).toContainEqual(early);
  });
});

describe('a batch that the database does not know any more, because it was put back', () => {
  it('is fetched again, and told the same charges to whoever asks again', async () => {
    instance = await around.startInstance();
    const batch = batchOf(freshVideos(5));
    const copy = await copyDatabase(around.database);
    try {
      const words = await wordsOf(batch);
      expect(words).toEqual(Array(5).fill('MISS 1'));
      await instance.stop();
      await copy.putBack();
      instance = await around.startInstance();
      expect(await eventually(() => wordsOf(batch))).toEqual(words);
    } finally {
      await copy.drop();
    }
  });
});

describe('a row that cannot be saved', () => {
  it('fails for itself after its attempts; the rows beside it are delivered', async () => {
    const [bad = '', ...good] = freshVideos(6);
    const admin = openRows(around.database.adminUrl);
    try {
      await admin.query(`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not this one''; END'`);
      await admin.query(`
        CREATE TRIGGER refuse BEFORE INSERT ON transcripts FOR EACH ROW WHEN (NEW.video_id = '${bad}') EXECUTE FUNCTION refuse()`);
      instance = await around.startInstance();
      const words = await wordsOf(batchOf([bad, ...good]));
      expect(words).toEqual(['relay_attempt_cap', ...Array(5).fill('MISS 1')]);
    } finally {
      await admin.query('DROP FUNCTION refuse CASCADE');
      await admin.close();
    }
  });
});
