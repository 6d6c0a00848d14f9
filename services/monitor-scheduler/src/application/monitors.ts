import {
  monitorScheduler,
  type RequestOf,
  secondsToNextUtcDay,
  type Tier,
  tierLimits,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { CallContext } from '@tds/kit';
import type { Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { CHECK_EVERY_MS } from '../domain/cadence.ts';
import { publicId } from '../domain/ids.ts';
import type { Source } from '../domain/source.ts';
import { type CreationCount, countCreation, lockAccount, saveHasWebhook } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import { countWatcher, hastenFeedsOfAccount, lockFeed } from '../store/feeds.ts';
import { wakeMonitorsOfAccount } from '../store/monitor-turns.ts';
import {
  cancelMonitor,
  countMonitors,
  findFeedId,
  findMonitorByKey,
  findMonitorBySource,
  insertMonitor,
  type MonitorSettings,
  type OwnedMonitor,
  saveKey,
} from '../store/monitors.ts';
import type { Surface } from '../surface.ts';

export type CreateMonitorRequest = RequestOf<typeof monitorScheduler.createMonitor>;
type AdmittedMonitor = { readonly id: string; readonly isNew: boolean };

const DAY_SECONDS = 86_400;

/** Counts towards the account's day. Throws `monitor_creation_cap`; the count is then rolled back with the transaction. */
export const countToday = async (
  tx: Db,
  { accountId, tier }: Pick<CreateMonitorRequest, 'accountId' | 'tier'>,
  kind: CreationCount,
) => {
  const { newMonitorsPerDay, monitorKeysPerDay } = tierLimits[tier];
  const limit = kind === 'monitors' ? newMonitorsPerDay : monitorKeysPerDay;
  if ((await countCreation(tx, accountId, kind)) <= limit) return;
  throw serviceError('monitor_creation_cap', { retryAfterSeconds: secondsToNextUtcDay(new Date()) });
};

/** Throws `monitor_limit`. The limit does not reset; `retry_after` is a day because every 429 needs one. */
export const assertRoom = async (db: Db, accountId: string, tier: Tier) => {
  const limit = tierLimits[tier].monitors;
  if ((await countMonitors(db, accountId)) < limit) return;
  throw serviceError('monitor_limit', {
    message: `An account of this tier has ${limit} ${limit === 1 ? 'monitor' : 'monitors'}. Cancel one first.`,
    retryAfterSeconds: DAY_SECONDS,
  });
};

/** The id of the account's monitor with this idempotency key or this source; null if there is none. Saves a new key of an existing one. */
export const findExisting = async (
  tx: Db,
  request: CreateMonitorRequest,
  source: Source,
): Promise<string | null> => {
  const { accountId, idempotencyKey } = request;
  const byKey = idempotencyKey && (await findMonitorByKey(tx, accountId, idempotencyKey));
  if (byKey) return byKey;
  const bySource = await findMonitorBySource(tx, accountId, source);
  if (bySource && idempotencyKey) {
    await countToday(tx, request, 'keys');
    await saveKey(tx, accountId, idempotencyKey, bySource);
  }
  return bySource;
};

type Words = Pick<MonitorSettings, 'autoFetch' | 'words'>;

/** Throws `words_need_auto_fetch`. */
export const assertFetched = ({ autoFetch, words }: Words) => {
  if (words.length > 0 && !autoFetch) throw serviceError('words_need_auto_fetch');
};

/** Throws if words are looked for in nothing, or one of the queries names no word to find. */
export const checkWords = async ({ call }: Deps, settings: Words, context: CallContext) => {
  assertFetched(settings);
  const { words } = settings;
  if (words.length > 0) await call(transcriptFetcher.checkWords, { words }, context);
};

/** Throws `receiver_not_found` unless the account has each receiver that is named. */
export const checkReceivers = async (
  { call }: Deps,
  { accountId, receivers = [] }: Pick<CreateMonitorRequest, 'accountId' | 'receivers'>,
  context: CallContext,
) => {
  if (receivers.length > 0)
    await call(webhookDispatcher.checkReceivers, { accountId, receiverIds: receivers }, context);
};

const insert = async (
  tx: Db,
  request: CreateMonitorRequest,
  { source, feedId, hasWebhook }: { source: Source; feedId: string; hasWebhook: boolean },
) => {
  const feed = await lockFeed(tx, { id: feedId });
  if (feed === null) return null;
  const { accountId, autoFetch, words, mail, mailOnlyMatches, language, fallback, webhookUrl, keyId } = request;
  const { personId = null, receivers = [] } = request;
  // With its own URL the dispatcher has already confirmed the account's webhook.
  const usesWebhook = hasWebhook || webhookUrl !== null;
  if (usesWebhook && !hasWebhook) await saveHasWebhook(tx, accountId);
  const mails = { mail, mailOnlyMatches };
  const settings = {
    autoFetch,
    words,
    ...mails,
    language,
    fallback,
    webhookUrl,
    receivers,
    keyId,
    personId,
    usesWebhook,
  };
  const id = await insertMonitor(tx, { accountId, feedId, source, ...settings, baseline: feed.lastNumber });
  await countWatcher(tx, feedId, 1, CHECK_EVERY_MS);
  return id;
};

/** Saves a monitor unless the account has it by now. Returns null if its feed was deleted since it was read. Throws `monitor_limit`. */
export const admitMonitor = (
  { db, messaging }: Deps,
  request: CreateMonitorRequest,
  source: Source,
  feedId: string,
): Promise<AdmittedMonitor | null> =>
  messaging.transaction(db, async (tx) => {
    const { accountId, idempotencyKey, tier } = request;
    const { hasWebhook } = await lockAccount(tx, accountId);
    const existing = await findExisting(tx, request, source);
    if (existing) return { id: existing, isNew: false };
    await assertRoom(tx, accountId, tier);
    const id = await insert(tx, request, { source, feedId, hasWebhook });
    if (id === null) return null;
    if (idempotencyKey !== null) await saveKey(tx, accountId, idempotencyKey, id);
    return { id, isNew: true };
  });

/** Cancels a monitor and wakes those that waited for its place. Returns false if it is not active. Requires the account lock. */
export const cancel = async (tx: Db, monitor: OwnedMonitor): Promise<boolean> => {
  const feedId = await findFeedId(tx, monitor);
  if (feedId === null) return false;
  await lockFeed(tx, { id: feedId });
  await cancelMonitor(tx, monitor);
  await countWatcher(tx, feedId, -1, 0);
  await hastenFeedsOfAccount(tx, monitor.accountId);
  await wakeMonitorsOfAccount(tx, monitor.accountId);
  return true;
};

/** Cancels a monitor and emits that, so that a restored database can cancel it again. */
export const cancelAndEmit = async (tx: Db, send: Sender<Surface>, monitor: OwnedMonitor) => {
  const { accountId, id } = monitor;
  if (await cancel(tx, monitor))
    await send.emit(monitorScheduler.monitorCancelled, { accountId, monitorId: publicId(id) });
};
