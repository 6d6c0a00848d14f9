import type { Pool } from 'pg';
import type { StreamNow } from './stream-now.ts';

/** Up to where the outbox was compared with its stream: by id, and of what was published late by that moment. */
export type Audited = {
  readonly streamCreated: string;
  readonly id: string;
  readonly at: string;
};

const BEGIN = `
  INSERT INTO messaging.outbox_audits (stream, stream_created, audited_id, audited_at)
  VALUES ($1, $2, '00000000-0000-0000-0000-000000000000', '-infinity') ON CONFLICT DO NOTHING`;
const READ = `
  SELECT stream_created AS "streamCreated", audited_id AS id, audited_at::text AS at
  FROM messaging.outbox_audits WHERE stream = $1`;
const BEGIN_AGAIN = `
  UPDATE messaging.outbox_audits SET stream_created = $2, audited_id = '00000000-0000-0000-0000-000000000000',
    audited_at = '-infinity'
  WHERE stream = $1 AND stream_created = $3`;

/** Where the audit goes on. Of another stream of this name than the last time: at the beginning. */
export const readAudited = async (pool: Pool, { name, created }: StreamNow): Promise<Audited> => {
  await pool.query(BEGIN, [name, created]);
  for (;;) {
    const [audited] = (await pool.query<Audited>(READ, [name])).rows;
    if (!audited) throw new Error(`the audit of ${name} is gone: the database was put back`);
    if (audited.streamCreated === created) return audited;
    await pool.query(BEGIN_AGAIN, [name, created, audited.streamCreated]);
  }
};

/** Beyond a minute ago nothing is settled: a row may be committed after a younger one. */
const MOVE = `
  UPDATE messaging.outbox_audits SET
    audited_id = least($5::uuid, greatest(audited_id, messaging.floor_id(now() - interval '1 minute'))),
    audited_at = least($6::timestamptz, greatest(audited_at, now() - interval '1 minute'))
  WHERE stream = $1 AND stream_created = $2 AND audited_id = $3::uuid AND audited_at = $4::timestamptz
  RETURNING stream_created AS "streamCreated", audited_id AS id, audited_at::text AS at`;

/** Moves it from where it was read. Throws where it is not there any more: another instance, or a restored database. */
export const moveAudited = async (
  pool: Pool,
  { name }: StreamNow,
  from: Audited,
  to: Partial<Pick<Audited, 'id' | 'at'>>,
): Promise<Audited> => {
  const { id = from.id, at = from.at } = to;
  const moved = await pool.query<Audited>(MOVE, [name, from.streamCreated, from.id, from.at, id, at]);
  const [audited] = moved.rows;
  if (!audited) throw new Error(`the audit of ${name} was moved by somebody else`);
  return audited;
};
