import { serviceError } from '@tds/contracts';
import type { Pool } from 'pg';
import { emittedReader } from '../broker/streams.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { type Audited, moveAudited, readAudited } from './audited.ts';
import { lostAmong, type Sent } from './kept-messages.ts';
import { streamNow } from './stream-now.ts';

const PAGE_SIZE = 1_000;
const PAGE_BACK_SIZE = 100;

type Row = Sent & { readonly at: string };

const COLUMNS = 'id, stream_seq::float8 AS seq, published_at::text AS at';
const PUBLISHED = 'published_at IS NOT NULL AND stream_seq IS NOT NULL';
const LATE = `${PUBLISHED} AND published_at - created_at > interval '30 seconds'`;

/** Two lists hold every published row: all by id, and those that left late once more, by the time when they did. */
const PAGES = {
  id: `SELECT ${COLUMNS} FROM messaging.outbox WHERE id > $1 AND ${PUBLISHED} ORDER BY id LIMIT ${PAGE_SIZE}`,
  // Of those of one moment some may be on the page before.
  at: `SELECT ${COLUMNS} FROM messaging.outbox WHERE published_at >= $1 AND ${LATE}
    ORDER BY published_at, id LIMIT ${PAGE_SIZE}`,
};
const PAGES_BACK = {
  id: `SELECT ${COLUMNS} FROM messaging.outbox WHERE id <= $1 AND ${PUBLISHED} ORDER BY id DESC LIMIT ${PAGE_BACK_SIZE}`,
  at: `SELECT ${COLUMNS} FROM messaging.outbox WHERE published_at <= $1 AND ${LATE}
    ORDER BY published_at DESC, id DESC LIMIT ${PAGE_BACK_SIZE}`,
};
const lists = ['id', 'at'] as const;

const PUBLISH_AGAIN = `
  UPDATE messaging.outbox SET published_at = NULL, waiting_since = clock_timestamp(), failures = failures + 1
  FROM unnest($1::uuid[], $2::bigint[]) AS lost (id, seq)
  WHERE outbox.id = lost.id AND outbox.stream_seq = lost.seq AND published_at IS NOT NULL`;

type Audit = {
  readonly pool: Pool;
  readonly signal: AbortSignal;
  /** Leaves those of the rows to the relay that the stream has lost; resolves to how many these are. */
  readonly check: (rows: readonly Row[]) => Promise<number>;
};

/** What was there the last time: newest first, for as long as something is missing. A stream loses its end. */
const checkBack = async (
  { pool, signal, check }: Audit,
  list: 'id' | 'at',
  from: Audited,
): Promise<number> => {
  let again = 0;
  for (let before = from[list]; !signal.aborted; ) {
    const { rows } = await pool.query<Row>(PAGES_BACK[list], [before]);
    const lost = await check(rows);
    again += lost;
    const last = rows.at(-1);
    if (lost === 0 || !last || last[list] === before) return again;
    before = last[list];
  }
  return again;
};

/** Every row since the last time, page by page; `moved` keeps how far it has come. */
const checkOn = async (
  { pool, signal, check }: Audit,
  list: 'id' | 'at',
  from: Audited,
  moved: (page: Row) => Promise<void>,
): Promise<number> => {
  let again = 0;
  for (let after = from[list]; !signal.aborted; ) {
    const { rows } = await pool.query<Row>(PAGES[list], [after]);
    again += await check(rows);
    const last = rows.at(-1);
    if (last) await moved(last);
    if (!last || rows.length < PAGE_SIZE) return again;
    after = last[list];
  }
  return again;
};

/** The stream is looked at behind the rows: what is published meanwhile is none that it lacks. */
const checkWith =
  ({ pool, bus, service }: StoreRuntime, { streamCreated }: Audited, signal: AbortSignal): Audit['check'] =>
  async (rows) => {
    if (rows.length === 0) return 0;
    const stream = await streamNow(bus, service, signal);
    if (stream.created !== streamCreated)
      throw serviceError('service_unavailable', {
        cause: new Error('the stream was made anew during its audit'),
      });
    const kept = { stream, reader: emittedReader(service), subject: `evt.${service}.>` };
    const lost = await lostAmong(bus, kept, rows);
    if (lost.length === 0) return 0;
    const columns = [lost.map(({ id }) => id), lost.map(({ seq }) => seq)];
    return (await pool.query(PUBLISH_AGAIN, columns)).rowCount ?? 0;
  };

/**
 * Looks whether the stream has what it acknowledged: every event since the last time, however long ago that was, and of
 * what was there by then the end. A broker may come back wiped, rolled back or without its last seconds, and a
 * new leader may lack some. What is lost is left to the relay; listeners recognise what was not. Resolves to the number.
 */
export const auditOutbox = async (runtime: StoreRuntime, signal: AbortSignal): Promise<number> => {
  const { pool, bus, service, log, metrics } = runtime;
  const stream = await streamNow(bus, service, signal);
  let audited = await readAudited(pool, stream);
  const audit = { pool, signal, check: checkWith(runtime, audited, signal) };
  let again = 0;
  for (const list of lists) {
    again += await checkBack(audit, list, audited);
    again += await checkOn(audit, list, audited, async (last) => {
      audited = await moveAudited(pool, stream, audited, { [list]: last[list] });
    });
  }
  if (again > 0) {
    metrics.eventsPublishedAgain.inc(again);
    log.warn('the broker lost events that it had acknowledged: they are published again', { events: again });
  }
  return again;
};
