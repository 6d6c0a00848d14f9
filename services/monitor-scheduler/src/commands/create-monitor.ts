import { setTimeout as pause } from 'node:timers/promises';
import {
  type Monitor,
  monitorScheduler,
  ServiceError,
  search,
  serviceError,
  webhookDispatcher,
} from '@tds/contracts';
import { type Context, LeaseLost, onCommand } from '@tds/service-kit';
import { checkFeed } from '../application/check-feed.ts';
import { notFound } from '../application/look-at-source.ts';
import {
  type Admitted,
  type Asked,
  admitMonitor,
  assertRoom,
  countToday,
  findExisting,
} from '../application/monitors.ts';
import type { Deps } from '../deps.ts';
import { readPlaylist, type Source } from '../domain/source.ts';
import { lockAccount, uncountMonitor } from '../store/accounts.ts';
import { claimFeed, type DueFeed, feedRows, findOrAddFeed, letGoOfFeed } from '../store/feeds.ts';
import { findMonitor } from '../store/monitor-views.ts';
import { monitorOfKey } from '../store/monitors.ts';

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
const feedWithBaseline = async (deps: Deps, source: Source, signal: AbortSignal): Promise<string> => {
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

/** Handles and addresses without an id are resolved, which counts for the account's day; ids cost nothing. */
const sourceOf = async (deps: Deps, { accountId, source }: Asked, context: Context): Promise<Source> => {
  if ('playlist' in source) {
    const playlist = readPlaylist(source.playlist);
    if (playlist === null) throw serviceError('invalid_playlist');
    return playlist;
  }
  const { channel } = source;
  const { channelId } = await deps.call(search.resolveChannel, { accountId, channel }, context);
  return { kind: 'channel', id: channelId };
};

/** What the account has of it already, with the key noted. */
const existing = ({ db, messaging }: Deps, asked: Asked, source: Source): Promise<string | null> =>
  messaging.transaction(db, async (tx) => {
    await lockAccount(tx, asked.accountId);
    const found = await findExisting(tx, asked, source);
    if (found === null) await assertRoom(tx, asked.accountId, asked.tier);
    return found;
  });

const admit = async (deps: Deps, asked: Asked, source: Source, { signal }: Context): Promise<Admitted> => {
  const feedId = await feedWithBaseline(deps, source, signal);
  const admitted = await admitMonitor(deps, asked, source, feedId);
  if (admitted === null) throw serviceError('service_unavailable', { retryAfterSeconds: 2 });
  return admitted;
};

/** Counts for the day of the account, also where the source is not there: it was asked for. */
const begin = async (deps: Deps, asked: Asked, source: Source, context: Context): Promise<Admitted> => {
  const { db, messaging } = deps;
  await messaging.transaction(db, (tx) => countToday(tx, asked, 'monitors'));
  try {
    const admitted = await admit(deps, asked, source, context);
    if (!admitted.isNew) await uncountMonitor(db, asked.accountId);
    return admitted;
  } catch (error) {
    const isMissing = error instanceof ServiceError && error.code === 'source_not_found';
    if (!isMissing) await uncountMonitor(db, asked.accountId);
    throw error;
  }
};

const replyOf = async (
  { db }: Deps,
  { accountId }: Asked,
  id: string,
  isIdempotent: boolean,
): Promise<{ monitor: Monitor; isIdempotent: boolean }> => {
  const monitor = await findMonitor(db, accountId, id);
  if (monitor === null) throw new Error('a monitor is gone that was there a moment ago');
  return { monitor, isIdempotent };
};

export const createMonitor = onCommand(monitorScheduler.createMonitor, async (deps: Deps, asked, context) => {
  const { accountId, idempotencyKey, webhookUrl } = asked;
  const repeated = idempotencyKey && (await monitorOfKey(deps.db, accountId, idempotencyKey));
  if (repeated) return replyOf(deps, asked, repeated, true);
  const source = await sourceOf(deps, asked, context);
  const watched = await existing(deps, asked, source);
  if (watched) return replyOf(deps, asked, watched, true);
  if (webhookUrl !== null)
    await deps.call(webhookDispatcher.checkWebhookUrl, { accountId, url: webhookUrl }, context);
  const { id, isNew } = await begin(deps, asked, source, context);
  return replyOf(deps, asked, id, !isNew);
});
