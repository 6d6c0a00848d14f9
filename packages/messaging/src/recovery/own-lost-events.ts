import type { JsMsg } from '@nats-io/jetstream';
import { DATABASE_EPOCH } from '@tds/base/internals';
import { wireNameOf } from '@tds/contracts';
import type { PoolClient } from 'pg';
import { messageContextOf } from '../broker/message-headers.ts';
import { readStream, type StreamPart } from '../broker/read-stream.ts';
import { readStreamState, type StreamState } from '../broker/stream-now.ts';
import { emittedReader } from '../broker/streams.ts';
import { REPLAY_TASK } from '../inbox/dead-letters.ts';
import { jsonText, replayLater, toReplay } from '../inbox/replays.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { byId, compareStream, type MessagesById } from './compare-stream.ts';
import { readPosition } from './position.ts';

/** The schedule that searches. */
export const AUDIT = 'kitAuditOutbox';
/** Headers that are read at once. */
const PAGE_SIZE = 1_000;
/** Bodies that are read at once: they may be half a mebibyte each. */
const READ_SPAN = 100;

/** The outbox may have purged older ones. */
const FIND_MISSING = `
  SELECT id FROM unnest($1::uuid[]) AS message (id)
  WHERE id >= messaging.floor_id(now() - interval '7 days')
    AND NOT EXISTS (SELECT FROM messaging.outbox WHERE outbox.id = message.id)`;

/**
 * SQL: this database knows all events that the service emitted, even after a restore. A subquery, so that it is evaluated
 * once a statement. The search is due when a process starts or comes back; a restored copy shows by itself that no search ran in it.
 */
export const HAS_ALL_EMITTED_EVENTS = `(
  SELECT count(*) = 0 FROM (
    SELECT FROM messaging.schedules WHERE name = '${wireNameOf(AUDIT)}'
      AND (due_at <= now() OR lease_until > now() OR last_error IS NOT NULL OR finished_in IS DISTINCT FROM (${DATABASE_EPOCH}))
    UNION ALL
    SELECT FROM messaging.tasks WHERE name = '${REPLAY_TASK}' AND state = 'ready' AND dedupe_key LIKE 'emitter %'
  ) AS unknown)`;

/** The events are in the outbox again, created at the time in their ids. Published now, so that the next audit covers their positions. */
const RESTORE = `
  INSERT INTO messaging.outbox (id, subject, payload, headers, created_at, published_at, stream_seq)
  SELECT id, subject, payload, headers, at, clock_timestamp(), seq
  FROM jsonb_to_recordset($1::jsonb) AS lost (id uuid, subject text, payload jsonb, headers jsonb, seq bigint),
    LATERAL (SELECT to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)) AS emitted (at)
  ON CONFLICT DO NOTHING`;

/** The messages of a page that the outbox lacks, with their bodies: those that lie close to each other are read at once. */
const findLost = async (
  { pool, bus }: StoreRuntime,
  part: Pick<StreamPart, 'stream' | 'reader' | 'subject'>,
  page: MessagesById,
): Promise<MessagesById> => {
  const { rows } = await pool.query<{ id: string }>(FIND_MISSING, [[...page.keys()]]);
  const ids = new Set(rows.map(({ id }) => id));
  const matches: JsMsg[] = [];
  let seqs = [...page]
    .flatMap(([id, { seq }]) => (ids.has(id) ? [seq] : []))
    .toSorted((one, other) => one - other);
  for (let from = seqs[0]; from !== undefined; from = seqs[0]) {
    const upTo = from + READ_SPAN - 1;
    matches.push(...(await readStream(bus, { ...part, from, upTo, limit: READ_SPAN })));
    seqs = seqs.filter((seq) => seq > upTo);
  }
  return new Map([...byId(matches)].filter(([id]) => ids.has(id)));
};

const restoreRows = async (client: PoolClient, lostMessages: MessagesById): Promise<void> => {
  const rows = [...lostMessages].map(([id, message]) => {
    const { subject, seq, headers } = message;
    return JSON.stringify({ id, subject, seq, headers: messageContextOf(headers) }).replace(
      /}$/,
      () => `,"payload":${jsonText(message.string())}}`,
    );
  });
  if (rows.length > 0) await client.query(RESTORE, [`[${rows.join(',')}]`]);
};

/** The messages that the stream keeps after a position. */
const countAfter = ({ firstSeq, lastSeq, holes }: StreamState, seq: number): number =>
  lastSeq - Math.max(seq, firstSeq - 1) - holes.filter((hole) => hole > seq).length;

/**
 * Looks for messages of the own stream that the own outbox lacks: this database is a copy from before, and others know what it
 * does not. An alarm; and for events that the service has a handler for (`onOwnLostEvents`), a task each, in the transaction that takes
 * them back. The position goes back with the database. Resolves to the number of events.
 */
export const findOwnLostEvents = async (
  runtime: StoreRuntime,
  subjects: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<number> => {
  const { pool, bus, service, surface, log, metrics } = runtime;
  const stream = await readStreamState(bus, service, signal);
  const names = new Map(
    Object.values(surface.contract.events).map(({ subject, wireName }) => [subject, wireName]),
  );
  const target = { stream, reader: emittedReader(service), subject: `evt.${service}.>` };
  const comparison = {
    ...target,
    upTo: stream.lastSeq,
    limit: PAGE_SIZE,
    headersOnly: true,
    signal,
    consumer: stream.name,
    start: await readPosition(pool, stream.name, stream),
    minMessages: (seq: number) => countAfter(stream, seq),
  };
  let total = 0;
  for await (const { messages, move } of compareStream(runtime, comparison)) {
    const lostMessages = await findLost(runtime, target, messages);
    await move(async (client) => {
      await restoreRows(client, lostMessages);
      for (const [id, message] of lostMessages)
        if (subjects.has(message.subject)) await replayLater(client, toReplay(message, id, 'emitter'));
    });
    total += lostMessages.size;
    for (const { subject } of lostMessages.values())
      metrics.ownLostEvents.inc({ name: names.get(subject) ?? 'unknown' });
  }
  if (total > 0)
    log.error('this database is older than what the service emitted: others know of events that it lacks', {
      events: total,
    });
  return total;
};
