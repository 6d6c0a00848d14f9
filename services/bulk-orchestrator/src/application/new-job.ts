import { createHash, randomUUID } from 'node:crypto';
import {
  bulkOrchestrator,
  type Job as JobBody,
  MOST_LINE_ROWS,
  type OpeningRefusal,
  parsePlatformAddress,
  type ServiceError,
  serviceError,
} from '@tds/contracts';
import { crashPoint, isServiceAway, remainingMs } from '@tds/service-kit';
import type { CallContext, Deps } from '../deps.ts';
import { lockAccount, statusBeforeEvents, uncountCreation } from '../store/admissions.ts';
import type { Db } from '../store/database.ts';
import { bodyOf } from '../store/job-views.ts';
import { databaseNow, findJob, lockJob, toJob } from '../store/jobs.ts';
import { beginAttempts, insertRows, rowsAtFetcher } from '../store/rows.ts';
import { findAnswer } from '../store/save-job.ts';
import { admitNewJob } from './admit-job.ts';
import { askToOpen, leaseFrom, type Opening, saveOpened } from './advance-job.ts';
import { changeJob, resumeJob, save } from './change-job.ts';
import type { NewJob, Source } from './list-source.ts';
import { takeNews } from './take-news.ts';

/** Less than this before the end of its wait a caller may have gone: a job that it cannot ask for again is not begun any more. */
const ANSWER_MS = 2_000;

export const notNow = (cause?: unknown) =>
  serviceError('service_unavailable', { retryAfterSeconds: 2, cause });

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

/** Of all that a customer says about a job. */
export const digestOf = (given: NewJob): string => {
  const { source, format, language, fallback, webhookUrl, monitorId, name } = given;
  const metadata = Object.entries(given.metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const said = [source, format, language, fallback, webhookUrl, monitorId, name, metadata];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
};

const columnsOf = (given: NewJob, listed: Source | null, now: Date) => ({
  id: randomUUID(),
  accountId: given.accountId,
  keyId: given.keyId,
  limitId: given.limitId,
  tier: given.tier,
  idempotencyKey: given.idempotencyKey,
  requestDigest: given.idempotencyKey && digestOf(given),
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
    const webhookStatus = await statusBeforeEvents(tx, accountId);
    const data = { ...columnsOf(given, listed, now), webhookStatus };
    const job = toJob(await tx.job.create({ data, omit: { answer: true } }));
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

/**
 * What the first request with this key was answered; `open` while it still is being answered. Throws `idempotency_key_reused` where that
 * was another request.
 */
export const answerOf = async (
  { db }: Pick<Deps, 'db'>,
  given: NewJob & { readonly idempotencyKey: string },
): Promise<JobBody | 'open' | null> => {
  const found = await findAnswer(db, given.accountId, given.idempotencyKey);
  if (found === null) return null;
  if (found.requestDigest !== digestOf(given)) throw serviceError('idempotency_key_reused');
  return found.body ?? 'open';
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

/** A job that was saved is one from now on, and its key has its answer; its rows are still to begin. It may have been given up, or cancelled, since. */
const acceptJob = async (deps: Deps, jobId: string, { signal }: CallContext): Promise<Opening | null> => {
  const accepted = await changeJob(deps, jobId, async (locked) => {
    const { tx, job, now } = locked;
    if (job.status !== 'creating') return null;
    if (job.idempotencyKey === null && remainingMs(signal) < ANSWER_MS) throw notNow('nobody waits for it');
    const rows = await rowsAtFetcher(tx, jobId);
    const lease = rows.length > 0 ? leaseFrom(now) : {};
    return { ...(await save(locked, { status: 'pending', ...lease })), rows };
  });
  crashPoint('job-accepted');
  return accepted && accepted.rows.length > 0 ? accepted : null;
};

/** What is cached ends by it, and holds no credit: the answer says so, unless the fetcher is away since. */
const openRows = async (deps: Deps, opening: Opening, context: CallContext): Promise<void> => {
  const { id } = opening.job;
  const opened = await askToOpen(deps, opening, context);
  const refusal = opened.refusal && refusalOf(opened.refusal);
  if (refusal !== null) {
    await discardJob(deps, id);
    throw refusal;
  }
  await saveOpened(deps, opening, opened);
  if (!opened.hasNews) return;
  await takeNews(deps, id, context).catch((error: unknown) => {
    if (!isServiceAway(error)) throw error;
  });
};

/**
 * Has the rows of a job that is being created opened, all or nothing as far as credits go, and accepts it; or forgets it, and throws
 * what it was refused with. Until it is accepted no row begins, so nothing is charged for a job that is forgotten. Resolves to the rows that
 * are to begin.
 */
export const openNewJob = async (
  deps: Deps,
  opening: Opening,
  context: CallContext,
): Promise<Opening | null> => {
  const { id } = opening.job;
  if (opening.rows.length > 0) await openRows(deps, opening, context);
  crashPoint('job-opened');
  return acceptJob(deps, id, context);
};

/** What the request that began the job is answered; null where the job has been given up since. */
export const firstAnswer = async ({ db }: Deps, jobId: string): Promise<JobBody | null> => {
  const job = await findJob(db, jobId);
  if (job === null || job.status === 'creating') return null;
  if (job.idempotencyKey === null) return bodyOf(db, job);
  return (await findAnswer(db, job.accountId, job.idempotencyKey))?.body ?? null;
};
