import { randomUUID } from 'node:crypto';
import type { Sql } from '@tds/base';
import { type PayloadOf, SECOND_MS, type transcriptFetcher } from '@tds/contracts';
import { hasCode, ServiceError } from '@tds/errors';
import type { Kit } from '@tds/kit';
import { CANARY_CALLER, chooseTrack, type RouteCheck, readCues, type VideoPlatform } from '@tds/video-platform';
import type { Config } from '../config.ts';
import type { Surface } from '../surface.ts';
import { pendingSettlements, unindexedEntries, waitingRows } from './store/metrics.ts';

const ASKED_LANGUAGE = 'en';
/** A language that no known video has a track of, so that it needs a translation. */
const TARGET_LANGUAGE = 'eo';

/** The code of a check that was not made: it says nothing about the route. */
const NOT_CHECKED = 'budget_exhausted';

/**
 * Checks a different video each time, because only failures of several videos open a circuit, and one exit, so that the checks of an
 * installation do not grow with its exits.
 */
export const createCanary = ({
  canaryVideos: videoIds,
  platform: { exits },
}: Pick<Config, 'canaryVideos' | 'platform'>) => {
  let videos = 0;
  let turns = 0;
  const checksByExit = new Map<string, readonly RouteCheck[]>();
  return {
    /** Null if no videos are configured. */
    nextVideo(): string | null {
      videos += 1;
      return videoIds[videos % videoIds.length] ?? null;
    },
    nextExit(): string {
      turns += 1;
      return exits[turns % exits.length]?.name ?? '';
    },
    /** Keeps the checks of an exit; returns the last ones of all exits. */
    keep(exit: string, checks: readonly RouteCheck[]): readonly RouteCheck[] {
      const doneChecks = checks.filter(({ code }) => code !== NOT_CHECKED);
      checksByExit.set(exit, doneChecks);
      return [...checksByExit.values()].flat();
    },
  };
};

export type Canary = ReturnType<typeof createCanary>;

/** Checks whether the platform translates; null if the video or another failure leaves it open. */
export const checkTranslation = async (
  platform: VideoPlatform,
  videoId: string,
  signal: AbortSignal,
): Promise<'served' | 'refused' | null> => {
  const call = { signal, callerId: CANARY_CALLER };
  try {
    const inspection = await platform.inspectVideo(videoId, { language: TARGET_LANGUAGE }, call);
    const choice = chooseTrack(inspection, { language: TARGET_LANGUAGE, fallback: true });
    if (choice.translation !== 'served') return choice.translation === 'refused' ? 'refused' : null;
    await platform.fetchTrack(inspection, choice, call, readCues);
    return 'served';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // `checkRoutes` reports all other failures.
    return hasCode(error, 'translation_refused') ? 'refused' : null;
  }
};

export const checkRoutes = (platform: VideoPlatform, exit: string, videoId: string, signal: AbortSignal) =>
  platform.checkRoutes(exit, videoId, { language: ASKED_LANGUAGE }, { signal, callerId: CANARY_CALLER });

/** Listeners treat an instance as gone if it is silent for longer. */
const REPEAT_AFTER_MS = 60_000;

export type Observation = Omit<PayloadOf<typeof transcriptFetcher.strategyObserved>, 'instance' | 'observedAt'>;

/** The last observation that this instance emitted. */
export const createObserver = () => {
  let last: { readonly text: string; readonly at: number } | null = null;
  return {
    instance: randomUUID(),
    /** True if the observation changed, or the last one is a minute old. */
    isNew: (observation: Observation, now: Date): boolean =>
      last === null ||
      last.text !== JSON.stringify(observation) ||
      Math.abs(now.getTime() - last.at) >= REPEAT_AFTER_MS,
    /** Records an emitted observation. */
    markEmitted: (observation: Observation, now: Date): void => {
      last = { text: JSON.stringify(observation), at: now.getTime() };
    },
  };
};
export type Observer = ReturnType<typeof createObserver>;

/** Counts the routes by which a known video was fetched, and those that failed. */
export type CountChecks = (checks: { readonly passed: number; readonly failed: number }) => void;

export const measureCanary = ({ metrics }: Kit<Surface>): CountChecks => {
  const checks = metrics.counter({
    name: 'tds_canary_checks_total',
    help: 'Routes to the platform by which the canary video was fetched, or was not',
    labels: ['outcome'],
  });
  for (const outcome of ['passed', 'failed']) checks.inc({ outcome }, 0);
  return (counts) => {
    for (const outcome of ['passed', 'failed'] as const) checks.inc({ outcome }, counts[outcome]);
  };
};

/** Metrics of the routes to the platform, and of work that waits for it or for the ledger. */
export const measureWork = (
  { metrics, onBacklog }: Kit<Surface>,
  { sql, platform }: { readonly sql: Sql; readonly platform: VideoPlatform },
): void => {
  const open = metrics.gauge({
    name: 'tds_circuit_open',
    help: '1 while the circuit of a route to the platform is open or half open',
    labels: ['strategy', 'exit'],
  });
  const failed = metrics.gauge({
    name: 'tds_circuit_failed_seconds',
    help: 'Seconds since a route to the platform last failed; the circuit of an unused route stays open',
    labels: ['strategy', 'exit'],
  });
  metrics.onScrape({
    sets: [open, failed],
    collect: () => {
      for (const { strategy, exit, state, lastFailureAt } of platform.strategyHealth()) {
        const labels = { strategy, exit };
        open.set(labels, state === 'closed' ? 0 : 1);
        if (lastFailureAt) failed.set(labels, (Date.now() - lastFailureAt.getTime()) / SECOND_MS);
      }
    },
  });
  onBacklog('reads', () => waitingRows(sql, 'reads'));
  onBacklog('rows', () => waitingRows(sql, 'jobs'));
  onBacklog('charges', () => pendingSettlements(sql));
  onBacklog('unindexed', () => unindexedEntries(sql));
};
