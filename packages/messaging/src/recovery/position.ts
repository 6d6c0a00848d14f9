import { DATABASE_EPOCH, onlyRow } from '@tds/base';
import type { Pool, PoolClient } from 'pg';
import type { StreamState } from '../broker/stream-now.ts';

/** A message, and its position in the stream. */
export type Checkpoint = { readonly id: string; readonly seq: number };

/** The position up to which this database has handled a consumer's messages. */
export type Position = {
  readonly seq: number;
  /** The saved position, if there is one. */
  readonly record: Omit<SavedPosition, 'checkpoint'> | null;
  /** The last known message up to there. If another message has its position, the stream lost messages. */
  readonly checkpoint: Checkpoint | null;
  /** The database in which it was read: what was learnt there says nothing of one that takes its place. */
  readonly epoch: string;
};

const READ = `
  SELECT e.epoch, (
    SELECT jsonb_build_object('streamCreated', stream_created, 'seq', stream_seq,
      'checkpoint', CASE WHEN anchor_id IS NOT NULL THEN jsonb_build_object('id', anchor_id, 'seq', anchor_seq) END)
    FROM messaging.positions WHERE consumer = $1) AS record
  FROM (${DATABASE_EPOCH}) AS e`;

/** By the time in the ids. The highest position among 200 is the highest of all, or close to it. */
const LOWEST_RECEIVED = `
  SELECT min(stream_seq)::float8 AS seq FROM (
    SELECT stream_seq FROM messaging.inbox
    WHERE consumer = $1 AND stream_seq IS NOT NULL ORDER BY message_id DESC LIMIT 200) AS newest`;

type SavedPosition = Pick<Position, 'seq' | 'checkpoint'> & { readonly streamCreated: string };

/** If nothing is saved yet, the lowest position among the newest messages received; in another stream its beginning. */
export const readPosition = async (pool: Pool, consumer: string, stream: StreamState): Promise<Position> => {
  const { rows } = await pool.query<{ epoch: string; record: SavedPosition | null }>(READ, [consumer]);
  const { epoch, record } = onlyRow(rows);
  if (record?.streamCreated === stream.created)
    return { epoch, record, seq: record.seq, checkpoint: record.checkpoint };
  if (record) return { epoch, record, seq: 0, checkpoint: null };
  const [{ seq } = { seq: null }] = (await pool.query<{ seq: number | null }>(LOWEST_RECEIVED, [consumer]))
    .rows;
  const lowestSeq = seq !== null && seq <= stream.lastSeq ? seq : 0;
  return { epoch, record, seq: Math.max(lowestSeq, stream.firstSeq - 1), checkpoint: null };
};

const BEGIN = `
  INSERT INTO messaging.positions (consumer, stream_created, stream_seq, anchor_seq, anchor_id)
  SELECT $1, $2, $3::bigint, $4::bigint, $5::uuid WHERE (${DATABASE_EPOCH}) = $6 ON CONFLICT DO NOTHING`;
const MOVE = `
  UPDATE messaging.positions SET stream_created = $2, stream_seq = $3, anchor_seq = $4, anchor_id = $5
  WHERE consumer = $1 AND (${DATABASE_EPOCH}) = $6 AND stream_created = $7 AND stream_seq = $8`;

type Target = Pick<Position, 'seq' | 'checkpoint'> & { readonly created: string };

/** Moves the position. Throws if it changed since it was read, by another instance, or if another database has taken its place. */
export const movePosition = async (
  client: Pool | PoolClient,
  consumer: string,
  { from: { record, epoch }, to }: { readonly from: Position; readonly to: Target },
): Promise<Position> => {
  const { created, seq, checkpoint } = to;
  const target = [consumer, created, seq, checkpoint?.seq ?? null, checkpoint?.id ?? null, epoch];
  const result = record
    ? await client.query(MOVE, [...target, record.streamCreated, record.seq])
    : await client.query(BEGIN, target);
  if (result.rowCount !== 1)
    throw new Error(`the position of ${consumer} was moved by another instance, or the database was restored`);
  return { epoch, seq, checkpoint, record: { streamCreated: created, seq } };
};
