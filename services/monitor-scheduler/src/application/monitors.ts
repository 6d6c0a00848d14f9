import {
  monitorScheduler,
  type RequestOf,
  secondsToNextUtcDay,
  serviceError,
  type Tier,
  tierLimits,
} from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { CHECK_EVERY_MS } from '../domain/cadence.ts';
import { publicId } from '../domain/ids.ts';
import type { Source } from '../domain/source.ts';
import { type Counted, countCreation, lockAccount, noteWebhook } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import { countWatcher, hastenFeedsOfAccount, lockFeed } from '../store/feeds.ts';
import { wakeMonitorsOfAccount } from '../store/monitor-turns.ts';
import {
  cancelMonitor,
  countMonitors,
  feedOf,
  insertMonitor,
  monitorOfKey,
  monitorOfSource,
  type OwnedMonitor,
  saveKey,
} from '../store/monitors.ts';
import type { Surface } from '../surface.ts';

export type Asked = RequestOf<typeof monitorScheduler.createMonitor>;
export type Admitted = { readonly id: string; readonly isNew: boolean };

const DAY_SECONDS = 86_400;

/** Throws `monitor_creation_cap`; then nothing was counted, where the transaction ends with it. */
export const countToday = async (
  tx: Db,
  { accountId, tier }: Pick<Asked, 'accountId' | 'tier'>,
  counted: Counted,
): Promise<void> => {
  const { newMonitorsPerDay, monitorKeysPerDay } = tierLimits[tier];
  const most = counted === 'monitors' ? newMonitorsPerDay : monitorKeysPerDay;
  if ((await countCreation(tx, accountId, counted)) <= most) return;
  throw serviceError('monitor_creation_cap', { retryAfterSeconds: secondsToNextUtcDay(new Date()) });
};

/** Throws `monitor_limit`. It never clears by itself, and every 429 says when to come back. */
export const assertRoom = async (db: Db, accountId: string, tier: Tier): Promise<void> => {
  const most = tierLimits[tier].monitors;
  if ((await countMonitors(db, accountId)) < most) return;
  throw serviceError('monitor_limit', {
    message: `An account of this tier has ${most} ${most === 1 ? 'monitor' : 'monitors'}. Cancel one first.`,
    retryAfterSeconds: DAY_SECONDS,
  });
};

/** What the account has already: by this key, whatever became of it, or by its source. Another key then answers it as well. */
export const findExisting = async (tx: Db, asked: Asked, source: Source): Promise<string | null> => {
  const { accountId, idempotencyKey } = asked;
  const ofKey = idempotencyKey && (await monitorOfKey(tx, accountId, idempotencyKey));
  if (ofKey) return ofKey;
  const ofSource = await monitorOfSource(tx, accountId, source);
  if (ofSource && idempotencyKey) {
    await countToday(tx, asked, 'keys');
    await saveKey(tx, accountId, idempotencyKey, ofSource);
  }
  return ofSource;
};

const insert = async (
  tx: Db,
  asked: Asked,
  { source, feedId, hasWebhook }: { source: Source; feedId: string; hasWebhook: boolean },
): Promise<string | null> => {
  const feed = await lockFeed(tx, feedId);
  if (feed === null) return null;
  const { accountId, autoFetch, language, fallback, webhookUrl, keyId } = asked;
  const settings = { autoFetch, language, fallback, webhookUrl, keyId };
  // To have one's own address the account needs a webhook, and the dispatcher has said that it has.
  const usesWebhook = hasWebhook || webhookUrl !== null;
  if (usesWebhook && !hasWebhook) await noteWebhook(tx, accountId);
  const baseline = feed.lastNumber;
  const id = await insertMonitor(tx, { accountId, feedId, source, ...settings, usesWebhook, baseline });
  await countWatcher(tx, feedId, 1, CHECK_EVERY_MS);
  return id;
};

/** Saves a monitor, unless the account has it meanwhile. Null where its feed was forgotten since it was read. Throws `monitor_limit`. */
export const admitMonitor = (
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  asked: Asked,
  source: Source,
  feedId: string,
): Promise<Admitted | null> =>
  messaging.transaction(db, async (tx) => {
    const { accountId, idempotencyKey, tier } = asked;
    const { hasWebhook } = await lockAccount(tx, accountId);
    const existing = await findExisting(tx, asked, source);
    if (existing) return { id: existing, isNew: false };
    await assertRoom(tx, accountId, tier);
    const id = await insert(tx, asked, { source, feedId, hasWebhook });
    if (id === null) return null;
    if (idempotencyKey !== null) await saveKey(tx, accountId, idempotencyKey, id);
    return { id, isNew: true };
  });

/** Ends a monitor that is not cancelled; those that waited for its place go on. False where there is none. The account is locked. */
export const cancel = async (tx: Db, owned: OwnedMonitor): Promise<boolean> => {
  const feedId = await feedOf(tx, owned);
  if (feedId === null) return false;
  await lockFeed(tx, feedId);
  await cancelMonitor(tx, owned);
  await countWatcher(tx, feedId, -1, 0);
  await hastenFeedsOfAccount(tx, owned.accountId);
  await wakeMonitorsOfAccount(tx, owned.accountId);
  return true;
};

/** The same by its owner, and told: this database may go back. */
export const cancelAndTell = async (tx: Db, send: Sender<Surface>, owned: OwnedMonitor): Promise<void> => {
  const { accountId, id } = owned;
  if (await cancel(tx, owned))
    await send.emit(monitorScheduler.monitorCancelled, { accountId, monitorId: publicId(id) });
};
