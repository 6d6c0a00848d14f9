import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/migrations';
import { answering, CATALOG, refusing } from './test-support/function-texts.ts';
import { openScratchDatabase, type ScratchDatabase } from './test-support/scratch-database.ts';

const NOTHING = { migrations: [], functions: [], dropped: [] };

let database: ScratchDatabase;
beforeEach(async () => {
  database = await openScratchDatabase();
});
afterEach(() => database.close());

const write = (name: string, sql: string) => database.writeFunction('service', name, sql);
const apply = () => database.apply('service');
const ask = async (sql: string) => Object.values((await database.query(sql))[0] ?? {})[0];

describe('functions in files', () => {
  it('are made once, and again only when their file changes', async () => {
    write('one', answering('one', 1));
    write('two', answering('two', 2));
    expect((await apply()).functions).toEqual(['public.one', 'public.two']);
    expect(await apply()).toEqual(NOTHING);
    write('two', answering('two', 22));
    expect((await apply()).functions).toEqual(['public.two']);
    expect([await ask('SELECT one()'), await ask('SELECT two()')]).toEqual([1, 22]);
    expect(await apply()).toEqual(NOTHING);
  });

  it('are restored if another session has replaced or dropped them', async () => {
    write('one', answering('one', 1));
    await apply();
    for (const meddling of [answering('one', 666), 'DROP FUNCTION one()']) {
      await withClient(database.ownerUrl, (client) => client.query(meddling));
      expect((await apply()).functions).toEqual(['public.one']);
      expect(await ask('SELECT one()')).toBe(1);
    }
  });

  it('stay for the release before when their file goes, and are dropped by the next one; what an administrator has made stays', async () => {
    write('one', answering('one', 1));
    write('two', answering('two', 2));
    await apply();
    await withClient(database.adminUrl, (client) => client.query(answering('handmade', 3)));
    database.removeFunction('service', 'two');
    // However often that release migrates.
    for (let n = 0; n < 3; n += 1) expect(await apply()).toEqual(NOTHING);
    expect(await ask('SELECT two()')).toBe(2);
    write('one', answering('one', 11));
    expect(await apply()).toEqual({ ...NOTHING, functions: ['public.one'], dropped: ['two()'] });
    expect(await ask(`SELECT to_regproc('two')`)).toBeNull();
    expect(await ask(`SELECT to_regproc('handmade')::text`)).toBe('handmade');
  });

  it('of a later release stay when an earlier one migrates, also those that a table uses, and are its own again afterwards', async () => {
    const things = `CREATE TABLE things (n int); ${refusing('text of the migration')}
      CREATE TRIGGER fixed BEFORE DELETE ON things FOR EACH STATEMENT EXECUTE FUNCTION refuse();`;
    const later = () => {
      database.writeMigration('later', '20300102000000_things', things);
      database.writeFunction('later', 'refuse', refusing('text of the later release'));
      database.writeFunction('later', 'helper', answering('helper', 7));
      return database.apply('service', 'later');
    };
    write('one', answering('one', 1));
    await apply();
    await later();
    const made = await database.query(CATALOG);
    for (const n of [1, 11]) {
      write('one', answering('one', n));
      await apply();
      expect([await ask('SELECT one()'), await ask('SELECT helper()')]).toEqual([n, 7]);
      await expect(database.query('DELETE FROM things')).rejects.toThrow('text of the later release');
    }
    write('one', answering('one', 1));
    expect(await later()).toEqual({ ...NOTHING, functions: ['public.one'] });
    expect(await database.query(CATALOG)).toEqual(made);
  });

  it('that a release has left out and brings back are its files again, and are not dropped', async () => {
    write('one', answering('one', 1));
    write('two', answering('two', 2));
    await apply();
    database.removeFunction('service', 'two');
    await apply();
    write('two', answering('two', 2));
    expect((await apply()).functions).toEqual(['public.two']);
    write('one', answering('one', 11));
    expect(await apply()).toEqual({ ...NOTHING, functions: ['public.one'] });
    expect(await ask('SELECT two()')).toBe(2);
  });

  it('are made after the migrations, in whatever order they call each other, aggregates last', async () => {
    database.writeMigration('service', '20300101000000_things', 'CREATE TABLE things (n int)');
    write('a_counts', answering('a_counts', 'count(*)::int + z_adds(0, 7) FROM things'));
    write('all_of', 'CREATE OR REPLACE AGGREGATE all_of(int) (SFUNC = z_adds, STYPE = int, INITCOND = 0);');
    write(
      'z_adds',
      'CREATE OR REPLACE FUNCTION z_adds(a int, b int) RETURNS int LANGUAGE sql AS $$ SELECT a + b $$;',
    );
    expect(await apply()).toEqual({
      migrations: ['20300101000000_things'],
      functions: ['public.a_counts', 'public.all_of', 'public.z_adds'],
      dropped: [],
    });
    expect([
      await ask('SELECT a_counts()'),
      await ask('SELECT all_of(a) FROM (VALUES (1), (2)) v (a)'),
    ]).toEqual([7, 3]);
    expect(await apply()).toEqual(NOTHING);
  });

  it('are made once when several migrate at the same time', async () => {
    write('one', answering('one', 1));
    const applied = await Promise.all([apply(), apply(), apply()]);
    expect(applied.flatMap(({ functions }) => functions)).toEqual(['public.one']);
  });

  it('may be used by the running service only', async () => {
    write('one', answering('one', 1));
    await apply();
    expect(await ask('SELECT one()')).toBe(1);
    expect(await ask(`SELECT has_function_privilege('public', 'one()', 'EXECUTE')`)).toBe(false);
  });

  it.each([
    [
      'that Postgres cannot read',
      'CREATE OR REPLACE FUNCTION two() RETURNS int LANGUAGE sql AS $$ SELEKT 2 $$;',
    ],
    ['that calls what is not there', answering('two', 'missing()')],
    ['that is not closed', 'CREATE OR REPLACE FUNCTION two() RETURNS int LANGUAGE plpgsql AS $$ BEGIN $$;'],
  ])('one %s fails with the name of its file, and all stay as they were', async (_, broken) => {
    write('one', answering('one', 1));
    write('two', answering('two', 2));
    await apply();
    const before = await database.query(CATALOG);
    write('one', answering('one', 11));
    write('two', broken);
    await expect(apply()).rejects.toThrow('functions/two.sql: ');
    expect(await database.query(CATALOG)).toEqual(before);
  });

  it('one that calls a function whose file is gone fails with its name, though it has not changed itself', async () => {
    write('one', answering('one', 'two()'));
    write('two', answering('two', 2));
    await apply();
    database.removeFunction('service', 'two');
    await expect(apply()).rejects.toThrow('functions/one.sql: function two() does not exist');
    expect(await ask('SELECT one()')).toBe(2);
  });

  it.each([
    ['two functions without an empty line between them', answering('one', 1) + answering('two', 2)],
    ['a function without OR REPLACE', answering('one', 1).replace('OR REPLACE ', '')],
    ['something that is no function', 'CREATE TABLE one (id int);\n'],
  ])('a file with %s is rejected', async (_, sql) => {
    write('one', sql);
    await expect(apply()).rejects.toThrow('one.sql must hold CREATE OR REPLACE FUNCTION statements');
  });

  it('a file may hold several functions, and a change of one replaces that one', async () => {
    write('numbers', `${answering('one', 1)}\n-- The second.\n${answering('two', 2)}`);
    await apply();
    write('numbers', `${answering('one', 1)}\n-- The second.\n${answering('two', 22)}`);
    expect((await apply()).functions).toEqual(['public.two']);
    expect([await ask('SELECT one()'), await ask('SELECT two()')]).toEqual([1, 22]);
  });

  it('two files of one function are refused', async () => {
    database.writeFunction('kit', 'one', answering('one', 1));
    write('one', answering('public.one', 1));
    await expect(database.apply('kit', 'service')).rejects.toThrow('both make public.one');
  });
});

describe('a function with another signature', () => {
  it.each([
    [
      'arguments',
      `CREATE OR REPLACE FUNCTION one(n int) RETURNS int LANGUAGE sql AS $$ SELECT n $$;`,
      'one(5)',
      5,
    ],
    ['result', `CREATE OR REPLACE FUNCTION one() RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$;`, 'one()', 'x'],
  ])('replaces the one with the old %s', async (_, sql, call, answer) => {
    write('one', answering('one', 1));
    await apply();
    write('one', sql);
    expect((await apply()).functions).toEqual(['public.one']);
    expect(await ask(`SELECT ${call}`)).toBe(answer);
    expect(await database.query(CATALOG)).toHaveLength(1);
    expect(await apply()).toEqual(NOTHING);
  });

  it('is refused while something of a table is tied to the old one, with the name of that', async () => {
    write('one', answering('one', 1));
    await apply();
    await withClient(database.ownerUrl, (client) =>
      client.query('CREATE TABLE things (n int DEFAULT one()); CREATE TABLE more (n int DEFAULT one())'),
    );
    const before = await database.query(CATALOG);
    write('one', `CREATE OR REPLACE FUNCTION one(n int) RETURNS int LANGUAGE sql AS $$ SELECT n $$;`);
    await expect(apply()).rejects.toThrow(
      'default value for column n of table things depends on function one()',
    );
    database.removeFunction('service', 'one');
    await expect(apply()).rejects.toThrow('No file makes one() any more, but it is used');
    expect(await database.query(CATALOG)).toEqual(before);
  });
});
