import pg from 'pg';

/**
 * All that dead processes held in this database is free, as if their leases had run out. For the moment when no process is alive that
 * works on it.
 */
export const passLeases = async ({ url }: { readonly url: string }): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const table of ['tasks', 'schedules'])
      await client.query(`UPDATE messaging.${table} SET lease_until = now() WHERE lease_until > now()`);
  } finally {
    await client.end();
  }
};
