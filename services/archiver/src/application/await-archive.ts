import type { Deps } from '../deps.ts';
import type { Archive } from '../domain/archive.ts';
import { findArchive } from '../store/archives.ts';

/** How often whoever waits looks at an archive that another process may be building. */
const LOOK_EVERY_MS = 400;

type Wait = { readonly waitMs: number; readonly signal: AbortSignal };

/**
 * Waits until an archive is built or has failed, and answers with it as it then is, or as it is after the wait. Null where it has
 * been deleted.
 */
export async function awaitArchive(
  { db, waiters }: Pick<Deps, 'db' | 'waiters'>,
  archive: Archive,
  { waitMs, signal }: Wait,
): Promise<Archive | null> {
  const { id } = archive;
  const endsAt = performance.now() + waitMs;
  for (let current: Archive | null = archive; ; ) {
    const leftMs = endsAt - performance.now();
    if (current?.state !== 'building' || leftMs <= 0 || signal.aborted) return current;
    // Before the look, so that no end is missed between the two.
    const next = waiters.wait(id, Math.min(LOOK_EVERY_MS, leftMs), signal);
    current = await findArchive(db, id);
    if (current?.state !== 'building') next.cancel();
    await next.done;
    if (current?.state === 'building') current = await findArchive(db, id);
  }
}
