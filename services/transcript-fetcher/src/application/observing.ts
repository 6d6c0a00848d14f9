import { randomUUID } from 'node:crypto';
import { type ColdCapacity, ServiceError } from '@tds/contracts';
import type { Kit, Sql } from '@tds/service-kit';
import { chooseTrack, cuesOf, type VideoPlatform } from '@tds/video-platform';
import type { ObservedRoute } from '../domain/observed-routes.ts';
import { untoldDues, waitingRows } from '../store/measures.ts';
import type { Surface } from '../surface.ts';

const LANGUAGE = 'en';
/** What no known video has a track of, so that it has to be translated. */
const TRANSLATED_TO = 'eo';
/** Its failures are those of one caller. */
const CALLER = 'canary';

export type Canary = {
  /** Null where no videos are known. */
  next(): string | null;
};

/** Each check is of another video: circuits open by the failures of several. */
export const createCanary = (videoIds: readonly string[]): Canary => {
  let checks = 0;
  return {
    next() {
      checks += 1;
      return videoIds[checks % videoIds.length] ?? null;
    },
  };
};

const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'translation_refused';

/** Whether the platform translates; null where the video, or a failure of another kind, does not tell. */
export const checkTranslation = async (
  platform: VideoPlatform,
  videoId: string,
  signal: AbortSignal,
): Promise<'served' | 'refused' | null> => {
  const call = { signal, callerId: CALLER };
  try {
    const inspection = await platform.inspectVideo(videoId, { language: TRANSLATED_TO }, call);
    const choice = chooseTrack(inspection, { language: TRANSLATED_TO, fallback: true });
    if (choice.translation !== 'served') return choice.translation === 'refused' ? 'refused' : null;
    await platform.fetchTrack(inspection, choice, call, cuesOf);
    return 'served';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Of all other failures the routes tell.
    return isRefusal(error) ? 'refused' : null;
  }
};

export const checkRoutes = (platform: VideoPlatform, videoId: string, signal: AbortSignal) =>
  platform.checkRoutes(videoId, { language: LANGUAGE }, { signal, callerId: CALLER });

/** Who says nothing for longer is taken for silent by others. */
const SAY_AGAIN_MS = 60_000;

export type Observed = { readonly strategies: readonly ObservedRoute[]; readonly capacity: ColdCapacity };

/** What this instance has said last of strategies and capacity. */
export type Observer = {
  readonly instance: string;
  /** Whether others should hear it: it is something else, or they have heard nothing for a minute. */
  isNews(observed: Observed, now: Date): boolean;
  /** They have heard it. */
  said(observed: Observed, now: Date): void;
};

export const createObserver = (): Observer => {
  let last: { readonly text: string; readonly at: number } | null = null;
  return {
    instance: randomUUID(),
    isNews: (observed, now) =>
      last === null ||
      last.text !== JSON.stringify(observed) ||
      Math.abs(now.getTime() - last.at) >= SAY_AGAIN_MS,
    said: (observed, now) => {
      last = { text: JSON.stringify(observed), at: now.getTime() };
    },
  };
};

const SECOND_MS = 1_000;

/** Notes what a check of a known video found: by how many ways it was fetched, and by how many not. */
export type CountChecks = (checks: { readonly passed: number; readonly failed: number }) => void;

export const measureCanary = ({ measures }: Kit<Surface>): CountChecks => {
  const checks = measures.counter({
    name: 'tds_canary_checks_total',
    help: 'Ways to the platform by which a known video was fetched, or was not',
    labels: ['outcome'],
  });
  for (const outcome of ['passed', 'failed']) checks.inc({ outcome }, 0);
  return (found) => {
    for (const outcome of ['passed', 'failed'] as const) checks.inc({ outcome }, found[outcome]);
  };
};

/** What operators see of the platform, and of the work that waits for it and for the ledger. */
export const measureWork = (
  { measures, onBacklog }: Kit<Surface>,
  { sql, platform }: { readonly sql: Sql; readonly platform: VideoPlatform },
): void => {
  const open = measures.gauge({
    name: 'tds_circuit_open',
    help: '1 while a way to the platform fails: it is given up, or one request at a time finds out',
    labels: ['strategy', 'exit'],
  });
  const failed = measures.gauge({
    name: 'tds_circuit_failed_seconds',
    help: 'How long ago a way to the platform failed last: one that nobody needs stays given up',
    labels: ['strategy', 'exit'],
  });
  measures.onScrape({
    sets: [open, failed],
    collect: () => {
      for (const { strategy, egress, state, lastFailureAt } of platform.strategyHealth()) {
        const labels = { strategy, exit: egress };
        open.set(labels, state === 'closed' ? 0 : 1);
        if (lastFailureAt) failed.set(labels, (Date.now() - lastFailureAt.getTime()) / SECOND_MS);
      }
    },
  });
  onBacklog('reads', () => waitingRows(sql, 0));
  onBacklog('rows', () => waitingRows(sql, 1));
  onBacklog('charges', () => untoldDues(sql));
};
