import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { awaitDeath, eventually, processEnvironment, proven } from '@tds/test-kit';
import { toRows } from '../test-support/batches.ts';
import { createLinker } from '../test-support/links.ts';
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
  around.simulator.setMaxConcurrent(Number.POSITIVE_INFINITY);
  await instance?.stop();
  instance = undefined;
});

/** A process of the service that kills itself at `crashAt`, a moment between two commits. */
const launch = async (crashAt: string) => {
  const env = {
    ...processEnvironment(),
    NODE_ENV: 'test',
    CRASH_AT: crashAt,
    PORT: '0',
    ...around.environment,
  };
  dying = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'], env });
  const death = awaitDeath(dying);
  await eventually(() => around.facts(loadVideoId(1)));
  return { death };
};
/** Expires the dead process's lease, makes its settlements due, and ages the rows it opened. */
const passTime = async () => {
  for (const text of [
    `UPDATE workers SET alive_until = now() - interval '1 second'`,
    `UPDATE operations SET created_at = now() - interval '1 minute' WHERE state = 'opened'`,
  ])
    await around.query(text);
  await around.rows.makeDue('settlements');
};
/** Waits for the death at this point, or place, then starts another instance. */
const succeed = async (death: Promise<string>, place: string) => {
  expect(await death).toMatch(new RegExp(`^${place}\\b`));
  await passTime();
  instance = await around.startInstance();
};

type OperationRow = { readonly state: string; readonly charge: number };
const rowOf = async (id: string): Promise<OperationRow | undefined> =>
  (await around.query<OperationRow>('SELECT state, charge FROM operations WHERE id = $1', [id]))[0];
const countOf = async (table: string, videoId: string): Promise<number> =>
  (await around.query(`SELECT FROM ${table} WHERE video_id = $1`, [videoId])).length;
const countSearchable = async (accountId: string, videoIds: readonly string[]): Promise<number> => {
  await around.library.search(accountId, 'word');
  const text = `SELECT FROM library_entries AS e JOIN transcripts AS t ON t.id = e.transcript_id
    WHERE e.account_id = $1 AND t.video_id = ANY ($2) AND e.words IS NOT NULL`;
  return (await around.query(text, [accountId, videoIds])).length;
};
const until = (check: () => void | Promise<void>) => eventually(async () => check());

let videos = 6_000;
/** A read that kills its process; its caller gets no answer. */
const dieReading = async (crashAt: string, videoId = loadVideoId(++videos)) => {
  const { death } = await launch(crashAt);
  const requestId = randomUUID();
  void around.get({ videoId, requestId, waitMs: 0 }).catch(() => null);
  await succeed(death, crashAt);
  return { requestId, videoId };
};

describe('a fetcher killed during a read', () => {
  it.each(['read-opened:get-transcript', 'read-reserved:get-transcript'])(
    'at %s has begun nothing: the read fails and its credit is released',
    async (crashAt) => {
      const { requestId, videoId } = await dieReading(crashAt);
      await until(async () => expect(await rowOf(requestId)).toEqual({ state: 'failed', charge: 0 }));
      await around.rows.makeDue('settlements');
      await expect(around.poll(requestId)).rejects.toMatchObject({ code: 'relay_unavailable' });
      expect(around.ledger.stateOf(requestId)).toBe('released');
      expect(await around.get({ videoId })).toMatchObject({ state: 'delivered', creditsCharged: 1 });
    },
  );

  it.each(['fetch-stored:get-transcript', 'fetch-ended:get-transcript', 'ledger-settled'])(
    'at %s loses nothing: another instance delivers it once, for one credit, and makes it searchable',
    async (crashAt) => {
      const { requestId, videoId } = await dieReading(crashAt);
      expect(await around.poll(requestId)).toMatchObject({ state: 'delivered', cache: 'MISS' });
      expect(await rowOf(requestId)).toEqual({ state: 'delivered', charge: 1 });
      await until(() => expect(around.ledger.stateOf(requestId)).toBe('charged'));
      await until(async () => expect(await around.query('SELECT FROM settlements')).toEqual([]));
      expect(around.ledger.requests.filter(({ ref }) => ref === requestId)).toHaveLength(1);
      expect(await countOf('transcripts', videoId)).toBe(1);
      expect(await around.get({ videoId })).toMatchObject({ cache: 'HIT', creditsCharged: 0 });
      await until(async () => expect(await countSearchable(around.account, [videoId])).toBe(1));
    },
  );

  it('at fetch-ended of a failure: another instance releases the credit', async () => {
    const { requestId } = await dieReading('fetch-ended:get-transcript', 'private_001');
    await expect(around.poll(requestId)).rejects.toMatchObject({ code: 'video_unavailable' });
    expect(around.ledger.stateOf(requestId)).toBe('released');
  });
});

describe('a fetcher killed at a link', () => {
  it.each(['link-saved', 'link-created'])(
    'at %s has made one or none: the same Idempotency-Key makes it, and no second one',
    async (crashAt) => {
      const { death } = await launch(crashAt);
      const [linker, idempotencyKey] = [createLinker(around), randomUUID()];
      await linker.receive();
      void linker.create({ idempotencyKey }).catch(() => null);
      await succeed(death, crashAt);
      const { link } = await linker.create({ idempotencyKey });
      expect(await linker.list()).toEqual([link]);
    },
  );

  it('at link-ended takes it back at the next try, and emits that once', async () => {
    const { death } = await launch('link-ended');
    const linker = createLinker(around);
    await linker.receive();
    const { link } = await linker.create();
    // It is sent again by itself, to the instance that succeeds.
    const ending = linker.end(link.id).catch(() => null);
    await succeed(death, 'link-ended');
    await ending;
    await linker.end(link.id);
    expect(await linker.list()).toEqual([]);
    const emitted = `SELECT FROM messaging.outbox WHERE subject ~ 'link-ended' AND payload ->> 'linkId' = $1`;
    expect(await around.query(emitted, [link.id])).toHaveLength(1);
  });
});

const newBatch = (count: number) => ({
  batchId: randomUUID(),
  accountId: randomUUID(),
  rows: toRows(Array.from({ length: count }, () => loadVideoId(++videos))),
});
const booksAre = (accountId: string, charged: number) =>
  until(() => {
    const { ledger } = around;
    expect([ledger.count('charged', accountId), ledger.count('held', accountId)]).toEqual([charged, 0]);
  });
const countedFor = async (accountId: string) =>
  (
    await around.query<{ count: number }>('SELECT count FROM cold_counts WHERE scope = $1', [
      `key:${accountId}`,
    ])
  )[0]?.count ?? 0;

describe('a fetcher killed during a batch', () => {
  const ofReads = ['fetch-stored', 'fetch-ended', 'ledger-settled'];
  it.each(['batch-opened', 'batch-reserved', ...proven([], ofReads)])(
    'at %s fetches, counts, charges and indexes each row once when the batch is opened again',
    async (crashAt) => {
      const batch = newBatch(4);
      const { death } = await launch(crashAt);
      void around.batches.submitBatch(batch).catch(() => null);
      await succeed(death, crashAt);
      expect(await around.batches.submitBatch(batch)).toMatchObject({ unopened: [], refusal: null });
      const changes = await around.batches.waitForEnds(batch.batchId, batch.rows);
      expect(changes).toMatchObject(Array(4).fill({ state: 'delivered', charge: 1 }));
      await booksAre(batch.accountId, 4);
      expect(await countedFor(batch.accountId)).toBe(4);
      const videoIds = batch.rows.map(({ videoId }) => videoId);
      for (const videoId of videoIds) expect(await countOf('transcripts', videoId)).toBe(1);
      await until(async () => expect(await countSearchable(batch.accountId, videoIds)).toBe(4));
    },
  );

  it('at batch-paused: the credits are released, even if the pause is not repeated', async () => {
    const batch = newBatch(40);
    const release = around.simulator.hold();
    const { death } = await launch('batch-paused');
    await around.batches.submitBatch(batch);
    void around.batches.pauseBatch(batch.batchId, batch.accountId).catch(() => null);
    await succeed(death, 'batch-paused');
    release();
    const changes = await around.batches.waitForEnds(batch.batchId, batch.rows);
    const delivered = changes.filter(({ state }) => state === 'delivered').length;
    expect(delivered).toBeLessThan(40);
    await booksAre(batch.accountId, delivered);
    expect(await countedFor(batch.accountId)).toBe(delivered);
  });

  it('with running fetches leaves them to another instance, which ends each row once', async () => {
    const batch = newBatch(6);
    const release = around.simulator.hold();
    const { death } = await launch('never');
    await around.batches.submitBatch(batch);
    await until(async () => {
      const open = await around.query(`SELECT FROM operations WHERE batch_id = $1 AND state = 'fetching'`, [
        batch.batchId,
      ]);
      expect(open).toHaveLength(6);
    });
    dying?.kill('SIGKILL');
    await succeed(death, 'its end by SIGKILL');
    release();
    const changes = await around.batches.waitForEnds(batch.batchId, batch.rows);
    expect(changes).toMatchObject(Array(6).fill({ state: 'delivered', charge: 1 }));
    await booksAre(batch.accountId, 6);
    for (const { videoId } of batch.rows) expect(await countOf('transcripts', videoId)).toBe(1);
  });
});
