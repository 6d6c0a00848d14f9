import type { Deps } from '../deps.ts';
import type { Archive } from '../domain/archive.ts';
import { findArchive } from '../store/archives.ts';

/** How often whoever waits looks at an archive that another process may be building. */
const LOOK_EVERY_MS = 400;

type Waiting = { readonly done: Promise<void>; cancel(): void };

/** Those of this process who wait for archives. */
export const createWaiters = () => {
  const waiting = new Map<string, Set<() => void>>();
  return {
    /** Done when this process ends the build, after `ms`, or when the signal fires. */
    wait: (archiveId: string, ms: number, signal: AbortSignal): Waiting => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const ends = waiting.get(archiveId) ?? new Set();
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        ends.delete(end);
        if (ends.size === 0) waiting.delete(archiveId);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      waiting.set(archiveId, ends.add(end));
      return { done: promise, cancel: end };
    },
    wake: (archiveId: string): void => {
      for (const end of [...(waiting.get(archiveId) ?? [])]) end();
    },
  };
};
export type Waiters = ReturnType<typeof createWaiters>;

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
