import { createHash, randomUUID } from 'node:crypto';
import { isServiceAway, remainingMs } from '@tds/base';
import {
  bulkOrchestrator,
  type Job as JobBody,
  MAX_LINE_ROWS,
  type OpeningRefusal,
  PUBLISH_DATES_WAIT_MS,
  search,
} from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import { crashPoint } from '@tds/messaging';
import { parsePlatformAddress } from '@tds/platform-addresses';
import type { CallContext, Deps } from '../deps.ts';
import { lockAccount, statusBeforeEvents, uncountCreation } from '../store/admissions.ts';
import type { Db } from '../store/database.ts';
import { bodyOf } from '../store/job-views.ts';
import { databaseNow, findJob, type Job, lockJob, toJob } from '../store/jobs.ts';
import { beginAttempts, insertRows, rowsAtFetcher, saveDates } from '../store/rows.ts';
import { findAnswer } from '../store/save-job.ts';
import { admitNewJob } from './admit-job.ts';
import { askToOpen, leaseFrom, type Opening, saveOpened } from './advance-job.ts';
import { applyChanges } from './apply-changes.ts';
import { changeJob, resumeJob, save } from './change-job.ts';
import type { NewJob, Source } from './list-source.ts';

/** A caller with less time left may be gone, so a job without a key, which cannot be found again, is not accepted then. */
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

/** Covers all fields of a customer's request; dates are not its own. */
export const digestOf = (given: NewJob): string => {
  const { source, format, language, fallback, webhookUrl, monitorId, name, notifyEmail } = given;
  const metadata = Object.entries(given.metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const wanted = 'input' in source ? source : { videoIds: source.videoIds };
  const said = [wanted, format, language, fallback, webhookUrl, monitorId, name, metadata, notifyEmail];
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
  webhookKeyId: given.keyId,
  monitorId: given.monitorId,
  notifyEmail: given.notifyEmail ?? false,
  version: now.getTime(),
  createdAt: now,
  ...leaseFrom(now),
});

export type InsertedJob =
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
  given: NewJob,
  listed: Source | null,
): Promise<InsertedJob> =>
  messaging.transaction(db, async (tx: Db, send): Promise<InsertedJob> => {
    const { accountId, idempotencyKey } = given;
    await lockAccount(tx, accountId);
    const now = await databaseNow(tx);
    if (idempotencyKey && (await findAnswer(tx, accountId, idempotencyKey))) return { kind: 'repeat' };
    await admitNewJob(tx, given, now);
    const webhookStatus = await statusBeforeEvents(tx, accountId);
    const data = { ...columnsOf(given, listed, now), webhookStatus };
    const job = toJob(await tx.job.create({ data, omit: { answer: true } }));
    if (listed === null) {
      await resumeJob({ tx, send, job, now }, { status: 'enumerating', openingId: null });
      return { kind: 'enumerating', jobId: job.id };
    }
    await insertRows(tx, job.id, listed.videos);
    return { kind: 'to_open', job, rows: await beginAttempts(tx, job.id, MAX_LINE_ROWS) };
  });

/** Deletes a job that was never accepted: frees its key, and disowns its line. */
export const discardJob = ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, id: string): Promise<void> =>
  messaging.transaction(db, async (tx: Db, send) => {
    const job = await lockJob(tx, id);
    if (job?.status !== 'creating') return;
    await tx.job.delete({ where: { id }, select: { id: true } });
    await uncountCreation(tx, job.accountId, job.createdAt);
    await send.enqueue(bulkOrchestrator.disownJob, { jobId: id, accountId: job.accountId }, { key: id });
  });

/**
 * The answer to the first request with this key; `open` while it is under way. Throws `idempotency_key_reused` if that request differed.
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

/** Refusals of a whole job. Rows that exceed a daily cap wait instead. */
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

/** Accepts a saved job and writes the answer of its key. Its rows begin later. The job may have been given up or cancelled since. */
const acceptJob = async (deps: Deps, jobId: string, { signal }: CallContext): Promise<Opening | null> => {
  const accepted = await changeJob(deps, jobId, async (locked) => {
    const { tx, job, now } = locked;
    if (job.status !== 'creating') return null;
    if (job.idempotencyKey === null && remainingMs(signal) < ANSWER_MS) throw notNow('the caller is gone');
    const rows = await rowsAtFetcher(tx, jobId);
    const lease = rows.length > 0 ? leaseFrom(now) : {};
    return { ...(await save(locked, { status: 'pending', ...lease })), rows };
  });
  crashPoint('job-accepted');
  return accepted && accepted.rows.length > 0 ? accepted : null;
};

/** Takes the changes of cached rows, so that the first answer shows them, unless the fetcher is away. */
const openRows = async (deps: Deps, opening: Opening, context: CallContext): Promise<void> => {
  const { id } = opening.job;
  const opened = await askToOpen(deps, opening, context);
  const refusal = opened.refusal && refusalOf(opened.refusal);
  if (refusal !== null) {
    await discardJob(deps, id);
    throw refusal;
  }
  await saveOpened(deps, opening, opened);
  if (!opened.hasChanges) return;
  await applyChanges(deps, id, context).catch((error: unknown) => {
    if (!isServiceAway(error)) throw error;
  });
};

/** Saves the publish dates of cold rows that search knows or finds soon: each spares a request to the platform. */
const findDates = async ({ call, db }: Deps, job: Job, context: CallContext): Promise<void> => {
  const { id, accountId, tier } = job;
  const undated = (await rowsAtFetcher(db, id)).filter(({ publishedAt }) => !publishedAt);
  if (undated.length === 0) return;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PUBLISH_DATES_WAIT_MS)]);
  const asked = { accountId, tier, videoIds: undated.map(({ videoId }) => videoId) };
  // Without them the job is only slower.
  const found = await call(search.findPublishDates, asked, { ...context, signal }).catch((error: unknown) => {
    if (error instanceof ServiceError) return { dates: {} };
    throw error;
  });
  await saveDates(db, id, found.dates);
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
  if (job.idempotencyKey === null) return bodyOf(db, job);
  return (await findAnswer(db, job.accountId, job.idempotencyKey))?.body ?? null;
};
