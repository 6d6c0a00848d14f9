import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import type { Archive } from '../domain/archive.ts';
import { findArchive } from '../store/archives.ts';

const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 400;

type Wait = { readonly waitMs: number; readonly signal: AbortSignal };

/**
 * Waits until an archive is built or has failed, and answers with it as it then is, or as it is after the wait. Another process may be
 * building it, so its row is looked at, ever more rarely. Null where it has been deleted.
 */
export async function awaitArchive(
  { db }: Pick<Deps, 'db'>,
  archive: Archive,
  { waitMs, signal }: Wait,
): Promise<Archive | null> {
  const endsAt = performance.now() + waitMs;
  let current: Archive | null = archive;
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)) {
    if (current?.state !== 'building') return current;
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0 || signal.aborted) return current;
    await pause(Math.min(lookMs, leftMs), undefined, { signal }).catch(() => undefined);
    current = await findArchive(db, archive.id);
  }
}
