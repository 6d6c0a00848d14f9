import { emittedReader, eventStream, prepareStream } from '../broker/streams.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { bySeq, isKept, type Sent } from './kept-messages.ts';

const PAGE_SIZE = 200;

/** Newest first, page by page; as far back as streams keep their messages. */
const PAGE = `
  SELECT id, stream_seq FROM messaging.outbox
  WHERE stream_seq IS NOT NULL AND published_at IS NOT NULL AND id >= messaging.floor_id(now() - interval '7 days')
    AND ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT ${PAGE_SIZE}`;
const PUBLISH_AGAIN = `
  UPDATE messaging.outbox SET published_at = NULL, waiting_since = clock_timestamp(), failures = failures + 1
  WHERE id = ANY ($1::uuid[]) AND published_at IS NOT NULL`;

/**
 * Looks whether the stream still has what it acknowledged: a broker may come back wiped, rolled back or without its last
 * seconds. What it lost is published again, newest page first, until a page whose oldest event is there. Resolves to the
 * number of events that will be published again; listeners recognise those that were not lost.
 */
export const auditStream = async ({
  pool,
  bus,
  service,
}: Pick<StoreRuntime, 'pool' | 'bus' | 'service'>): Promise<number> => {
  const stream = eventStream(service, bus.streamLimits);
  await prepareStream(bus, stream);
  const kept = { stream: stream.name, reader: emittedReader(service), subject: `evt.${service}.>` };
  let again = 0;
  for (let before: string | null = null; ; ) {
    const { rows }: { rows: Sent[] } = await pool.query<Sent>(PAGE, [before]);
    const inOrder = rows.toSorted(bySeq);
    const [oldest, newest] = [inOrder.at(0), inOrder.at(-1)];
    if (!oldest || !newest || (await isKept(bus, kept, newest))) return again;
    again += (await pool.query(PUBLISH_AGAIN, [rows.map((row) => row.id)])).rowCount ?? 0;
    if (rows.length < PAGE_SIZE || (await isKept(bus, kept, oldest))) return again;
    before = rows.at(-1)?.id ?? null;
  }
};
