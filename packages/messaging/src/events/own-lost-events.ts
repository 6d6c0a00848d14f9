import type { JsMsg } from '@nats-io/jetstream';
import { DATABASE_EPOCH, inTransaction } from '@tds/base/internals';
import { wireNameOf } from '@tds/contracts';
import type { Pool, PoolClient } from 'pg';
import { messageContextOf, messageIdOf } from '../broker/message-headers.ts';
import { readStream, type StreamPart } from '../broker/read-stream.ts';
import { emittedReader } from '../broker/streams.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { REPLAY_TASK } from './dead-letters.ts';
import { movePosition, type Position, readPosition } from './position.ts';
import { jsonText, replayLater, replayOf } from './replays.ts';
import { type StreamNow, streamNow } from './stream.ts';

/** The schedule that searches. */
export const AUDIT = 'kitAuditOutbox';
/** Headers that are read at once. */
const PAGE_SIZE = 1_000;
/** Bodies that are read at once: they may be half a mebibyte each. */
const NEAR = 100;

/** The outbox may have purged older ones. */
const LACKING = `
  SELECT id FROM unnest($1::uuid[]) AS given (id)
  WHERE id >= messaging.floor_id(now() - interval '7 days')
    AND NOT EXISTS (SELECT FROM messaging.outbox WHERE outbox.id = given.id)`;

/**
 * SQL: this database knows all events that the service emitted, even after a restore. A subquery, so that it is evaluated
 * once a statement. The search is due when a process starts or comes back; a restored copy shows by itself that no search ran in it.
 */
export const HAS_ALL_EMITTED_EVENTS = `(
  SELECT count(*) = 0 FROM (
    SELECT FROM messaging.schedules WHERE name = '${wireNameOf(AUDIT)}'
      AND (next_due_at <= now() OR lease_until > now() OR last_error IS NOT NULL OR finished_in IS DISTINCT FROM (${DATABASE_EPOCH}))
    UNION ALL
    SELECT FROM messaging.tasks WHERE name = '${REPLAY_TASK}' AND state = 'ready' AND dedupe_key LIKE 'emitter %'
  ) AS unknown)`;

/** The events are in the outbox again, created at the time in their ids. Published now, so that the next audit covers their positions. */
const TAKE_BACK = `
  INSERT INTO messaging.outbox (id, subject, payload, headers, created_at, published_at, stream_seq)
  SELECT id, subject, payload, headers, at, clock_timestamp(), seq
  FROM jsonb_to_recordset($1::jsonb) AS lost (id uuid, subject text, payload jsonb, headers jsonb, seq bigint),
    LATERAL (SELECT to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)) AS emitted (at)
  ON CONFLICT DO NOTHING`;

type Search = StoreRuntime & { readonly stream: StreamNow };

type Part = Pick<StreamPart, 'from' | 'upTo' | 'most' | 'least' | 'headersOnly'>;

const read = ({ bus, service, stream }: Search, part: Part): Promise<JsMsg[]> =>
  readStream(bus, {
    ...part,
    stream: stream.name,
    leader: stream.leader,
    reader: emittedReader(service),
    subject: `evt.${service}.>`,
  });

type Lacking = { readonly id: string; readonly seq: number };

const lackingOf = async (pool: Pool, page: readonly JsMsg[]): Promise<Lacking[]> => {
  const bySeq = new Map(
    page.flatMap(({ seq, headers }) => {
      const id = messageIdOf(headers)?.toLowerCase();
      return id === undefined ? [] : [[id, seq] as const];
    }),
  );
  const { rows } = await pool.query<{ id: string }>(LACKING, [[...bySeq.keys()]]);
  return rows.flatMap(({ id }) => {
    const seq = bySeq.get(id);
    return seq === undefined ? [] : [{ id, seq }];
  });
};

type Lost = { readonly id: string; readonly message: JsMsg };

/** With their bodies: those that lie close to each other are read at once. */
const wholeMessages = async (search: Search, lacking: readonly Lacking[]): Promise<Lost[]> => {
  const found: JsMsg[] = [];
  let left = lacking.toSorted((one, other) => one.seq - other.seq);
  for (let first = left[0]; first !== undefined; first = left[0]) {
    const from = first.seq;
    const near = left.filter(({ seq }) => seq < from + NEAR);
    found.push(...(await read(search, { from, upTo: from + NEAR - 1, most: NEAR })));
    left = left.slice(near.length);
  }
  const bySeq = new Map(found.map((message) => [message.seq, message]));
  return lacking.flatMap(({ id, seq }) => {
    const message = bySeq.get(seq);
    return message ? [{ id, message }] : [];
  });
};

type Page = { readonly position: Position; readonly lost: readonly string[] };

const takeBack = async (client: PoolClient, lost: readonly Lost[]): Promise<void> => {
  const rows = lost.map(({ id, message }) => {
    const { subject, seq, headers } = message;
    return JSON.stringify({ id, subject, seq, headers: messageContextOf(headers) }).replace(
      /}$/,
      () => `,"payload":${jsonText(message.string())}}`,
    );
  });
  if (rows.length > 0) await client.query(TAKE_BACK, [`[${rows.join(',')}]`]);
};

/** The messages that the stream keeps after a position. */
const keptAfter = ({ firstSeq, lastSeq, holes }: StreamNow, seq: number): number =>
  lastSeq - Math.max(seq, firstSeq - 1) - holes.filter((hole) => hole > seq).length;

/** One page: its lost events are taken back, and become tasks if the service wants them, in the transaction that moves the position. */
const searchPage = async (search: Search, from: Position, wanted: ReadonlySet<string>): Promise<Page> => {
  const { pool, stream } = search;
  const part = { from: from.seq + 1, upTo: stream.lastSeq, most: PAGE_SIZE, headersOnly: true };
  const page = await read(search, { ...part, least: keptAfter(stream, from.seq) });
  const last = page.length < PAGE_SIZE ? undefined : page.at(-1);
  const lost = await wholeMessages(search, await lackingOf(pool, page));
  return inTransaction(pool, async (client) => {
    await takeBack(client, lost);
    for (const { id, message } of lost)
      if (wanted.has(message.subject)) await replayLater(client, replayOf(message, id, 'emitter'));
    const to = { created: stream.created, seq: last?.seq ?? stream.lastSeq, checkpoint: undefined };
    const position = await movePosition(client, stream.name, { from, to });
    return { position, lost: lost.map(({ message }) => message.subject) };
  });
};

/**
 * Looks for messages of the own stream that the own outbox lacks: this database is a copy from before, and others know what it
 * does not. An alarm; and for events that the service has a handler for (`onOwnLostEvents`), a task each. The position goes
 * back with the database. Resolves to the number of events.
 */
export const findOwnLostEvents = async (
  runtime: StoreRuntime,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<number> => {
  const { pool, bus, service, surface, log, metrics } = runtime;
  const stream = await streamNow(bus, service, signal);
  const names = new Map(
    Object.values(surface.contract.events).map(({ subject, wireName }) => [subject, wireName]),
  );
  let position = await readPosition(pool, stream.name, stream);
  let found = 0;
  while (position.seq < stream.lastSeq && !signal.aborted) {
    const page = await searchPage({ ...runtime, stream }, position, wanted);
    position = page.position;
    found += page.lost.length;
    for (const subject of page.lost) metrics.ownLostEvents.inc({ name: names.get(subject) ?? 'unknown' });
  }
  if (found > 0)
    log.error('this database is older than what the service emitted: others know of events that it lacks', {
      events: found,
    });
  return found;
};
