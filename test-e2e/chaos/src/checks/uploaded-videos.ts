import type { Finding } from '@tds/audit';
import type { Harness } from '../harness.ts';

/** Of watched channels and playlists: a restored database may have lost monitors. */
const FOUND = `
  SELECT f.source_id AS source, array_agg(v.video_id::text) AS videos
  FROM feeds AS f JOIN videos AS v ON v.feed_id = f.id AND v.number IS NOT NULL
  WHERE f.watchers > 0 GROUP BY f.source_id`;

/** I11, from the platform's side: what was uploaded to a channel or a playlist while it was watched is a new video of it. */
export const checkUploads = async ({
  evidence,
  uploads,
}: Pick<Harness, 'evidence' | 'uploads'>): Promise<Finding[]> => {
  const rows = await evidence.rows<{ source: string; videos: string[] }>('monitor-scheduler', FOUND);
  return rows.flatMap(({ source, videos }) => {
    const found = new Set(videos);
    const forgotten = (uploads.get(source) ?? []).filter((id) => !found.has(id));
    if (forgotten.length === 0) return [];
    const what = 'videos that were uploaded while their source was watched';
    return [{ invariant: 'I11', subject: source, what, expected: 'found', found: `not ${forgotten}` }];
  });
};
