import { randomUUID } from 'node:crypto';
import {
  bulkOrchestrator,
  type Job as JobBody,
  MOST_LINE_ROWS,
  type OpeningRefusal,
  parsePlatformAddress,
  type ServiceError,
  serviceError,
} from '@tds/contracts';
import { crashPoint, isServiceAway } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { lockAccount, uncountCreation } from '../store/admissions.ts';
import type { Db } from '../store/database.ts';
import { bodyOf } from '../store/job-views.ts';
import { databaseNow, findAnswer, findJob, lockJob, toJob } from '../store/jobs.ts';
import { beginAttempts, insertRows } from '../store/rows.ts';
import { admitNewJob } from './admit-job.ts';
import type { CallContext } from './call-context.ts';
import { changeJob, save } from './change-job.ts';
import type { NewJob, Source } from './list-source.ts';
import { askToOpen, leaseFrom, type Opening, saveOpened } from './open-line.ts';
import { resumeJob } from './pause-job.ts';
import { takeNews } from './take-news.ts';

const kindOf = (input: string): Source['kind'] => {
  const kind = parsePlatformAddress(input)?.kind;
  return kind === 'playlist' || kind === 'list' ? kind : 'channel';
};

const sourceColumns = ({ source }: NewJob, listed: Source | null) => {
  const { input, contents, newest } =
    'input' in source ? source : { input: null, contents: 'all', newest: null };
  return {
    isListed: listed !== null,
    sourceKind: listed?.kind ?? kindOf(input ?? ''),
    sourceInput: input,
    contents,
    newest,
  };
};

const columnsOf = (given: NewJob, listed: Source | null, now: Date) => ({
  id: randomUUID(),
  accountId: given.accountId,
  keyId: given.keyId,
  limitId: given.limitId,
  tier: given.tier,
  idempotencyKey: given.idempotencyKey,
  status: 'creating',
  ...sourceColumns(given, listed),
  format: given.format,
  language: given.language,
  fallback: given.fallback,
  name: given.name,
  metadata: given.metadata,
  webhookUrl: given.webhookUrl,
  monitorId: given.monitorId,
  version: now.getTime(),
  createdAt: now,
  ...leaseFrom(now),
});

export type Inserted =
  /** Another request with the same key was first. */
  | { readonly kind: 'repeat' }
  /** Its source is still to be listed. */
  | { readonly kind: 'enumerating'; readonly jobId: string }
  | ({ readonly kind: 'to_open' } & Opening);

/**
 * Saves a new job with its key, its rows, if they are known, and their operations, in one transaction. Throws if the account has as
 * many jobs as it may have.
 */
export const insertJob = ({ db, messaging }: Deps, given: NewJob, listed: Source | null): Promise<Inserted> =>
  messaging.transaction(db, async (tx: Db, send): Promise<Inserted> => {
    const { accountId, idempotencyKey, tier } = given;
    await lockAccount(tx, accountId);
    const now = await databaseNow(tx);
    if (idempotencyKey && (await findAnswer(tx, accountId, idempotencyKey))) return { kind: 'repeat' };
    await admitNewJob(tx, accountId, tier, now);
    const job = toJob(await tx.job.create({ data: columnsOf(given, listed, now), omit: { answer: true } }));
    if (listed === null) {
      await resumeJob({ tx, send, job, now }, { status: 'enumerating', openingId: null });
      return { kind: 'enumerating', jobId: job.id };
    }
    await insertRows(tx, job.id, listed.videos);
    return { kind: 'to_open', job, rows: await beginAttempts(tx, job.id, MOST_LINE_ROWS) };
  });

/** Forgets a job that was never accepted: its key is free, and what its line has done is undone. */
export const discardJob = ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, id: string): Promise<void> =>
  messaging.transaction(db, async (tx: Db, send) => {
    const job = await lockJob(tx, id);
    if (job?.status !== 'creating') return;
    await tx.job.delete({ where: { id }, select: { id: true } });
    await uncountCreation(tx, job.accountId, job.createdAt);
    await send.enqueue(bulkOrchestrator.disownJob, { jobId: id, accountId: job.accountId }, { key: id });
  });

/** What the first request with this key was answered; `open` while it still is being answered. */
export const answerOf = async (
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  idempotencyKey: string,
): Promise<JobBody | 'open' | null> => {
  const found = await findAnswer(db, accountId, idempotencyKey);
  if (found === null) return null;
  return found.answer === null ? 'open' : (JSON.parse(found.answer) as JobBody);
};

/** Refusals that leave nothing to accept; what a cap of the day leaves no room for waits. */
const refusalOf = ({ code, message, required, available, buyUrl }: OpeningRefusal): ServiceError | null => {
  switch (code) {
    case 'insufficient_credits': {
      const [wanted, left] = [required ?? 0, available ?? 0];
      const shortfall = wanted - left;
      const extras = { required: wanted, available: left, shortfall, buy_url: buyUrl ?? '' };
      return serviceError(code, { message, extras });
    }
    case 'account_frozen':
    case 'account_closed':
    case 'key_revoked':
      return serviceError(code, { message });
    default:
      return null;
  }
};

/** A job that was saved begins, and its key has its answer. It may have been given up, or cancelled, since. */
const acceptJob = async (deps: Deps, jobId: string): Promise<void> => {
  await changeJob(deps, jobId, async (locked) =>
    locked.job.status === 'creating' ? save(locked, { status: 'pending' }) : null,
  );
  crashPoint('job-accepted');
};

const openRows = async (deps: Deps, opening: Opening, context: CallContext): Promise<void> => {
  const opened = await askToOpen(deps, opening, 'all', context);
  const refusal = opened.refusal && refusalOf(opened.refusal);
  if (refusal === null) return void (await saveOpened(deps, opening, opened));
  await discardJob(deps, opening.job.id);
  throw refusal;
};

/**
 * Has the rows of a job that is being created opened, all or nothing as far as credits go, and accepts it; or forgets it, and throws
 * what it was refused with.
 */
export const openNewJob = async (deps: Deps, opening: Opening, context: CallContext): Promise<void> => {
  const { id } = opening.job;
  if (opening.rows.length > 0) await openRows(deps, opening, context);
  crashPoint('job-opened');
  // What is cached has ended by now, and holds no credit: the answer says so.
  await takeNews(deps, id, context).catch((error: unknown) => {
    if (!isServiceAway(error)) throw error;
  });
  await acceptJob(deps, id);
};

/** What the request that began the job is answered; null where the job has been given up since. */
export const firstAnswer = async ({ db }: Deps, jobId: string): Promise<JobBody | null> => {
  const job = await findJob(db, jobId);
  if (job === null || job.status === 'creating') return null;
  if (job.idempotencyKey === null) return bodyOf(db, job);
  const found = await findAnswer(db, job.accountId, job.idempotencyKey);
  return found?.answer ? (JSON.parse(found.answer) as JobBody) : null;
};
