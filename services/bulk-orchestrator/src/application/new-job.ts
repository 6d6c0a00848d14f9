import { createHash, randomUUID } from 'node:crypto';
import { expecting, isServiceAway, pick, readDatabaseClock, remainingMs } from '@tds/base';
import {
  bulkOrchestrator,
  type Job as JobBody,
  MAX_BATCH_ROWS,
  type OpeningRefusal,
  PUBLISH_DATES_WAIT_MS,
  search,
} from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import type { CallContext } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import { parsePlatformAddress } from '@tds/platform-addresses';
import type { Deps } from '../deps.ts';
import { lockAccount, statusBeforeEvents, uncountCreation } from '../store/admissions.ts';
import type { Db } from '../store/database.ts';
import { readBody } from '../store/job-views.ts';
import { findJob, type Job, lockJob, toJob } from '../store/jobs.ts';
import { beginAttempts, findRowsAtFetcher, insertRows, saveDates } from '../store/rows.ts';
import { findAnswer } from '../store/save-job.ts';
import { admitNewJob } from './admit-job.ts';
import { leaseFrom, type Opening, requestOpening, saveOpening } from './advance-job.ts';
import { applyChanges } from './apply-changes.ts';
import { changeJob, resumeJob, save } from './change-job.ts';
import type { NewJob, Source } from './list-source.ts';

/** A caller with less time left may be gone, so a job without a key, which cannot be found again, is not accepted then. */
const ANSWER_MS = 2_000;

export const unavailableError = (cause?: unknown) =>
  serviceError('service_unavailable', { retryAfterSeconds: 2, cause });

const kindOf = (input: string): Source['kind'] => {
  const kind = parsePlatformAddress(input)?.kind;
  return kind === 'playlist' || kind === 'list' ? kind : 'channel';
};

const sourceColumns = ({ source }: NewJob, listing: Source | null) => {
  const { input, contents, newest } =
    'input' in source ? source : { input: null, contents: 'all', newest: null };
  return {
    isListed: listing !== null,
    omitted: listing?.omitted ?? 0,
    sourceKind: listing?.kind ?? kindOf(input ?? ''),
    sourceInput: input,
    contents,
    newest,
  };
};

/** Covers all fields of a customer's request; dates and the name of a monitor's job, which the platform gives, are not its own. */
const digestOf = (request: NewJob): string => {
  const { source, format, language, fallback, webhookUrl, monitorId, notifyEmail } = request;
  const name = monitorId === null ? request.name : null;
  const metadata = Object.entries(request.metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = 'input' in source ? source : { videoIds: source.videoIds };
  const fields = [content, format, language, fallback, webhookUrl, monitorId, name, metadata, notifyEmail];
  // Digests of jobs without it are those of the release before.
  if (request.dailyMail) fields.push('daily');
  if (request.receiverIds?.length) fields.push(request.receiverIds.join());
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
};

const toColumns = (request: NewJob, listing: Source | null, now: Date) => ({
  id: randomUUID(),
  ...pick(request, 'accountId', 'keyId', 'limitId', 'tier', 'idempotencyKey'),
  personId: request.personId ?? null,
  requestDigest: request.idempotencyKey && digestOf(request),
  status: 'creating',
  ...sourceColumns(request, listing),
  ...pick(request, 'format', 'language', 'fallback', 'name', 'metadata', 'webhookUrl', 'monitorId'),
  webhookKeyId: request.webhookKeyId === undefined ? request.keyId : request.webhookKeyId,
  notifyEmail: request.notifyEmail ?? false,
  dailyMail: request.dailyMail ?? false,
  receivers: request.receiverIds ?? [],
  version: now.getTime(),
  createdAt: now,
  ...leaseFrom(now),
});

type InsertedJob =
  /** Another request with the same key came first. */
  | { readonly kind: 'repeat' }
  /** Its source is not listed yet. */
  | { readonly kind: 'enumerating'; readonly jobId: string }
  | ({ readonly kind: 'to_open' } & Opening);

/**
 * Saves a new job with its key, its known rows and their operations, in one transaction. Throws if the account is at its cap of jobs.
 */
export const insertJob = (
  { db, messaging }: Deps,
  request: NewJob,
  listing: Source | null,
): Promise<InsertedJob> =>
  messaging.transaction(db, async (tx: Db, send): Promise<InsertedJob> => {
    const { accountId, idempotencyKey } = request;
    await lockAccount(tx, accountId);
    const now = await readDatabaseClock(tx);
    if (idempotencyKey && (await findAnswer(tx, accountId, idempotencyKey))) return { kind: 'repeat' };
    await admitNewJob(tx, request, now);
    const webhookStatus = await statusBeforeEvents(tx, accountId);
    const data = { ...toColumns(request, listing, now), webhookStatus };
    const job = toJob(await tx.job.create({ data, omit: { answer: true } }));
    if (listing === null) {
      await resumeJob({ tx, send, job, now }, { status: 'enumerating', openingId: null });
      return { kind: 'enumerating', jobId: job.id };
    }
    await insertRows(tx, job.id, listing.videos);
    return { kind: 'to_open', job, rows: await beginAttempts(tx, job.id, MAX_BATCH_ROWS) };
  });

/** Deletes a job that was never accepted: frees its key, and waives its batch. */
export const discardJob = ({ db, messaging }: Deps, id: string) =>
  messaging.transaction(db, async (tx: Db, send) => {
    const job = await lockJob(tx, id);
    if (job?.status !== 'creating') return;
    await tx.job.delete({ where: { id }, select: { id: true } });
    await uncountCreation(tx, job.accountId, job.createdAt);
    await send.enqueue(bulkOrchestrator.waiveJob, { jobId: id, accountId: job.accountId }, { key: id });
  });

/**
 * The answer to the first request with this key; `open` while it is under way. Throws `idempotency_key_reused` if that request differed.
 */
export const readAnswer = async (
  { db }: Deps,
  request: NewJob & { readonly idempotencyKey: string },
): Promise<JobBody | 'open' | null> => {
  const answer = await findAnswer(db, request.accountId, request.idempotencyKey);
  if (answer === null) return null;
  if (answer.requestDigest !== digestOf(request)) throw serviceError('idempotency_key_reused');
  return answer.body ?? 'open';
};

/** Refusals of a whole job. Rows that exceed a daily cap wait instead. */
const toRefusalError = ({
  code,
  message,
  required,
  available,
  buyUrl,
}: OpeningRefusal): ServiceError | null => {
  switch (code) {
    case 'insufficient_credits': {
      const [cost, balance] = [required ?? 0, available ?? 0];
      const shortfall = cost - balance;
      const extras = { required: cost, available: balance, shortfall, buy_url: buyUrl ?? '' };
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

/** Accepts a saved job and writes the answer of its key. Its rows begin later. The job may have been given up or cancelled since. */
const acceptJob = async (deps: Deps, jobId: string, { signal }: CallContext) => {
  const opening = await changeJob(deps, jobId, async (lock) => {
    const { tx, job, now } = lock;
    if (job.status !== 'creating') return null;
    if (job.idempotencyKey === null && remainingMs(signal) < ANSWER_MS)
      throw unavailableError('the caller is gone');
    const rows = await findRowsAtFetcher(tx, jobId);
    const lease = rows.length > 0 ? leaseFrom(now) : {};
    return { ...(await save(lock, { status: 'pending', ...lease })), rows };
  });
  crashPoint('job-accepted');
  return opening && opening.rows.length > 0 ? opening : null;
};

/** Takes the changes of cached rows, so that the first answer shows them, unless the fetcher is away. */
const openRows = async (deps: Deps, opening: Opening, context: CallContext) => {
  const { id } = opening.job;
  const reply = await requestOpening(deps, opening, context);
  const refusal = reply.refusal && toRefusalError(reply.refusal);
  if (refusal !== null) {
    await discardJob(deps, id);
    throw refusal;
  }
  await saveOpening(deps, opening, reply);
  if (!reply.hasChanges) return;
  await applyChanges(deps, id, context).catch(expecting(isServiceAway));
};

/** Saves the publish dates of cold rows that search knows or finds soon: each spares a request to the platform. */
const findDates = async ({ call, db }: Deps, job: Job, context: CallContext) => {
  const { id, accountId, tier } = job;
  const undated = (await findRowsAtFetcher(db, id)).filter(({ publishedAt }) => !publishedAt);
  if (undated.length === 0) return;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PUBLISH_DATES_WAIT_MS)]);
  const request = { accountId, tier, videoIds: undated.map(({ videoId }) => videoId) };
  // Without them the job is only slower.
  const reply = await call(search.findPublishDates, request, { ...context, signal }).catch((error: unknown) => {
    if (error instanceof ServiceError) return { dates: {} };
    throw error;
  });
  await saveDates(db, id, reply.dates);
};

/**
 * Opens the rows of a job in creation, all or nothing as far as credits go, and accepts it; or deletes it and throws the refusal. No row
 * begins before that, so a deleted job costs nothing. Returns the rows to begin.
 */
export const openNewJob = async (
  deps: Deps,
  opening: Opening,
  context: CallContext,
): Promise<Opening | null> => {
  const { id } = opening.job;
  if (opening.rows.length > 0) {
    await openRows(deps, opening, context);
    await findDates(deps, opening.job, context);
  }
  crashPoint('job-opened');
  return acceptJob(deps, id, context);
};

/** The answer to the request that began the job; null if the job has been given up since. */
export const firstAnswer = async ({ db }: Deps, jobId: string): Promise<JobBody | null> => {
  const job = await findJob(db, jobId);
  if (job === null || job.status === 'creating') return null;
  if (job.idempotencyKey === null) return readBody(db, job);
  return (await findAnswer(db, job.accountId, job.idempotencyKey))?.body ?? null;
};
