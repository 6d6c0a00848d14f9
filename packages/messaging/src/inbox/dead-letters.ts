import type { Pool } from 'pg';

/** A pool, or one connection. */
type Queries = Pick<Pool, 'query'>;

export type DeadLetter = {
  readonly id: string;
  readonly kind: 'event' | 'task';
  /** The event's subject or the task's name. */
  readonly source: string;
  readonly messageId: string;
  readonly payload: unknown;
  readonly reason: string;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly replayedAt: Date | null;
};

/** The task that hands an event's dead letter to its listener once more, with the retries of every task. */
export const REPLAY_TASK = 'kit-replay-event';

const LIST = `
  SELECT id, kind, source, message_id AS "messageId", payload, reason, attempts,
    created_at AS "createdAt", replayed_at AS "replayedAt"
  FROM messaging.dead_letters WHERE ($1 OR replayed_at IS NULL) ORDER BY created_at DESC, id DESC LIMIT $2`;

/** The newest dead letters, only open ones by default. */
export const listDeadLetters = async (
  pool: Queries,
  { includeReplayed = false, limit = 100 }: { includeReplayed?: boolean; limit?: number } = {},
): Promise<DeadLetter[]> => (await pool.query<DeadLetter>(LIST, [includeReplayed, limit])).rows;

const REPLAY = `
  WITH letter AS (
    UPDATE messaging.dead_letters SET replayed_at = clock_timestamp()
    WHERE id = $1 AND replayed_at IS NULL RETURNING *
  ), again AS (
    UPDATE messaging.tasks SET state = 'ready', attempts = 0, due_at = clock_timestamp(),
      lease_until = NULL, finished_at = NULL
    FROM letter WHERE tasks.id = letter.message_id AND letter.kind = 'task' AND tasks.state = 'dead'
      AND NOT EXISTS (
        SELECT FROM messaging.tasks AS other
        WHERE other.name = tasks.name AND other.dedupe_key = tasks.dedupe_key AND other.state = 'ready')
  ), event AS (
    INSERT INTO messaging.tasks (name, payload, headers)
    SELECT '${REPLAY_TASK}', jsonb_build_object('subject', source, 'messageId', message_id, 'payload', payload), headers
    FROM letter WHERE kind = 'event'
  )
  SELECT FROM letter`;

/**
 * Gives a message another round: the task becomes ready again, unless one with its key is open, and the event is handed to
 * its listener. False if it was done before.
 */
export const replayDeadLetter = async (pool: Queries, id: string): Promise<boolean> =>
  (await pool.query(REPLAY, [id])).rowCount === 1;

const DROP = 'DELETE FROM messaging.dead_letters WHERE id = $1 AND replayed_at IS NULL';

/** Forgets an open dead letter. False if there is none. */
export const dropDeadLetter = async (pool: Queries, id: string): Promise<boolean> =>
  (await pool.query(DROP, [id])).rowCount === 1;

const BURY_EVENT = `
  INSERT INTO messaging.dead_letters (kind, source, message_id, payload, headers, reason, attempts)
  VALUES ('event', $1, $2, $3::jsonb, $4::jsonb, $5, $6)
  ON CONFLICT (source, message_id) WHERE replayed_at IS NULL DO NOTHING`;

/** Keeps an event that its listener cannot deal with. */
export const buryEvent = async (
  database: Queries,
  letter: {
    readonly subject: string;
    readonly messageId: string;
    readonly payload: string;
    readonly headers: unknown;
    readonly reason: string;
    readonly attempts: number;
  },
): Promise<void> => {
  const { subject, messageId, payload, headers, reason, attempts } = letter;
  await database.query(BURY_EVENT, [subject, messageId, payload, JSON.stringify(headers), reason, attempts]);
};
