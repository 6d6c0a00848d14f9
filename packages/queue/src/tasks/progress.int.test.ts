import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { type Oldest, oldestDue } from './progress.ts';

describe('the oldest task that is due and not begun', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase('messaging');
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    pool = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
    await pool.query('TRUNCATE messaging.tasks');
  });
  afterEach(() => pool.end());

  const look = async (): Promise<Oldest | undefined> => (await oldestDue(pool, ['do-work', 'follow-up']))[0];
  const save = async (columns: string, values: string): Promise<string> =>
    (
      await pool.query<{ id: string }>(
        `INSERT INTO messaging.tasks (name, payload, ${columns}) VALUES ('do-work', '{}', ${values}) RETURNING id`,
      )
    ).rows[0]?.id ?? '';
  const NOTHING = { name: 'do-work', id: null, dueSeconds: 0 };

  it('is found also while another session locks its row', async () => {
    const id = await save('due_at', `now() - interval '100 seconds'`);
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM messaging.tasks FOR UPDATE');
    const oldest = await look();
    await holder.query('ROLLBACK');
    holder.release();
    expect(oldest).toMatchObject({ name: 'do-work', id });
    expect(oldest?.dueSeconds).toBeGreaterThanOrEqual(100);
  });

  it('counts from the end of the lease if its worker was lost', async () => {
    const id = await save('due_at, lease_until', `now() - interval '1 hour', now() - interval '10 seconds'`);
    const oldest = await look();
    expect(oldest?.id).toBe(id);
    expect(oldest?.dueSeconds).toBeLessThan(3_600);
  });

  it.each([
    ['is not due yet', 'due_at', `now() + interval '1 hour'`],
    ['runs', 'lease_until', `now() + interval '1 hour'`],
    ['is done', 'state', `'done'`],
  ])('is none that %s', async (_what, columns, values) => {
    await save(columns, values);
    expect(await look()).toEqual(NOTHING);
  });
});
