import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { buryEvent, listDeadLetters, replayDeadLetter } from './dead-letters.ts';

describe('dead letters', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase('messaging');
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    pool = new pg.Pool({ connectionString: database.url });
    // The database is dropped while connections are still closing.
    pool.on('error', () => {});
    await pool.query('DELETE FROM messaging.dead_letters');
    await pool.query('DELETE FROM messaging.tasks');
  });
  afterEach(() => pool.end());

  const messageId = (n: number) => `0198f7a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const bury = (n: number) =>
    buryEvent(pool, {
      subject: 'evt.status.thing-happened',
      messageId: messageId(n),
      payload: JSON.stringify({ n }),
      headers: { requestId: `r${n}` },
      reason: 'Error: no luck',
      attempts: 11,
    });
  const tasks = async () =>
    (await pool.query('SELECT name, payload, headers, state FROM messaging.tasks ORDER BY id')).rows;

  it('are listed newest first, with all that an operator has to know', async () => {
    for (const n of [1, 2, 3]) await bury(n);
    const letters = await listDeadLetters(pool);
    expect(letters.map((letter) => letter.messageId)).toEqual([3, 2, 1].map(messageId));
    expect(letters[0]).toMatchObject({
      kind: 'event',
      source: 'evt.status.thing-happened',
      payload: { n: 3 },
      reason: 'Error: no luck',
      attempts: 11,
      createdAt: expect.any(Date),
      replayedAt: null,
    });
    expect(await listDeadLetters(pool, { limit: 2 })).toHaveLength(2);
  });

  it('are one for each message that is open, however often it is given up', async () => {
    await Promise.all([bury(1), bury(1), bury(1)]);
    expect(await listDeadLetters(pool)).toHaveLength(1);
  });

  it('are replayed once, as a task with the message’s own ids, however many ask for it', async () => {
    await bury(1);
    const [letter] = await listDeadLetters(pool);
    const replays = await Promise.all([1, 2, 3].map(() => replayDeadLetter(pool, letter?.id ?? '')));
    expect(replays.toSorted()).toEqual([false, false, true]);
    expect(await tasks()).toEqual([
      {
        name: 'kit-replay-event',
        payload: { subject: 'evt.status.thing-happened', messageId: messageId(1), payload: { n: 1 } },
        headers: { requestId: 'r1' },
        state: 'ready',
      },
    ]);
  });

  it('that were replayed are listed on demand only, and may come again', async () => {
    await bury(1);
    const [letter] = await listDeadLetters(pool);
    await replayDeadLetter(pool, letter?.id ?? '');
    expect(await listDeadLetters(pool)).toEqual([]);
    expect(await listDeadLetters(pool, { includeReplayed: true })).toMatchObject([
      { replayedAt: expect.any(Date) },
    ]);
    await bury(1);
    expect(await listDeadLetters(pool)).toHaveLength(1);
    expect(await listDeadLetters(pool, { includeReplayed: true })).toHaveLength(2);
  });

  it('that do not exist are not replayed', async () => {
    expect(await replayDeadLetter(pool, messageId(9))).toBe(false);
    expect(await tasks()).toEqual([]);
  });
});
