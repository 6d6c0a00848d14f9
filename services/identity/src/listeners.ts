import {
  billing,
  bulkOrchestrator,
  creditsLedger,
  DAY_MS,
  identity,
  MAX_MAILED_VIDEOS,
  monitorScheduler,
  type Notice,
  type PayloadOf,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';
import { onEvent, runIfNewest, runOnce } from '@tds/kit';
import type { ListenerContext } from '@tds/messaging';
import { findConnection, type StoredConnection } from './apps/store/connections.ts';
import type { Deps } from './deps.ts';
import { scopesOf } from './domain/principal.ts';
import { later } from './domain/time.ts';
import { findKey, findPlacedKeys, hasOlderKey } from './keys/store/account-keys.ts';
import { mailEvent } from './mails/daily-mail.ts';
import { waitMs } from './mails/mails.ts';
import {
  CONNECTION_MAILS,
  type DueNotice,
  KEY_MAILS,
  mailStop,
  noticePerson,
  notifyOnce,
  withinAllowance,
} from './mails/notices.ts';
import { findPayers, findWhoNeedsToKnow } from './mails/readers.ts';
import { noteWebhookChange } from './mails/store/webhook-notices.ts';
import { mailPersonChange } from './people/owner-mails.ts';
import type { Db } from './store/database.ts';
import { findAnyone, findRemoved } from './store/people.ts';

type StatusEvent = PayloadOf<typeof identity.accountStatusChanged>;

const noticeOf = ({ status, frozenReason: reason }: StatusEvent): DueNotice | null => {
  if (status !== 'frozen') return { notice: { kind: `account_${status}` } };
  return reason === undefined ? null : { notice: { kind: 'account_frozen', reason } };
};

/** The mail follows the event, because operators' commands change the status, too, and enqueue no tasks. */
export const accountStatusChanged = onEvent(identity.accountStatusChanged, (deps: Deps, event, context) =>
  notifyOnce(deps, event.accountId, context, async () => noticeOf(event)),
);

const findEndingKeys = async (tx: Db, accountId: string, now: Date) =>
  (await findPlacedKeys(tx, accountId, now)).flatMap(({ name, prefix, overLimit, revokeAt }) =>
    overLimit && revokeAt !== null ? [{ name, prefix, endsAt: revokeAt.toISOString() }] : [],
  );

/** Mails a lower tier and the keys that end for it. The holder knows of a higher tier. */
export const accountTierChanged = onEvent(
  identity.accountTierChanged,
  async (deps: Deps, { accountId, tier }, context) => {
    if (tier !== 'free') return;
    await notifyOnce(deps, accountId, context, async (tx) => ({
      notice: { kind: 'tier_fell', keys: await findEndingKeys(tx, accountId, deps.now()) },
    }));
  },
);

/** Ignores older versions. */
export const customerChanged = onEvent(
  billing.customerChanged,
  async ({ followCustomer }: Deps, customer, context) => {
    const { accountId, tier, isDisputed } = customer;
    context.record.add({ accountId, tier, isDisputed });
    await followCustomer(customer, context);
  },
);

/** Mails each who pays which block was given back, and by whom. */
export const blockRefunded = onEvent(
  billing.blockRefunded,
  async (deps: Deps, { accountId, block, by: { personId: by, keyId } }, context) => {
    const { messageId: mailId } = context;
    await runOnce(deps, context, async (tx, send) => {
      const key = keyId === null ? null : await findKey(tx, accountId, keyId);
      const notice: Notice = {
        ...{ kind: 'block_refunded', block, by: (await findAnyone(tx, accountId, by))?.email ?? '' },
        key: key && { name: key.name, prefix: key.prefix },
      };
      for (const personId of await findPayers(tx, accountId))
        await noticePerson({ send }, { accountId, mailId, notice }, personId);
    });
  },
);

type CreatedKey = Pick<PayloadOf<typeof identity.keyCreated>, 'accountId' | 'keyId' | 'personId'>;

const connectionNotice = ({ name, host, scope, dailyCreditCap }: StoredConnection): Notice => ({
  ...{ kind: 'app_connected', name, host, scopes: scopesOf(scope), dailyCreditCap },
});

/** Null for the first key, which comes with the sign-up. No other mail uses up the allowance of new keys, and none of them is silent. */
const keyNotice = async (tx: Db, created: CreatedKey, now: Date): Promise<DueNotice | null> => {
  const { accountId, keyId, personId: about = accountId } = created;
  const connection = await findConnection(tx, { accountId, id: keyId }, now);
  if (connection)
    return withinAllowance(
      tx,
      { accountId, about, notice: connectionNotice(connection), ...CONNECTION_MAILS },
      now,
    );
  const key = await findKey(tx, accountId, keyId);
  if (key === null || !(await hasOlderKey(tx, accountId, key.createdAt))) return null;
  const notice = { kind: 'key_made', name: key.name, prefix: key.prefix } as const;
  return withinAllowance(tx, { accountId, about, notice, ...KEY_MAILS }, now);
};

/** Mails each new key, up to five a day; later ones of an hour together. */
export const keyCreated = onEvent(identity.keyCreated, (deps: Deps, event, context) =>
  notifyOnce(deps, event.accountId, context, (tx) => keyNotice(tx, event, deps.now())),
);

/** Mails owners of changes among them, and who is in the account no more. */
export const personChanged = onEvent(identity.personChanged, mailPersonChange);

/** A webhook that was disabled because it fails has a mail of its own. */
const OWN_MAIL = 'disabled';

/** Mails the newest change: at once if the last mail is old enough, otherwise together with later changes. */
export const webhookChanged = onEvent(
  webhookDispatcher.webhookChanged,
  async (deps: Deps, { accountId, host, changes: all }, context) => {
    const changes = all.filter((change) => change !== OWN_MAIL);
    if (changes.length === 0) return;
    await runIfNewest(deps, context, async (tx, send) => {
      const change = { accountId, host, changes, mailId: context.messageId };
      const delayMs = waitMs(await noteWebhookChange(tx, change), deps.now());
      await send.enqueue(identity.sendWebhookNotice, { accountId }, { key: accountId, delayMs });
    });
  },
);

type JobEvent = PayloadOf<typeof bulkOrchestrator.jobCompleted>;

/** Mails the end of a job. An end after a retry is another one. */
const mailJobEnd = (deps: Deps, job: JobEvent, context: ListenerContext) => {
  const { accountId, personId, jobId, name, status, counts, omitted, credits } = job;
  const { notifyEmail, dailyMail } = job;
  const mail = notifyEmail ? 'now' : dailyMail ? 'daily' : 'none';
  const notice = { kind: 'job_ended', jobId, name, status, counts, omitted, credits } as const;
  const work = { accountId, workId: jobId, personId, mail } as const;
  return mailEvent(deps, { id: context.messageId, ...work, notice }, context);
};

export const jobCompleted = onEvent(bulkOrchestrator.jobCompleted, mailJobEnd);
export const jobFailed = onEvent(bulkOrchestrator.jobFailed, mailJobEnd);

type MatchEvent = PayloadOf<typeof transcriptFetcher.videoMatched>;
type OfMonitor = Pick<MatchEvent, 'accountId' | 'monitorId' | 'personId' | 'mail' | 'weekly'>;

/** The monitor of an event, and how who made it is mailed. */
const monitorOf = ({ accountId, monitorId: workId, personId, mail, weekly }: OfMonitor) => ({
  ...{ accountId, workId, personId, mail: weekly ? ('weekly' as const) : mail },
});

export const newVideosFound = onEvent(monitorScheduler.newVideosFound, async (deps: Deps, event, context) => {
  const { newVideosId: id, monitorId, title, videos } = event;
  if (event.mailOnlyMatches) return;
  const shown = videos.slice(0, MAX_MAILED_VIDEOS);
  const notice = { kind: 'new_videos', monitorId, title, videos: shown, count: videos.length } as const;
  await mailEvent(deps, { id, ...monitorOf(event), notice }, context);
});

const mailMatch = (deps: Deps, event: MatchEvent, context: ListenerContext) => {
  const { monitorId, title, also } = event;
  const { id, found_at: _, ...match } = event.match;
  const notice = { kind: 'words_found', monitorId, title, ...match, also } as const;
  return mailEvent(deps, { id, ...monitorOf(event), notice }, context);
};

/** It asks for a mail only if a fetcher of the release before has found them. */
export const wordsFound = onEvent(transcriptFetcher.wordsFound, async (deps: Deps, event, context) => {
  if (event.mail !== 'none') await mailMatch(deps, { ...event, also: [] }, context);
});
export const videoMatched = onEvent(transcriptFetcher.videoMatched, mailMatch);

/** Causes that end with a payment. */
const OF_MONEY: ReadonlySet<string> = new Set(['insufficient_credits', 'tier_limit']);
type StoppedWork = { readonly notice: Extract<Notice, { kind: 'job_paused' | 'monitor_paused' }> } & Parameters<
  typeof findWhoNeedsToKnow
>[1];

/** Mails that a job or a monitor is paused to its people, and also to who pays if that ends it. */
const mailPause = (deps: Deps, { notice, ...work }: StoppedWork, context: ListenerContext) => {
  const { accountId } = work;
  const { reason: cause } = notice;
  return mailStop(deps, { accountId, cause, notice }, context, async (tx) => {
    const payers = OF_MONEY.has(cause) ? await findPayers(tx, accountId) : [];
    return [...new Set([...(await findWhoNeedsToKnow(tx, work)), ...payers])];
  });
};

/** Whether a job needs a hand, or waits for more than a day. Other pauses end by themselves soon, or have a mail of their own. */
const needsMail = ({ pauseReason, resumesAt }: JobEvent, now: Date): boolean =>
  pauseReason === 'daily_limit'
    ? resumesAt !== null && new Date(resumesAt) > later(now, DAY_MS)
    : pauseReason === 'insufficient_credits' || pauseReason === 'key_revoked';

export const jobPaused = onEvent(bulkOrchestrator.jobPaused, async (deps: Deps, job: JobEvent, context) => {
  const { accountId, personId, jobId: id, name, pauseReason: reason } = job;
  if (reason === null || !needsMail(job, deps.now())) return;
  const notice = { kind: 'job_paused', id, name, reason } as const;
  await mailPause(deps, { accountId, workId: id, personId, notice }, context);
});

export const monitorPaused = onEvent(
  monitorScheduler.monitorPaused,
  async (deps: Deps, { accountId, monitorId: id, title: name, pauseReason: reason, personId }, context) => {
    const removed = personId && reason === 'key_revoked' && (await findRemoved(deps.db, accountId, personId));
    const notice = { kind: 'monitor_paused', id, name, reason, ...(removed && { removed }) } as const;
    return mailPause(deps, { accountId, workId: id, personId, notice }, context);
  },
);

export const balanceRanLowForMail = onEvent(
  creditsLedger.balanceRanLowForMail,
  (deps: Deps, { accountId, available, threshold }, context) => {
    const notice: Notice = { kind: 'balance_low', available, threshold };
    return mailStop(deps, { accountId, cause: notice.kind, notice }, context, (tx) =>
      findPayers(tx, accountId),
    );
  },
);

export const webhookDisabled = onEvent(
  webhookDispatcher.webhookDisabled,
  (deps: Deps, { accountId, host }, context) =>
    notifyOnce(deps, accountId, context, async () => ({ notice: { kind: 'webhook_disabled', host } })),
);
