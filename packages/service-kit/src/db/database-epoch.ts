import type { ClientBase } from 'pg';

/** What is another one after a database was put back, made anew under its name, or taken over by a standby. */
export const DATABASE_EPOCH = `
  SELECT concat_ws(' ', system_identifier, oid,
    CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END) AS epoch
  FROM pg_control_system(), pg_database WHERE datname = current_database()`;

/** Which database this is: the same for as long as nothing that it has committed can be gone. */
export const databaseEpoch = async (database: Pick<ClientBase, 'query'>): Promise<string> => {
  const [row] = (await database.query<{ epoch: string }>(DATABASE_EPOCH)).rows;
  if (!row) throw new Error('the database does not say which one it is');
  return row.epoch;
};
