import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isMigrated, withClient } from '@tds/migrations';
import { openScratchDatabase, type ScratchDatabase } from './test-support/scratch-database.ts';
import { eventually } from './testing/index.ts';

describe('migrate', () => {
  let database: ScratchDatabase;

  const write = (list: string, name: string, sql: string) => database.writeMigration(list, name, sql);
  const apply = async (...lists: string[]) => (await database.apply(...lists)).migrations;
  const query = (sql: string) => database.query(sql);
  const asAdmin = (sql: string) => withClient(database.adminUrl, (admin) => admin.query(sql));

  beforeEach(async () => {
    database = await openScratchDatabase();
  });
  afterEach(() => database.close());

  it('applies each folder once, the first list before the second', async () => {
    write('service', '20300101000000_uses', 'CREATE TABLE uses (id int REFERENCES base (id));');
    write('kit', '20310101000000_base', 'CREATE TABLE base (id int PRIMARY KEY);');
    expect(await apply('kit', 'service')).toEqual(['20310101000000_base', '20300101000000_uses']);
    expect(await apply('kit', 'service')).toEqual([]);
  });

  it('records the release last, for the role of the service to read, and keeps that of the release before', async () => {
    const isThere = (release: string) => withClient(database.url, (client) => isMigrated(client, release));
    write('service', '20300101000000_one', 'CREATE TABLE one (id int);');
    const before = database.releaseOf('service');
    expect(await isThere(before)).toBe(false);
    await apply('service');
    write('service', '20310101000000_two', 'SELECT nonsense;');
    const after = database.releaseOf('service');
    await expect(apply('service')).rejects.toThrow('nonsense');
    expect([await isThere(before), await isThere(after)]).toEqual([true, false]);
    write('service', '20310101000000_two', 'CREATE TABLE two (id int);');
    await apply('service');
    expect([await isThere(before), await isThere(database.releaseOf('service'))]).toEqual([true, true]);
  });

  it('applies what is added to the first list after the second was applied', async () => {
    write('service', '20300101000000_one', 'CREATE TABLE one (id int);');
    await apply('kit', 'service');
    write('kit', '20310101000000_two', 'CREATE TABLE two (id int);');
    expect(await apply('kit', 'service')).toEqual(['20310101000000_two']);
  });

  it('leaves the semicolons of bodies alone', async () => {
    write(
      'service',
      '20300101000000_seven',
      'CREATE TABLE seven (n int); DO $$ BEGIN PERFORM 1; INSERT INTO seven VALUES (7); END $$;',
    );
    await apply('service');
    expect(await query('SELECT n FROM seven')).toEqual([{ n: 7 }]);
  });

  it('applies a migration in whole or not at all, and says why', async () => {
    write('service', '20300101000000_half', 'CREATE TABLE half (id int); SELECT nonsense;');
    await expect(apply('service')).rejects.toThrow(/^20300101000000_half: .*nonsense/);
    await expect(query('SELECT FROM half')).rejects.toThrow('does not exist');
  });

  it('applies a migration that failed once it is put right', async () => {
    write('service', '20300101000000_half', 'SELECT nonsense;');
    await expect(apply('service')).rejects.toThrow('nonsense');
    write('service', '20300101000000_half', 'CREATE TABLE whole (id int);');
    expect(await apply('service')).toEqual(['20300101000000_half']);
  });

  it('lets the service neither read nor write the record of it, whatever failed and was granted', async () => {
    const refused = () => expect(query('SELECT FROM _prisma_migrations')).rejects.toThrow('permission denied');
    write('service', '20300101000000_half', 'SELECT nonsense;');
    await expect(apply('service')).rejects.toThrow('nonsense');
    await refused();
    await withClient(database.ownerUrl, (owner) =>
      owner.query('GRANT ALL ON _prisma_migrations TO PUBLIC, objects_app'),
    );
    await apply();
    await refused();
  });

  it.each([
    ['', 'CREATE TABLE second (id int);', []],
    [
      ' concurrently',
      '-- concurrently\nCREATE INDEX CONCURRENTLY IF NOT EXISTS second ON first (id);',
      [{ made: 'second' }],
    ],
  ])('applies one%s again if the process died before its record was kept', async (_, sql, left) => {
    write('service', '20300101000000_first', 'CREATE TABLE first (id int);');
    await apply('service');
    await asAdmin(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'died'; END $$;
      CREATE TRIGGER death BEFORE INSERT ON public._prisma_migrations FOR EACH ROW EXECUTE FUNCTION refuse();`);
    write('service', '20300102000000_second', sql);
    await expect(apply('service')).rejects.toThrow('20300102000000_second: died');
    const MADE = `SELECT relname AS made FROM pg_class WHERE relname = 'second'`;
    expect(await query(MADE)).toEqual(left);
    await asAdmin('DROP TRIGGER death ON public._prisma_migrations');
    expect(await apply('service')).toEqual(['20300102000000_second']);
    expect(await query(MADE)).toEqual([{ made: 'second' }]);
    expect(await apply('service')).toEqual([]);
  });

  it('leaves nothing of one that is cut off with its connection, names it, and applies it at the next start', async () => {
    write(
      'service',
      '20300101000000_cut',
      'CREATE TABLE cut (id int); SELECT pg_terminate_backend(pg_backend_pid());',
    );
    await expect(apply('service')).rejects.toThrow('20300101000000_cut: terminating connection');
    await expect(query('SELECT FROM cut')).rejects.toThrow('does not exist');
    write('service', '20300101000000_cut', 'CREATE TABLE cut (id int);');
    expect(await apply('service')).toEqual(['20300101000000_cut']);
  });

  it('is applied once when several migrate at the same time', async () => {
    write('service', '20300101000000_once', 'CREATE TABLE once (id int);');
    const applied = await Promise.all([apply('service'), apply('service'), apply('service')]);
    expect(applied.flat()).toEqual(['20300101000000_once']);
  });

  it('refuses a database that has applied another text, changes nothing, and names both', async () => {
    write('service', '20300101000000_one', 'CREATE TABLE one (id int);');
    await apply('service');
    write('service', '20300101000000_one', 'CREATE TABLE one (id bigint);');
    write('service', '20300102000000_two', 'CREATE TABLE two (id int);');
    await expect(apply('service')).rejects.toThrow(
      /^test_objects_\w+ has applied another text of 20300101000000_one than this release has\. Nothing was changed\./,
    );
    await expect(query('SELECT FROM two')).rejects.toThrow('does not exist');
  });

  it('refuses two migrations of one name', async () => {
    write('kit', '20300101000000_same', 'SELECT 1;');
    write('service', '20300101000000_same', 'SELECT 2;');
    await expect(apply('kit', 'service')).rejects.toThrow('Two migrations are named 20300101000000_same');
  });

  describe('while the services go on', () => {
    const INVALID = 'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid';
    const build = (name: string, on: string) =>
      `-- concurrently\n-- why\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ${name}\n  ON ${on};\n`;
    beforeEach(async () => {
      write(
        'service',
        '20300101000000_things',
        'CREATE TABLE things (id int, n int); CREATE SCHEMA apart; CREATE TABLE apart.things (id int, n int);',
      );
      await apply('service');
    });

    it('keeps no session waiting behind a lock that it does not get, and gets it when it comes free', async () => {
      write('service', '20300102000000_more', 'ALTER TABLE things ADD COLUMN more int;');
      await withClient(database.url, async (reader) => {
        await reader.query('BEGIN; SELECT FROM things');
        const applied = apply('service');
        const waiting = `SELECT FROM pg_locks WHERE NOT granted AND database = (
          SELECT oid FROM pg_database WHERE datname = current_database())`;
        await eventually(async () => expect(await query(waiting)).not.toEqual([]));
        await query(`SET lock_timeout = '5s'; SELECT FROM things`);
        await reader.query('COMMIT');
        expect(await applied).toEqual(['20300102000000_more']);
      });
    });

    it('says what to do when a lock never comes free, and can be tried again', async () => {
      write('service', '20300102000000_more', 'ALTER TABLE things ADD COLUMN more int;');
      await withClient(database.url, async (reader) => {
        await reader.query('BEGIN; SELECT FROM things');
        await expect(database.applyAtOnce('service')).rejects.toThrow('End the long transactions');
        expect(await query('SELECT FROM things')).toEqual([]);
      });
      expect(await apply('service')).toEqual(['20300102000000_more']);
    });

    it('builds an index concurrently, beside a transaction that writes the table', async () => {
      write('service', '20300102000000_index', build('things_by_n', 'things (n)'));
      await withClient(database.url, async (writer) => {
        await writer.query('BEGIN; INSERT INTO things VALUES (1, 1)');
        const applied = apply('service');
        const building = `SELECT FROM pg_stat_progress_create_index WHERE datname = current_database()`;
        await eventually(async () => expect(await query(building)).toHaveLength(1));
        await writer.query('INSERT INTO things VALUES (2, 2); COMMIT');
        expect(await applied).toEqual(['20300102000000_index']);
      });
      expect(await query(INVALID)).toEqual([]);
    });

    it('cleans up after a build that failed, and builds the index once it can', async () => {
      write(
        'service',
        '20300102000000_index',
        build('things_by_id', 'things (id)') + build('things_by_n', 'apart.things (n)'),
      );
      await query('INSERT INTO apart.things VALUES (1, 7), (2, 7)');
      await expect(apply('service')).rejects.toThrow('could not create unique index');
      expect(await query(INVALID)).toEqual([{ name: 'apart.things_by_n' }]);
      await query('DELETE FROM apart.things WHERE id = 2');
      expect(await apply('service')).toEqual(['20300102000000_index']);
      expect(await query(INVALID)).toEqual([]);
      await expect(query('INSERT INTO apart.things VALUES (3, 7)')).rejects.toThrow('things_by_n');
    });

    it('builds it once when several migrate at the same time, and none waits for the other for ever', async () => {
      write('service', '20300102000000_index', build('things_by_n', 'things (n)'));
      const applied = await Promise.all([apply('service'), apply('service'), apply('service')]);
      expect(applied.flat()).toEqual(['20300102000000_index']);
    });

    it('refuses what could not be repeated', async () => {
      write(
        'service',
        '20300102000000_index',
        '-- concurrently\nCREATE INDEX CONCURRENTLY things_by_n ON things (n);',
      );
      await expect(apply('service')).rejects.toThrow('IF NOT EXISTS');
    });
  });
});
