import { randomUUID } from 'node:crypto';
import {
  activeJobStatuses,
  bulkOrchestrator,
  type Job as JobBody,
  parsePlatformAddress,
  serviceError,
  type Tier,
  tierLimits,
} from '@tds/contracts';
import { crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Tx } from '../store/database.ts';
import { bodyOf } from '../store/job-views.ts';
import { findByKey, type Job, lockJob, moveJob, toJob } from '../store/jobs.ts';
import { planRound, type Round, saveHeld } from '../store/rounds.ts';
import { insertRows, type NewRow } from '../store/rows.ts';
import type { NewJob, Source } from './list-source.ts';
import { beginWork } from './send-tasks.ts';

const ACTIVE_CAP_WAIT_SECONDS = 60;

/** Two jobs of one account are begun one after the other, so that together they pass no cap. */
const lockAccount = async (tx: Tx, accountId: string): Promise<void> => {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${accountId}, 0))::text`;
};

/** To be called in the transaction that makes one more job active. Throws `active_job_cap`. */
export const admitActiveJob = async (tx: Tx, accountId: string, tier: Tier): Promise<void> => {
  await lockAccount(tx, accountId);
  const active = await tx.job.count({ where: { accountId, status: { in: [...activeJobStatuses] } } });
  const most = tierLimits[tier].activeJobs;
  if (active < most) return;
  throw serviceError('active_job_cap', {
    message: `This tier runs ${most} ${most === 1 ? 'job' : 'jobs'} at a time. Wait for one to end, or cancel one.`,
    retryAfterSeconds: ACTIVE_CAP_WAIT_SECONDS,
  });
};

const kindOf = (input: string): Source['kind'] => {
  const kind = parsePlatformAddress(input)?.kind;
  return kind === 'playlist' || kind === 'list' ? kind : 'channel';
};

const columnsOf = (given: NewJob, source: Source | null, now: Date) => {
  const input = 'input' in given.source ? given.source.input : null;
  return {
    ...{ accountId: given.accountId, keyId: given.keyId, limitId: given.limitId ?? null, tier: given.tier },
    ...{ accountCreatedAt: given.accountCreatedAt, dailyCreditCap: given.dailyCreditCap ?? null },
    ...{ idempotencyKey: given.idempotencyKey, isListed: source !== null },
    status: source === null ? 'enumerating' : 'creating',
    ...{ sourceKind: source?.kind ?? kindOf(input ?? ''), sourceInput: input },
    ...{ format: given.format, language: given.language, fallback: given.fallback },
    ...{ monitorId: given.monitorId, createdAt: now, touchedAt: now },
  };
};

const saveAnswer = async (tx: Tx, job: Job): Promise<JobBody> => {
  const body = await bodyOf(tx, job);
  await tx.job.update({ where: { id: job.id }, data: { answer: JSON.stringify(body) } });
  return body;
};

/** What a job is created with: its rows, if they are known, in their order. */
export type Listed = { readonly source: Source; readonly rows: readonly NewRow[] } | null;
export type Inserted =
  /** Another request with the same key was first. */
  | { readonly kind: 'repeat' }
  /** There is nothing to hold credits for, or not yet. */
  | { readonly kind: 'answered'; readonly body: JobBody }
  | { readonly kind: 'to_reserve'; readonly job: Job; readonly round: Round };

const accept = async (tx: Tx, job: Job, now: Date): Promise<Job | null> =>
  moveJob(tx, job, 'accepted', {}, now);

/** Saves a new job, its rows and its Idempotency-Key in one transaction. Throws `active_job_cap`. */
export const insertJob = ({ db, kit, now }: Deps, given: NewJob, listed: Listed): Promise<Inserted> =>
  kit.messaging.transaction(db, async (tx: Tx, send) => {
    await lockAccount(tx, given.accountId);
    const { idempotencyKey } = given;
    const before = idempotencyKey && (await findByKey(tx, given.accountId, idempotencyKey));
    if (before) return { kind: 'repeat' };
    await admitActiveJob(tx, given.accountId, given.tier);
    const id = randomUUID();
    const columns = columnsOf(given, listed?.source ?? null, now());
    const job = toJob(await tx.job.create({ data: { id, ...columns } }));
    if (listed) await insertRows(tx, id, listed.rows);
    const round = await planRound(tx, id, now());
    if (round) return { kind: 'to_reserve', job, round };
    const begun = job.isListed ? await accept(tx, job, now()) : job;
    if (begun === null) throw new Error('a new job could not be accepted');
    await beginWork(tx, send, begun);
    return { kind: 'answered', body: await saveAnswer(tx, begun) };
  });

/**
 * A job whose credits are held begins, and keeps what its creation is answered with. Null where it has been given up since.
 */
export const acceptJob = ({ db, kit, now }: Deps, round: Round): Promise<JobBody | null> =>
  kit.messaging.transaction(db, async (tx: Tx, send) => {
    const job = await lockJob(tx, round.jobId);
    if (job === null) return null;
    const accepted = await accept(tx, job, now());
    // Its owner has cancelled it by now: what was held for it is given back by that.
    if (accepted === null) return saveAnswer(tx, job);
    await saveHeld(tx, round);
    await beginWork(tx, send, accepted);
    crashPoint('job-accepting');
    return saveAnswer(tx, accepted);
  });

/** Forgets a job that was never accepted. `refs`: what may be held for it, and is given back. */
export const discardJob = (
  { db, kit }: Pick<Deps, 'db' | 'kit'>,
  id: string,
  refs: readonly string[],
): Promise<void> =>
  kit.messaging.transaction(db, async (tx: Tx, send) => {
    const job = await lockJob(tx, id);
    if (job?.status !== 'creating') return;
    await tx.job.delete({ where: { id } });
    for (const ref of refs) await send.enqueue(bulkOrchestrator.releaseJob, { ref }, { key: ref });
  });

/** What the first request with this key was answered; `open` while it still is being answered. */
export const answerOf = async (
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  idempotencyKey: string,
): Promise<JobBody | 'open' | null> => {
  const job = await findByKey(db, accountId, idempotencyKey);
  if (job === null) return null;
  return job.answer === null ? 'open' : (JSON.parse(job.answer) as JobBody);
};
