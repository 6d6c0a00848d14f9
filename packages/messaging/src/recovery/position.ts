import type { Pool, PoolClient } from 'pg';
import type { StreamState } from '../broker/stream-now.ts';

/** A message, and its position in the stream. */
export type Checkpoint = { readonly id: string; readonly seq: number };

/** The position up to which this database has handled a consumer's messages. */
export type Position = {
  readonly seq: number;
  /** The saved position; undefined if there is none. */
  readonly record: { readonly streamCreated: string; readonly seq: number } | undefined;
  /** The last known message up to there. If another message has its position, the stream lost messages. */
  readonly checkpoint: Checkpoint | undefined;
};

const READ = `
  SELECT stream_created AS "streamCreated", stream_seq::float8 AS seq, anchor_seq::float8 AS "checkpointSeq", anchor_id AS "checkpointId"
  FROM messaging.positions WHERE consumer = $1`;

/** By the time in the ids. The highest position among 200 is the highest of all, or close to it. */
const LOWEST_RECEIVED = `
  SELECT min(stream_seq)::float8 AS seq FROM (
    SELECT stream_seq FROM messaging.inbox
    WHERE consumer = $1 AND stream_seq IS NOT NULL ORDER BY message_id DESC LIMIT 200) AS newest`;

type SavedPosition = {
  readonly streamCreated: string;
  readonly seq: number;
  readonly checkpointSeq: number | null;
  readonly checkpointId: string | null;
};

const checkpointOf = ({ checkpointSeq, checkpointId }: SavedPosition): Checkpoint | undefined =>
  checkpointSeq === null || checkpointId === null ? undefined : { id: checkpointId, seq: checkpointSeq };

/** If nothing is saved yet, the lowest position among the newest messages received; in another stream its beginning. */
export const readPosition = async (pool: Pool, consumer: string, stream: StreamState): Promise<Position> => {
  const [record] = (await pool.query<SavedPosition>(READ, [consumer])).rows;
  if (record?.streamCreated === stream.created)
    return { record, seq: record.seq, checkpoint: checkpointOf(record) };
  if (record) return { record, seq: 0, checkpoint: undefined };
  const [{ seq } = { seq: null }] = (await pool.query<{ seq: number | null }>(LOWEST_RECEIVED, [consumer]))
    .rows;
  const lowestSeq = seq !== null && seq <= stream.lastSeq ? seq : 0;
  return { record, seq: Math.max(lowestSeq, stream.firstSeq - 1), checkpoint: undefined };
};

const BEGIN = `
  INSERT INTO messaging.positions (consumer, stream_created, stream_seq, anchor_seq, anchor_id)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`;
const MOVE = `
  UPDATE messaging.positions SET stream_created = $2, stream_seq = $3, anchor_seq = $4, anchor_id = $5
  WHERE consumer = $1 AND stream_created = $6 AND stream_seq = $7`;

type Target = Pick<Position, 'seq' | 'checkpoint'> & { readonly created: string };

/** Moves the position. Throws if it changed since it was read: by another instance, or a restore. */
export const movePosition = async (
  client: Pool | PoolClient,
  consumer: string,
  { from: { record }, to }: { readonly from: Position; readonly to: Target },
): Promise<Position> => {
  const { created, seq, checkpoint } = to;
  const target = [consumer, created, seq, checkpoint?.seq ?? null, checkpoint?.id ?? null];
  const result = record
    ? await client.query(MOVE, [...target, record.streamCreated, record.seq])
    : await client.query(BEGIN, target);
  if (result.rowCount !== 1)
    throw new Error(`the position of ${consumer} was moved by another instance, or the database was restored`);
  return { seq, checkpoint, record: { streamCreated: created, seq } };
};
