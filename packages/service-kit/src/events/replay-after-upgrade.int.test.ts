import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../db/pool.ts';
import { createLog } from '../log/log.ts';
import { buryEvent } from './dead-letters.ts';
import { replayAfterUpgrade } from './replay-after-upgrade.ts';

const MESSAGE = '0198f7a0-0000-7000-8000-000000000001';

describe('after an upgrade', () => {
  let database: TestDatabase;
  const pools: pg.Pool[] = [];
  beforeEach(async () => {
    database = await createTestDatabase('messaging');
  });
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.end();
    await database.drop();
  });

  /** The connections of a process of that release. */
  const poolOf = (release?: string): pg.Pool => {
    const log = createLog({ service: 'status', level: 'silent' });
    const pool = createPool({ url: database.url, applicationName: 'test', release, maxConnections: 2, log });
    pools.push(pool);
    return pool;
  };
  const giveUp = (pool: pg.Pool) =>
    buryEvent(pool, {
      subject: 'evt.status.thing-happened',
      messageId: MESSAGE,
      payload: '{}',
      headers: {},
      reason: 'Error: no luck',
      attempts: 11,
    });
  const giveUpTask = async (pool: pg.Pool, effectAttempt: number | null) =>
    pool.query(
      `WITH dead AS (
         INSERT INTO messaging.tasks (name, payload, state, attempts, effect_attempt)
         VALUES ('do-work', '{}', 'dead', 3, $1) RETURNING id)
       INSERT INTO messaging.dead_letters (kind, source, message_id, payload, reason, attempts)
       SELECT 'task', 'do-work', id, '{}', 'no luck', 3 FROM dead`,
      [effectAttempt],
    );
  const replay = (pool: pg.Pool): Promise<number> => replayAfterUpgrade(pool, new AbortController().signal);

  it('what the release before has given up is tried once more, and not again when this one gives it up', async () => {
    const [before, after] = [poolOf('1.0'), poolOf('1.1')];
    await giveUp(before);
    await giveUpTask(before, null);
    expect(await replay(after)).toBe(2);
    expect(await replay(after)).toBe(0);
    await giveUp(after);
    expect(await replay(after)).toBe(0);
    const { rows } = await after.query(`SELECT name FROM messaging.tasks WHERE state = 'ready' ORDER BY 1`);
    expect(rows).toEqual([{ name: 'do-work' }, { name: 'kit-replay-event' }]);
  });

  it('two releases beside one another do not replay for ever what neither can do', async () => {
    const [before, after] = [poolOf('1.0'), poolOf('1.1')];
    await giveUp(before);
    expect(await replay(after)).toBe(1);
    await giveUp(after);
    expect(await replay(before)).toBe(0);
    expect(await replay(after)).toBe(0);
  });

  it('many instances replay a letter once', async () => {
    const after = poolOf('1.1');
    await giveUp(poolOf('1.0'));
    const replayed = await Promise.all([replay(after), replay(after), replay(poolOf('1.1'))]);
    expect(replayed.toSorted()).toEqual([0, 0, 1]);
  });

  it('nothing is replayed that strangers have seen attempts of', async () => {
    await giveUpTask(poolOf('1.0'), 3);
    expect(await replay(poolOf('1.1'))).toBe(0);
  });

  it('nothing is replayed by or for a process that does not say which release it is', async () => {
    await giveUp(poolOf('1.0'));
    expect(await replay(poolOf())).toBe(0);
    await giveUpTask(poolOf(), null);
    expect(await replay(poolOf('1.0'))).toBe(0);
  });
});
