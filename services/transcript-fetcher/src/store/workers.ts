import type { Sql } from '@tds/service-kit';

/** How long a worker is believed to live without a sign. */
const ALIVE_SECONDS = 10;

const BEAT = {
  name: 'beat',
  text: `
    WITH alive AS (
      INSERT INTO workers (id, alive_until) VALUES ($1, now() + $2 * interval '1 second')
      ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until
    )
    SELECT count(*)::integer AS others FROM workers WHERE id <> $1 AND alive_until > now()`,
};

/** Says that this worker lives; answers how many do. */
export const beat = async (sql: Sql, id: string): Promise<number> => {
  const [row] = await sql<{ others: number }>(BEAT, [id, ALIVE_SECONDS]);
  return 1 + (row?.others ?? 0);
};

const LEAVE = {
  name: 'leave',
  text: "DELETE FROM workers WHERE id = $1 OR alive_until < now() - interval '1 hour'",
};

/** What this worker has in hand may be taken over at once. */
export const leave = async (sql: Sql, id: string): Promise<void> => {
  await sql(LEAVE, [id]);
};
