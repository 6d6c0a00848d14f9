import { withClient } from '@tds/servers';

/** From now on a statement that deletes more than `limit` rows of the table fails: what a purge of any size must not do. */
export const limitDeletes = async (adminUrl: string, table: string, limit: number): Promise<void> =>
  withClient(adminUrl, async (client) => {
    await client.query(`
      CREATE OR REPLACE FUNCTION public.refuse_long_deletes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT count(*) FROM gone) > TG_ARGV[0]::int THEN
          RAISE 'one statement deleted more than % rows of %', TG_ARGV[0], TG_TABLE_NAME;
        END IF;
        RETURN NULL;
      END $$`);
    await client.query(`
      CREATE TRIGGER short_deletes AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_long_deletes(${limit})`);
  });
