import {
  bulkOrchestrator,
  DAY_MS,
  MAX_MAILED_VIDEOS,
  monitorScheduler,
  type Notice,
  type PayloadOf,
  transcriptFetcher,
} from '@tds/contracts';
import { onEvent } from '@tds/kit';
import type { ListenerContext } from '@tds/messaging';
import type { Deps } from './deps.ts';
import { later } from './domain/time.ts';
import { mailEvent } from './mails/daily-mail.ts';
import { mailStop } from './mails/notices.ts';
import { findPayers, findWhoNeedsToKnow } from './mails/readers.ts';
import { findRemoved } from './store/people.ts';

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
