import {
  bulkOrchestrator,
  identity,
  monitorScheduler,
  type RequestOf,
  ServiceError,
  type Tier,
  tierLimits,
} from '@tds/contracts';
import { crashPoint, isServiceAway } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { AWAY_MS, IDLE_MS, pauseReasonOf, RETRY_MS } from '../domain/cadence.ts';
import { jobKeyOf, publicId } from '../domain/ids.ts';
import { moment, saveTier } from '../store/accounts.ts';
import { hastenFeedsOfAccount } from '../store/feeds.ts';
import {
  type DueMonitor,
  saveTurn,
  type Turn,
  wakeTurn,
  wakeTurnsOfAccount,
} from '../store/monitor-turns.ts';
import { saveJob } from '../store/monitors.ts';
import { type Entry, videosBetween } from '../store/videos.ts';
import { type CallContext, onErrand, tellPause, toNewVideo } from './turns.ts';

type Asked = RequestOf<typeof bulkOrchestrator.createJob>;
type Batch = { readonly asked: Asked; readonly videos: readonly Entry[] };

/** What a job is asked for. */
const jobOf = (turn: Turn, tier: Asked['tier'], videoIds: string[]): Asked => ({
  accountId: turn.accountId,
  // Of the account, not of the key that has created the monitor.
  ...{ keyId: null, limitId: null, tier },
  idempotencyKey: jobKeyOf(publicId(turn.id), videoIds),
  source: { videoIds },
  ...{ format: 'both', language: turn.language, fallback: turn.fallback },
  webhookUrl: turn.webhookUrl,
  monitorId: publicId(turn.id),
  ...{ name: null, metadata: {} },
});

/** To begin the job is how a monitor that lacks credits learns that it does no more. */
const mayFetch = (turn: Turn): boolean =>
  turn.autoFetch && pauseReasonOf({ ...turn, lacksCredits: false }) === null;

/** The videos that the next job fetches, fixed until somebody has answered; null where there are none, or it waits. */
const nextBatch = (deps: Deps, due: DueMonitor, tier: Asked['tier']): Promise<Batch | null> =>
  onErrand(deps, due, async ({ tx, turn }) => {
    const { fetched, fetching, lastNumber, feedId } = turn;
    if (!mayFetch(turn) || fetched >= lastNumber) return null;
    const upTo = fetching ?? Math.min(lastNumber, fetched + tierLimits[tier].videosPerJob);
    if (fetching === null) await saveTurn(tx, turn.id, { fetching: upTo });
    const videos = await videosBetween(tx, feedId, { after: fetched, upTo });
    const ids = videos.map(({ id }) => id);
    return { asked: jobOf(turn, tier, ids), videos };
  });

/** The batch has its job. True where there is another batch. What waited for credits to be told has its turn. */
const saveBegun = (
  deps: Deps,
  due: DueMonitor,
  { jobId, videos }: Pick<Batch, 'videos'> & { readonly jobId: string },
): Promise<boolean> =>
  onErrand(deps, due, async (held) => {
    const { tx, send, turn } = held;
    const { id, accountId, kind, sourceId, title, fetched: after, lastNumber, lacksCredits } = turn;
    const upTo = after + videos.length;
    await saveTurn(tx, id, { fetched: upTo, fetching: null, lacksCredits: false, jobError: null });
    await saveJob(tx, { monitorId: id, jobId, after, upTo });
    await send.emit(monitorScheduler.automaticJobBegun, {
      ...{ accountId, monitorId: publicId(id), title, jobId, after, videos: videos.map(toNewVideo) },
      channel: kind === 'channel' ? sourceId : null,
      playlist: kind === 'playlist' ? sourceId : null,
    });
    await tellPause(held, { lacksCredits: false });
    if (lacksCredits) await wakeTurn(tx, id);
    return upTo < lastNumber;
  });

/** Refused without a trace: a batch that is too large for the tier of now is cut anew. */
const saveRefused = (deps: Deps, due: DueMonitor, { code, data }: ServiceError): Promise<void> =>
  onErrand(deps, due, async (held) => {
    // Whatever else refuses it now, it lacks credits until a job is begun.
    const lacksCredits = code === 'insufficient_credits' || held.turn.lacksCredits;
    const again = code === 'job_size_cap' ? { fetching: null } : {};
    await saveTurn(held.tx, held.turn.id, { lacksCredits, jobError: `${code}: ${data.message}`, ...again });
    await tellPause(held, { lacksCredits });
  });

const waitMs = (error: ServiceError): number => {
  // What failed on our side is tried again as soon as what is away.
  if (error.code === 'job_size_cap' || error.code === 'unexpected_error') return AWAY_MS;
  const seconds = error.data.retryAfterSeconds;
  return seconds === undefined ? RETRY_MS : Math.min(seconds * 1_000, RETRY_MS);
};

/**
 * Begins the job of the next batch, and resolves to when to look again. Whoever dies on the way asks for the same batch under the
 * same key; whatever refuses it is asked again later. Throws where a service is away.
 */
const beginJob = async (
  deps: Deps,
  due: DueMonitor,
  tier: Asked['tier'],
  context: CallContext,
): Promise<number> => {
  const batch = await nextBatch(deps, due, tier);
  if (batch === null) return IDLE_MS;
  crashPoint('batch-fixed');
  const { job } = await deps.call(bulkOrchestrator.createJob, batch.asked, context);
  crashPoint('job-begun');
  return (await saveBegun(deps, due, { jobId: job.id, videos: batch.videos })) ? 0 : IDLE_MS;
};

const refused = async (deps: Deps, due: DueMonitor, error: ServiceError): Promise<number> => {
  await saveRefused(deps, due, error);
  return waitMs(error);
};

/**
 * The tier of the account as identity has it, from which its monitors pause or go on. What was asked for later counts, so events about it
 * may be lost, repeated or come in any order: they only give an errand, and each monitor has one a day.
 */
const askTier = async (
  { db, messaging, call }: Deps,
  { account_id: accountId }: DueMonitor,
  context: CallContext,
): Promise<Tier> => {
  const askedAt = await moment(db);
  const { tier } = await call(identity.getKeyStanding, { accountId, keyId: null }, context);
  await messaging.transaction(db, async (tx) => {
    if (!(await saveTier(tx, accountId, { tier, askedAt }))) return;
    await hastenFeedsOfAccount(tx, accountId);
    await wakeTurnsOfAccount(tx, accountId);
  });
  return tier;
};

/** What a monitor needs other services for. Resolves to when it asks again. */
export const runErrand = async (deps: Deps, due: DueMonitor, context: CallContext): Promise<number> => {
  try {
    return await beginJob(deps, due, await askTier(deps, due, context), context);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return isServiceAway(error) ? AWAY_MS : refused(deps, due, error);
  }
};
