import { ask, type BookCheck, type Breach, checkPages, type Evidence, findStrays } from './evidence.ts';

type Part = { id: string; object_key: string; bytes: string; sha256: string };
type Stored = { key: string; bytes: string; sha256: string };

const PAGE = 1_000;
/** Expired objects are deleted every minute, and may be many. */
const DELETED_WITHIN_SECONDS = 900;

const PARTS = `
  SELECT a.id, p ->> 'objectKey' AS object_key, p ->> 'bytes' AS bytes, p ->> 'sha256' AS sha256
  FROM archives AS a CROSS JOIN LATERAL jsonb_array_elements(a.parts) AS p
  WHERE a.state = 'ready' AND a.expires_at > now() AND p ->> 'objectKey' > $1
  ORDER BY p ->> 'objectKey' LIMIT ${PAGE}`;
const STORED = `SELECT key, bytes::text, sha256 FROM objects WHERE key = ANY ($1)`;
const OVERDUE = `
  SELECT o.key AS id FROM archive_objects AS o JOIN archives AS a ON a.id = o.archive_id
  WHERE least(o.delete_after, a.expires_at) < now() - $1 * interval '1 second' ORDER BY o.key LIMIT 50`;
const ZIPS = `SELECT key FROM objects WHERE key LIKE 'archives/%' AND key > $1 ORDER BY key LIMIT ${PAGE}`;
const NOTED = 'SELECT key AS id FROM archive_objects WHERE key = ANY ($1)';

const compare = ({ id, object_key: key, bytes, sha256 }: Part, stored: Stored | undefined): Breach[] => {
  const expected = `${bytes} bytes, ${sha256}`;
  const found = stored ? `${stored.bytes} bytes, ${stored.sha256}` : 'none';
  return found === expected ? [] : [{ subject: `archive ${id}`, what: `its ZIP ${key}`, expected, found }];
};

const checkParts = ({ rows }: Evidence): Promise<Breach[]> =>
  checkPages(
    PAGE,
    '',
    (after) => rows<Part>('archiver', PARTS, [after]),
    ({ object_key: key }) => key,
    async (page) => {
      const stored = await rows<Stored>('objects', STORED, [page.map(({ object_key: key }) => key)]);
      const byKey = new Map(stored.map((one) => [one.key, one]));
      return page.flatMap((part) => compare(part, byKey.get(part.object_key)));
    },
  );

export const archivesCheck: BookCheck = {
  invariant: 'I3',
  promise: 'archives have their ZIPs until they expire, and every ZIP has an archive',
  check: async (evidence) => [
    ...(await checkParts(evidence)),
    // A ZIP is noted before it is stored, and its object is deleted before its note.
    ...(await findStrays(evidence, {
      source: { service: 'objects', sql: ZIPS },
      reference: { service: 'archiver', sql: NOTED },
      pageSize: PAGE,
      breach: { subject: '', what: 'the archive of a stored ZIP', expected: 'one' },
    })),
    ...(await ask(evidence, {
      ...{ service: 'archiver', sql: OVERDUE, values: [DELETED_WITHIN_SECONDS] },
      ...{ what: 'a ZIP that no route may deliver any more', expected: 'deleted', found: 'kept' },
    })),
  ],
};
