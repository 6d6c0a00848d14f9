import type { Pool, PoolClient } from 'pg';
import type { Sent } from './kept-messages.ts';

/** The stream as it is now: which one it is, and what it keeps. */
export type StreamNow = { readonly created: string; readonly firstSeq: number; readonly lastSeq: number };

/** Up to where a consumer's messages are known to have been dealt with in this database. */
export type Position = {
  readonly seq: number;
  /** What is saved; undefined where nothing is. */
  readonly saved: { readonly streamCreated: string; readonly seq: number } | undefined;
};

const READ = `
  SELECT stream_created AS "streamCreated", stream_seq::float8 AS seq FROM messaging.positions WHERE consumer = $1`;

/** By the ids' own time; the highest position among so many is the highest there is, or close to it. */
const NEWEST_RECEIVED = `
  SELECT message_id AS id, stream_seq FROM messaging.inbox
  WHERE consumer = $1 AND stream_seq IS NOT NULL ORDER BY message_id DESC LIMIT 200`;

/** The messages that this database knows as the newest that were received. */
export const newestReceived = async (pool: Pool, consumer: string): Promise<Sent[]> =>
  (await pool.query<Sent>(NEWEST_RECEIVED, [consumer])).rows;

/** If nothing is saved yet, the lowest position among the newest messages received; in another stream its beginning. */
export const readPosition = async (pool: Pool, consumer: string, stream: StreamNow): Promise<Position> => {
  const [saved] = (await pool.query<{ streamCreated: string; seq: number }>(READ, [consumer])).rows;
  const fits = (seq: number) => (seq <= stream.lastSeq ? seq : 0);
  if (saved) return { saved, seq: saved.streamCreated === stream.created ? fits(saved.seq) : 0 };
  const positions = (await newestReceived(pool, consumer)).map(({ stream_seq }) => Number(stream_seq));
  const known = positions.length === 0 ? 0 : fits(Math.min(...positions));
  return { saved, seq: Math.max(known, stream.firstSeq - 1) };
};

const BEGIN = `
  INSERT INTO messaging.positions (consumer, stream_created, stream_seq) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
const MOVE = `
  UPDATE messaging.positions SET stream_created = $2, stream_seq = $3
  WHERE consumer = $1 AND stream_created = $4 AND stream_seq = $5`;

/** Moves it from where it was read. Throws where it is not there any more: another instance, or a restored database. */
export const movePosition = async (
  client: PoolClient,
  consumer: string,
  { from, to }: { readonly from: Position; readonly to: { readonly created: string; readonly seq: number } },
): Promise<Position> => {
  const { saved } = from;
  const target = [consumer, to.created, to.seq];
  const moved = saved
    ? await client.query(MOVE, [...target, saved.streamCreated, saved.seq])
    : await client.query(BEGIN, target);
  if (moved.rowCount !== 1) throw new Error(`the position of ${consumer} was moved by somebody else`);
  return { seq: to.seq, saved: { streamCreated: to.created, seq: to.seq } };
};
