import { createHash } from 'node:crypto';
import { bulkOrchestrator, identity, type RequestOf, ServiceError, tierLimits } from '@tds/contracts';
import { crashPoint, isServiceAway } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { AWAY_MS, IDLE_MS, RETRY_MS } from '../domain/cadence.ts';
import { type DueMonitor, saveTurn, type Turn } from '../store/monitor-turns.ts';
import { videosBetween } from '../store/videos.ts';
import { type CallContext, inTurn, publicId, tellPause } from './turns.ts';

type Asked = RequestOf<typeof bulkOrchestrator.createJob>;

/** Of a batch, as its key names it. Numbers alone would not do: they are given anew where the database was put back. */
const DIGEST_LENGTH = 32;
const digestOf = (videoIds: readonly string[]): string =>
  createHash('sha256').update(videoIds.join()).digest('hex').slice(0, DIGEST_LENGTH);

/** What a job is asked for: the same batch has the same key, however often it is asked for, so there is one job of it. */
const jobOf = (turn: Turn, tier: Asked['tier'], videoIds: string[]): Asked => ({
  accountId: turn.accountId,
  // Of the account, not of the key that has created the monitor.
  ...{ keyId: null, limitId: null, tier },
  idempotencyKey: `monitor:${publicId(turn.id)}:${digestOf(videoIds)}`,
  source: { videoIds },
  ...{ format: 'both', language: turn.language, fallback: turn.fallback },
  webhookUrl: turn.webhookUrl,
  monitorId: publicId(turn.id),
  ...{ name: null, metadata: {} },
});

/** The videos that the next job fetches, fixed until somebody has answered; null where there are none. */
const nextBatch = (deps: Deps, due: DueMonitor, tier: Asked['tier']): Promise<Asked | null> =>
  inTurn(deps, due, async ({ tx, turn }) => {
    const { fetched, fetching, lastNumber, feedId } = turn;
    if (fetched >= lastNumber) return null;
    const upTo = fetching ?? Math.min(lastNumber, fetched + tierLimits[tier].videosPerJob);
    if (fetching === null) await saveTurn(tx, turn.id, { fetching: upTo });
    const videos = await videosBetween(tx, feedId, { after: fetched, upTo });
    const ids = videos.map(({ id }) => id);
    return jobOf(turn, tier, ids);
  });

/** The batch has its job. True where there is more to do: another batch, or what waited for credits to be told. */
const saveBegun = (deps: Deps, due: DueMonitor): Promise<boolean> =>
  inTurn(deps, due, async (held) => {
    const { id, fetched, fetching, lastNumber, lacksCredits } = held.turn;
    const upTo = fetching ?? fetched;
    await saveTurn(held.tx, id, { fetched: upTo, fetching: null, lacksCredits: false, jobError: null });
    await tellPause(held, { lacksCredits: false });
    return upTo < lastNumber || lacksCredits;
  });

/** Refused without a trace: a batch that is too large for the tier of now is cut anew. */
const saveRefused = (deps: Deps, due: DueMonitor, { code, data }: ServiceError): Promise<void> =>
  inTurn(deps, due, async (held) => {
    // Whatever else refuses it now, it lacks credits until a job is begun.
    const lacksCredits = code === 'insufficient_credits' || held.turn.lacksCredits;
    const again = code === 'job_size_cap' ? { fetching: null } : {};
    await saveTurn(held.tx, held.turn.id, { lacksCredits, jobError: `${code}: ${data.message}`, ...again });
    await tellPause(held, { lacksCredits });
  });

const waitMs = (error: ServiceError): number => {
  if (error.code === 'job_size_cap') return AWAY_MS;
  const seconds = error.data.retryAfterSeconds;
  return seconds === undefined ? RETRY_MS : Math.min(seconds * 1_000, RETRY_MS);
};

/**
 * Begins the job of the next batch, and resolves to when to look again. Whoever dies on the way asks for the same batch under the
 * same key; whatever refuses it is asked again later.
 */
export const beginJob = async (deps: Deps, due: DueMonitor, context: CallContext): Promise<number> => {
  try {
    const account = { accountId: due.account_id, keyId: null };
    const { tier } = await deps.call(identity.getKeyStanding, account, context);
    const batch = await nextBatch(deps, due, tier);
    if (batch === null) return IDLE_MS;
    crashPoint('batch-fixed');
    await deps.call(bulkOrchestrator.createJob, batch, context);
    crashPoint('job-begun');
    return (await saveBegun(deps, due)) ? 0 : IDLE_MS;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (isServiceAway(error)) return AWAY_MS;
    await saveRefused(deps, due, error);
    return waitMs(error);
  }
};
