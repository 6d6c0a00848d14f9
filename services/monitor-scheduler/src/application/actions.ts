import { isServiceAway, pick } from '@tds/base';
import {
  bulkOrchestrator,
  identity,
  monitorScheduler,
  type NewVideo,
  type ReplyOf,
  type RequestOf,
  tierLimits,
} from '@tds/contracts';
import { type ErrorCode, ServiceError } from '@tds/errors';
import type { CallContext } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { AWAY_MS, decidePauseReason, IDLE_MS, RETRY_MS } from '../domain/cadence.ts';
import { jobKeyOf, publicId } from '../domain/ids.ts';
import { readClock, saveTier } from '../store/accounts.ts';
import { hastenFeedsOfAccount } from '../store/feeds.ts';
import {
  type DueMonitor,
  type MonitorTurn,
  pauseForKey,
  saveTurn,
  wakeTurn,
  wakeTurnsOfAccount,
} from '../store/monitor-turns.ts';
import { findJobSettings, type JobSettings, saveJob } from '../store/monitors.ts';
import { videosBetween } from '../store/videos.ts';
import { emitPauseChange, sourceFields, toNewVideo, withAction } from './turns.ts';

type CreateJobRequest = RequestOf<typeof bulkOrchestrator.createJob>;
type Phase = ReplyOf<typeof identity.getKeyPhase>;

/** The same videos of a monitor have the same idempotency key. The job is under the key of the monitor: its cap holds, and its end. */
export const toJobRequest = (
  monitor: JobSettings,
  { tier, limitId }: Pick<Phase, 'tier' | 'limitId'>,
  videos: readonly NewVideo[],
): CreateJobRequest => {
  const videoIds = videos.map(({ video_id }) => video_id);
  const dates = videos.flatMap(({ video_id, published_at }) =>
    published_at ? [[video_id, published_at]] : [],
  );
  return {
    ...pick(monitor, 'accountId', 'keyId', 'personId', 'language', 'fallback', 'webhookUrl'),
    receiverIds: [...monitor.receivers],
    limitId,
    tier,
    idempotencyKey: jobKeyOf(publicId(monitor.id), videoIds),
    source: { videoIds, publishedAt: Object.fromEntries(dates) },
    format: 'both',
    webhookKeyId: monitor.webhookKeyId ?? monitor.keyId,
    monitorId: publicId(monitor.id),
    name: monitor.title || null,
    metadata: {},
  };
};

/** A monitor that lacks credits still asks: the answer shows whether it has some again. */
const mayFetch = (turn: MonitorTurn): boolean =>
  turn.autoFetch && decidePauseReason({ ...turn, lacksCredits: false }) === null;

/** What the events of a batch say of it. */
const toBatch = (turn: MonitorTurn, videos: readonly NewVideo[]) => ({
  ...sourceFields(turn),
  ...{ accountId: turn.accountId, monitorId: publicId(turn.id), title: turn.title },
  ...{ after: turn.fetched, videos: [...videos] },
});

/** The batch of the next job, fixed until the job is created or refused; null if there is none or the monitor is paused. */
const nextBatch = (deps: Deps, due: DueMonitor, phase: Phase) =>
  withAction(deps, due, async ({ tx, send, turn }) => {
    const { fetched, fetching, lastNumber, feedId } = turn;
    if (!mayFetch(turn) || fetched >= lastNumber) return null;
    const upTo = fetching ?? Math.min(lastNumber, fetched + tierLimits[phase.tier].videosPerJob);
    const videos = (await videosBetween(tx, feedId, { after: fetched, upTo })).map(toNewVideo);
    if (fetching === null && videos.length > 0) {
      await saveTurn(tx, turn.id, { fetching: upTo });
      await send.emit(monitorScheduler.automaticJobPlanned, toBatch(turn, videos));
    }
    return { request: toJobRequest(turn, phase, videos), videos };
  });

/** Saves that the batch has a job, and wakes a monitor that lacked credits. Returns whether there is another batch. */
const saveCreatedJob = (deps: Deps, due: DueMonitor, jobId: string, videos: readonly NewVideo[]) =>
  withAction(deps, due, async (lockedTurn) => {
    const { tx, send, turn } = lockedTurn;
    const { id, fetched: after, lastNumber, lacksCredits } = turn;
    const upTo = after + videos.length;
    await saveTurn(tx, id, { fetched: upTo, fetching: null, lacksCredits: false, jobError: null });
    await saveJob(tx, { monitorId: id, jobId, after, upTo });
    await send.emit(monitorScheduler.automaticJobBegun, { ...toBatch(turn, videos), jobId });
    await emitPauseChange(lockedTurn, { lacksCredits: false });
    if (lacksCredits) await wakeTurn(tx, id);
    return upTo < lastNumber;
  });

/** What a refusal changes of the batch: one too large for the current tier is cut again, and one that has a job with a former webhook URL is done. */
const batchAfter = (code: ErrorCode, { fetched, fetching }: MonitorTurn) => {
  if (code === 'idempotency_key_reused') return { fetched: fetching ?? fetched, fetching: null };
  return code === 'job_size_cap' ? { fetching: null } : {};
};

/** Saves why the job was refused. */
const saveRefusal = (deps: Deps, due: DueMonitor, { code, data }: ServiceError) =>
  withAction(deps, due, async (lockedTurn) => {
    // After another refusal it is still unknown whether the account has credits again.
    const lacksCredits = code === 'insufficient_credits' || lockedTurn.turn.lacksCredits;
    await saveTurn(lockedTurn.tx, lockedTurn.turn.id, {
      lacksCredits,
      jobError: `${code}: ${data.message}`,
      ...batchAfter(code, lockedTurn.turn),
    });
    await emitPauseChange(lockedTurn, { lacksCredits });
  });

const retryMs = (error: ServiceError): number => {
  // Failures on our side are retried like those of a service that is away.
  if (error.code === 'job_size_cap' || error.code === 'unexpected_error') return AWAY_MS;
  const seconds = error.data.retryAfterSeconds;
  return seconds === undefined ? RETRY_MS : Math.min(seconds * 1_000, RETRY_MS);
};

/**
 * Creates the job of the next batch. Returns the milliseconds to the next action. A repeat after a crash asks for the same batch
 * with the same key.
 */
const createJob = async (deps: Deps, due: DueMonitor, phase: Phase, context: CallContext) => {
  const batch = await nextBatch(deps, due, phase);
  if (batch === null) return IDLE_MS;
  crashPoint('batch-fixed');
  const { job } = await deps.call(bulkOrchestrator.createJob, batch.request, context);
  crashPoint('job-begun');
  return (await saveCreatedJob(deps, due, job.id, batch.videos)) ? 0 : IDLE_MS;
};

/**
 * Reads the tier of the account and the phase of the key from identity, and wakes the monitors that this changes. The latest request
 * wins, so events about tiers and keys may be lost, repeated or reordered: they only start an action, and each monitor has one a day.
 */
const readPhase = async (
  { db, messaging, call }: Deps,
  { id, account_id: accountId }: DueMonitor,
  context: CallContext,
) => {
  const keyId = (await findJobSettings(db, { accountId, id }))?.keyId ?? null;
  const askedAt = await readClock(db);
  const reply = await call(identity.getKeyPhase, { accountId, keyId }, context);
  const { tier, phase } = reply;
  await messaging.transaction(db, async (tx) => {
    if (keyId !== null && phase === 'revoked') await pauseForKey(tx, accountId, keyId);
    if (!(await saveTier(tx, accountId, { tier, askedAt }))) return;
    await hastenFeedsOfAccount(tx, accountId);
    await wakeTurnsOfAccount(tx, accountId);
  });
  return reply;
};

/** Makes the calls to other services that a monitor needs. Returns the milliseconds to its next action. */
export const runAction = async (deps: Deps, due: DueMonitor, context: CallContext): Promise<number> => {
  try {
    return await createJob(deps, due, await readPhase(deps, due, context), context);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (isServiceAway(error)) return AWAY_MS;
    await saveRefusal(deps, due, error);
    return retryMs(error);
  }
};
