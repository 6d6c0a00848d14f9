import type { BookCheck } from './check.ts';

const MISSING = `
  SELECT o.id, o.video_id, t.object_key FROM operations AS o LEFT JOIN transcripts AS t ON t.id = o.transcript_id
  WHERE o.state = 'delivered' AND o.created_at > now() - interval '1 day' ORDER BY o.id`;
const STORED = 'SELECT key FROM objects WHERE key = ANY ($1)';

/** What was paid for must be there to be read again. */
export const storedDeliveriesCheck: BookCheck = {
  invariant: 'I3',
  promise: 'what was delivered is stored',
  look: async ({ rows }) => {
    const delivered = await rows<{ id: string; video_id: string; object_key: string | null }>(
      'transcript-fetcher',
      MISSING,
    );
    const keys = [...new Set(delivered.flatMap(({ object_key }) => object_key ?? []))];
    const stored = new Set((await rows<{ key: string }>('objects', STORED, [keys])).map(({ key }) => key));
    return delivered
      .filter(({ object_key }) => object_key === null || !stored.has(object_key))
      .map(({ id, video_id, object_key }) => ({
        subject: `operation ${id}`,
        what: `cues of ${video_id}`,
        expected: 'in the object store',
        found: object_key ?? 'no transcript',
      }));
  },
};
