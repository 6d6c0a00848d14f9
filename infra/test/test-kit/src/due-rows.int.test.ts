import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, dueRows, type TestDatabase } from './index.ts';

const SERVICE = 'archiver';
let database: TestDatabase;
let pool: pg.Pool;
let tasks: ReturnType<typeof dueRows<typeof SERVICE>>;
const open = (application_name?: string) =>
  new pg.Pool({ connectionString: database.url, ...(application_name && { application_name }) });
beforeAll(async () => {
  database = await createTestDatabase('messaging');
  pool = open();
  tasks = dueRows(SERVICE, (text, values) => pool.query(text, values));
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});
beforeEach(() => pool.query('DELETE FROM messaging.tasks'));

const TOMORROW = "now() + interval '1 day'";
const add = (name: string, lease: string) =>
  pool.query(
    `INSERT INTO messaging.tasks (name, payload, due_at, lease_until) VALUES ($1, '{}', ${TOMORROW}, ${lease})`,
    [name],
  );
const read = async () => {
  const text = `SELECT name, due_at <= now() AS due, lease_until > now() AS held, lease_epoch::int AS epoch
    FROM messaging.tasks ORDER BY name`;
  return (await pool.query(text)).rows;
};
const UNCHANGED = { due: false, held: true, epoch: 0 };

describe('rows that wait for work', () => {
  it('are made due where they are named, also after a lease that has ended', async () => {
    for (const [name, lease] of [
      ['free', 'NULL'],
      ['left', 'now()'],
      ['other', 'NULL'],
    ] as const)
      await add(name, lease);
    const named = { where: 'name = ANY ($1)', values: [['free', 'left']] };
    expect(await tasks.makeDue('messaging.tasks', named)).toBe(2);
    expect((await read()).map(({ name, due }) => [name, due])).toEqual([
      ['free', true],
      ['left', true],
      ['other', false],
    ]);
    expect(await tasks.makeDue('messaging.tasks', { where: 'name = $1', values: ['none'] })).toBe(0);
  });

  it('are made due with the attempts that they are to have had', async () => {
    await add('tried', 'NULL');
    expect(await tasks.makeDueAfterAttempts('messaging.tasks', 8)).toBe(1);
    const { rows } = await pool.query('SELECT attempts, due_at <= now() AS due FROM messaging.tasks');
    expect(rows).toEqual([{ attempts: 8, due: true }]);
  });

  it('are left as they are while a process holds one, and changed together when it has ended', async () => {
    await add('held', TOMORROW);
    await add('waits', 'NULL');
    const statements: string[] = [];
    let isDone = false;
    const watched = dueRows(SERVICE, (text, values) => {
      statements.push(text);
      return pool.query(text, values);
    });
    const passed = watched.passTime('messaging.tasks', '2 days').then((count) => {
      isDone = true;
      return count;
    });
    while (statements.length < 6) await new Promise((resolve) => setTimeout(resolve, 5));
    expect([isDone, await read()]).toMatchObject([false, [UNCHANGED, { due: false, held: null }]]);
    await pool.query("UPDATE messaging.tasks SET lease_until = NULL WHERE name = 'held'");
    expect(await passed).toBe(2);
    expect((await read()).map(({ due }) => due)).toEqual([true, true]);
  });

  it('are changed also if the last lease ends just after it was seen', async () => {
    await add('held', TOMORROW);
    const ending = dueRows(SERVICE, async (text, values) => {
      const answer = await pool.query(text, values);
      await pool.query('UPDATE messaging.tasks SET lease_until = NULL');
      return answer;
    });
    expect(await ending.makeDue('messaging.tasks')).toBe(1);
  });

  it('keep their leases while a process of the service is alive', async () => {
    await add('held', TOMORROW);
    const living = open(`${SERVICE} kit/1`);
    await living.query('SELECT');
    let isDone = false;
    const looks: unknown[] = [];
    const watched = dueRows(SERVICE, (text, values) => {
      looks.push(text);
      return pool.query(text, values);
    });
    const ended = watched.endLeases('messaging.tasks').then(() => {
      isDone = true;
    });
    while (looks.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    expect([isDone, await read()]).toMatchObject([false, [UNCHANGED]]);
    await living.end();
    await ended;
    expect(await read()).toMatchObject([{ held: false }]);
  });

  it('are lost by their holder to another process, which holds them', async () => {
    await add('held', TOMORROW);
    await tasks.loseLeases('messaging.tasks', {}, '1 day');
    expect(await read()).toMatchObject([{ held: true, epoch: 1 }]);
    await tasks.loseLeases('messaging.tasks');
    expect(await read()).toMatchObject([{ held: false, epoch: 2 }]);
  });
});
