import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/migrations';
import { answering, refusing } from './test-support/function-texts.ts';
import { openScratchDatabase, type ScratchDatabase } from './test-support/scratch-database.ts';
import { eventually } from './testing/index.ts';

let database: ScratchDatabase;
beforeEach(async () => {
  database = await openScratchDatabase();
});
afterEach(() => database.close());

const write = (name: string, sql: string) => database.writeFunction('service', name, sql);
const apply = () => database.apply('service');
const ask = async (sql: string) => Object.values((await database.query(sql))[0] ?? {})[0];

it('a trigger runs the text of the file, though a migration had to make its function first', async () => {
  database.writeMigration(
    'service',
    '20300101000000_things',
    `CREATE TABLE things (n int); ${refusing('text of the migration')}
     CREATE TRIGGER fixed BEFORE DELETE ON things FOR EACH STATEMENT EXECUTE FUNCTION refuse();`,
  );
  write('refuse', refusing('text of the file'));
  await apply();
  await expect(database.query('DELETE FROM things')).rejects.toThrow('text of the file');
});

describe('while the services go on', () => {
  it('every call is answered, by the old text or by the new one', async () => {
    write('one', answering('one', 1));
    await apply();
    write('one', answering('one', 2));
    const answers: unknown[] = [];
    const until = Date.now() + 30_000;
    const calling = withClient(database.url, async (client) => {
      const call = { name: 'one', text: 'SELECT one()' };
      while (answers.at(-1) !== 2 && Date.now() < until) answers.push((await client.query(call)).rows[0].one);
    });
    await eventually(async () => expect(answers).not.toEqual([]));
    await apply();
    await calling;
    expect([...new Set(answers)]).toEqual([1, 2]);
  });

  it('a call that is under way ends, and meets the new text of what it calls from then on', async () => {
    const waits = 'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN two(); END';
    write('one', `CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ ${waits} $$;`);
    write('two', answering('two', 2));
    await apply();
    await withClient(database.url, async (holder) => {
      await holder.query('SELECT pg_advisory_lock(7)');
      const answer = ask('SELECT one()');
      const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted`;
      await eventually(async () => expect(await database.query(waiting)).toHaveLength(1));
      write('two', answering('two', 22));
      await apply();
      await holder.query('SELECT pg_advisory_unlock(7)');
      expect(await answer).toBe(22);
    });
  });

  it('does not wait for ever for a function that another session changes, and changes nothing', async () => {
    write('one', answering('one', 1));
    await apply();
    write('one', answering('one', 2));
    await withClient(database.ownerUrl, async (other) => {
      await other.query(`BEGIN; COMMENT ON FUNCTION one() IS 'mine'`);
      await expect(apply()).rejects.toThrow('End the long transactions');
      expect(await ask('SELECT one()')).toBe(1);
      await other.query('ROLLBACK');
    });
    expect((await apply()).functions).toEqual(['public.one']);
  });
});
