import { setTimeout as delay } from 'node:timers/promises';
import { LeaseLost } from '@tds/base';
import { type Monitor, monitorScheduler, search, webhookDispatcher } from '@tds/contracts';
import { hasCode, serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Context } from '@tds/messaging';
import { checkFeed } from '../application/check-feed.ts';
import { notFoundError } from '../application/look-at-source.ts';
import {
  admitMonitor,
  assertRoom,
  type CreateMonitorRequest,
  checkReceivers,
  checkWords,
  countToday,
  findExisting,
} from '../application/monitors.ts';
import type { Deps } from '../deps.ts';
import { channelSource, readPlaylist, type Source } from '../domain/source.ts';
import { lockAccount, uncountMonitor } from '../store/accounts.ts';
import { claimFeed, type DueFeed, feedQueue, findOrAddFeed, releaseFeed } from '../store/feeds.ts';
import { findMonitor } from '../store/monitor-views.ts';
import { findMonitorByKey } from '../store/monitors.ts';

const POLL_MS = 100;
/** Longer than the platform may take for a feed. */
const WAIT_MS = 15_000;

/** Checks a claimed feed. Throws the failure of the check. */
const readFeed = async (deps: Deps, feed: DueFeed, signal: AbortSignal) => {
  try {
    const { outcome, error } = await checkFeed(deps, feed, signal);
    await feedQueue.save(deps.pool, [{ ...feed, ...outcome }]);
    if (error) throw error;
  } catch (thrown) {
    await releaseFeed(deps.pool, feed);
    if (!(thrown instanceof LeaseLost)) throw thrown;
  }
};

/**
 * Returns the id of the source's feed after reading it, unless it was read in the last ten minutes. Waits while another process reads it.
 * Throws `source_not_found`, without a request if the source was missing within the last hour.
 */
const waitForFeed = async (deps: Deps, source: Source, signal: AbortSignal) => {
  const endsAt = performance.now() + WAIT_MS;
  while (!signal.aborted && performance.now() < endsAt) {
    const current = await findOrAddFeed(deps.db, source);
    if (current.isFresh) return current.id;
    if (current.isMissing) throw notFoundError();
    const feed = await claimFeed(deps.pool, current.id, deps.feeds.all);
    if (feed) await readFeed(deps, feed, signal);
    else await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  throw serviceError('service_unavailable', { retryAfterSeconds: 2 });
};

/** Resolves handles and URLs without an id, which counts towards the account's day; ids do not. */
const resolveSource = async (
  deps: Deps,
  { accountId, source }: CreateMonitorRequest,
  context: Context,
): Promise<Source> => {
  if ('playlist' in source) {
    const playlist = readPlaylist(source.playlist);
    if (playlist === null) throw serviceError('invalid_playlist');
    return playlist;
  }
  const { channel, contents } = source;
  const { channelId } = await deps.call(search.resolveChannel, { accountId, channel }, context);
  return channelSource(channelId, contents);
};

/** The account's monitor of this source; saves its idempotency key. Throws `monitor_limit` if there is none and no room. */
const findExistingMonitor = ({ db, messaging }: Deps, request: CreateMonitorRequest, source: Source) =>
  messaging.transaction(db, async (tx) => {
    await lockAccount(tx, request.accountId);
    const id = await findExisting(tx, request, source);
    if (id === null) await assertRoom(tx, request.accountId, request.tier);
    return id;
  });

const admit = async (deps: Deps, request: CreateMonitorRequest, source: Source, { signal }: Context) => {
  const feedId = await waitForFeed(deps, source, signal);
  const admitted = await admitMonitor(deps, request, source, feedId);
  if (admitted === null) throw serviceError('service_unavailable', { retryAfterSeconds: 2 });
  return admitted;
};

/** Creates the monitor. Counts towards the account's day, also if the source does not exist. */
const create = async (deps: Deps, request: CreateMonitorRequest, source: Source, context: Context) => {
  const { db, messaging } = deps;
  await messaging.transaction(db, (tx) => countToday(tx, request, 'monitors'));
  try {
    const admitted = await admit(deps, request, source, context);
    if (!admitted.isNew) await uncountMonitor(db, request.accountId);
    return admitted;
  } catch (error) {
    const isMissing = hasCode(error, 'source_not_found');
    if (!isMissing) await uncountMonitor(db, request.accountId);
    throw error;
  }
};

const readReply = async (
  { db }: Deps,
  { accountId }: CreateMonitorRequest,
  id: string,
  isIdempotent: boolean,
): Promise<{ monitor: Monitor; isIdempotent: boolean }> => {
  const monitor = await findMonitor(db, accountId, id);
  if (monitor === null) throw new Error('a monitor was deleted while it was created');
  return { monitor, isIdempotent };
};

export const createMonitor = onCommand(monitorScheduler.createMonitor, async (deps: Deps, request, context) => {
  const { accountId, idempotencyKey, webhookUrl } = request;
  const repeatedId = idempotencyKey && (await findMonitorByKey(deps.db, accountId, idempotencyKey));
  if (repeatedId) return readReply(deps, request, repeatedId, true);
  await checkWords(deps, request, context);
  const source = await resolveSource(deps, request, context);
  const watchedId = await findExistingMonitor(deps, request, source);
  if (watchedId) return readReply(deps, request, watchedId, true);
  if (webhookUrl !== null)
    await deps.call(webhookDispatcher.checkWebhookUrl, { accountId, url: webhookUrl }, context);
  await checkReceivers(deps, request, context);
  const { id, isNew } = await create(deps, request, source, context);
  return readReply(deps, request, id, !isNew);
});
