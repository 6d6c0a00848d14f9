import type { Pool } from 'pg';
import { REPLAY_TASK } from './dead-letters.ts';

/** A pool, or one connection. */
type Queries = Pick<Pool, 'query'>;

/** Who is to take an event once more: the listener that missed it, or the service that told it and has lost that. */
export type ReplayFor = 'listener' | 'emitter';

export type Replay = {
  readonly for: ReplayFor;
  readonly subject: string;
  readonly messageId: string;
  readonly streamSeq: number;
  /** JSON. */
  readonly payload: string;
  readonly headers: unknown;
};

const ENQUEUE = `SELECT messaging.enqueue_once('${REPLAY_TASK}', $1, $2::jsonb, $3::jsonb, $4::bigint)`;

/** Leaves a task that hands the event over: it has the retries and the end of every task. One per event, however often it is asked for. */
export const replayLater = async (database: Queries, replay: Replay, delayMs = 0): Promise<void> => {
  const { payload, headers, ...named } = replay;
  const text = `${JSON.stringify(named).slice(0, -1)},"payload":${payload}}`;
  const key = `${replay.for} ${replay.subject} ${replay.messageId}`;
  await database.query(ENQUEUE, [key, text, JSON.stringify(headers), delayMs]);
};
