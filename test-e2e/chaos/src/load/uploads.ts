import type { Scene } from './scene.ts';

/** Now and then more than the fifteen that a feed has. */
const SIZES = [1, 1, 1, 2, 3, 18];
/** A bound on uploads, because each video is looked up, reported and fetched. */
const APART_MS = 1_000;

/** In the database of monitor-scheduler: what is watched is looked at now, playlists to their end. */
export const LOOK_AT_FEEDS = `
  UPDATE feeds SET due_at = now(), list_in = CASE kind WHEN 'playlist' THEN 0 ELSE list_in END
  WHERE watchers > 0 AND due_at > now()`;

/** Uploads to a watched channel, or to a watched playlist on its top or at its end, and makes its feed due now instead of in a quarter of an hour. */
export const createUploads = ({ simulator, uploads, random, evidence }: Scene) => {
  let nextAt = 0;
  const upload = async (): Promise<null> => {
    if (uploads.size === 0 || performance.now() < nextAt) return null;
    nextAt = performance.now() + APART_MS;
    const to = random.pick([...uploads.keys()]);
    const videos = simulator.upload({ to, count: random.pick(SIZES), at: random.pick(['top', 'end']) });
    uploads.set(to, [...(uploads.get(to) ?? []), ...videos]);
    // The database may be what is being hurt; then its own time comes.
    await evidence.rows('monitor-scheduler', LOOK_AT_FEEDS).catch(() => {});
    return null;
  };
  return { upload };
};
