import { randomUUID } from 'node:crypto';
import type { StartedFetch } from '../domain/fetch.ts';
import { forgetProjection } from '../store/projection.ts';
import { fetchTrack, type TrackDeps } from '../tracks/index.ts';
import { endRows } from './store/end-rows.ts';
import { claimEndedSelections, type EndedSelections } from './store/ended-selections.ts';
import { MAX_FETCH_MS } from './worker.ts';

/** Of one process; what finds no place is looked for at a later read. */
const MAX_WAITING = 100;

/** Asks the platform for better tracks in the place of kept ones whose time has ended, one after another, beside the readers. */
export const createLaterCaptions = (deps: TrackDeps) => {
  const stopping = new AbortController();
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const replace = async (fetch: StartedFetch): Promise<void> => {
    const limit = AbortSignal.timeout(MAX_FETCH_MS);
    const { end, objects } = await fetchTrack(deps, fetch, AbortSignal.any([stopping.signal, limit]));
    // What is kept stays, and is looked for again after its claim.
    if (end.error !== null) return;
    if (objects.length > 0) await deps.objects.putAll([...objects]);
    await endRows(deps.sql, [{ ...end, reportTo: null }], randomUUID());
    await forgetProjection(deps, fetch);
  };
  const enqueue = (fetch: StartedFetch): Promise<void> => {
    waiting += 1;
    last = last
      .then(() => replace(fetch))
      .catch((error: unknown) => {
        const { videoId } = fetch;
        if (!stopping.signal.aborted) deps.log.warn('looking for later captions failed', { videoId, error });
      })
      .finally(() => {
        waiting -= 1;
      });
    return last;
  };
  return {
    /** Resolves when all that has ended was looked for; never rejects. */
    async refresh(selections: EndedSelections): Promise<void> {
      const maxFetches = Math.max(0, MAX_WAITING - waiting);
      const fetches = await claimEndedSelections(deps.sql, selections, maxFetches).catch(() => []);
      await Promise.all(fetches.map(enqueue));
    },
    async stop(): Promise<void> {
      stopping.abort(new Error('the service stops'));
      await last;
    },
  };
};
export type LaterCaptions = ReturnType<typeof createLaterCaptions>;
