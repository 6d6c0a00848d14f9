import { setTimeout as pause } from 'node:timers/promises';
import { serviceError } from '@tds/contracts';
import { LeaseLost } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Source } from '../domain/source.ts';
import { claimFeed, type DueFeed, feedRows, findOrAddFeed, letGoOfFeed } from '../store/feeds.ts';
import { checkFeed } from './check-feed.ts';
import { notFound } from './look-at-source.ts';

const LOOK_EVERY_MS = 100;
/** Longer than the platform may take for a feed. */
const WAIT_MS = 15_000;

/** Reads a feed that nobody else reads. Throws what its failure is. */
const read = async (deps: Deps, feed: DueFeed, signal: AbortSignal): Promise<void> => {
  try {
    const { outcome, error } = await checkFeed(deps, feed, signal);
    await feedRows.save(deps.pool, [{ ...outcome, id: feed.id, epoch: feed.epoch }]);
    if (error) throw error;
  } catch (thrown) {
    await letGoOfFeed(deps.pool, feed);
    if (!(thrown instanceof LeaseLost)) throw thrown;
  }
};

/**
 * The feed of a source whose videos of now are known: of the last ten minutes, whoever has read it, or read now. While somebody
 * else reads it, that one is waited for. Throws `source_not_found` of what was not there within the last hour.
 */
export const feedWithBaseline = async (deps: Deps, source: Source, signal: AbortSignal): Promise<string> => {
  const endsAt = performance.now() + WAIT_MS;
  while (!signal.aborted && performance.now() < endsAt) {
    const found = await findOrAddFeed(deps.db, source);
    if (found.isFresh) return found.id;
    if (found.isMissing) throw notFound();
    const feed = await claimFeed(deps.pool, found.id);
    if (feed) await read(deps, feed, signal);
    else await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  throw serviceError('service_unavailable', { retryAfterSeconds: 2 });
};
