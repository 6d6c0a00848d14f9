import { readDatabaseClock } from '@tds/base';
import { transcriptFetcher } from '@tds/contracts';
import { onSchedule } from '@tds/kit';
import type { RecentOutcomes } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { observedRoutes, type SharedLimits, toColdCapacity, toFaultShare } from './domain/observed-routes.ts';
import { type Canary, type CountChecks, checkRoutes, checkTranslation, type Observer } from './observing.ts';
import { readSharedUse } from './store/metrics.ts';

type HealthDeps = Deps & {
  readonly observer: Observer;
  readonly canary: Canary;
  readonly countChecks: CountChecks;
  /** How the fetches of customers ended. */
  readonly outcomes: RecentOutcomes;
  readonly limits: Omit<SharedLimits, 'proxyBytesPerDay'>;
  /** Of all proxies together; no limit without proxies. */
  readonly proxyBytesPerDay: number;
};

/**
 * Fetches a known video through every strategy of the next exit, without an account, a row, a charge or a stored file. Circuits count it
 * like any traffic, so unused strategies are observed and blocked ones are retried.
 */
export const checkCanary = onSchedule(
  async ({ db, messaging, platform, canary, countChecks, observer }: HealthDeps, { signal, record }) => {
    const videoId = canary.nextVideo();
    if (videoId === null) return;
    const exit = canary.nextExit();
    const first = await checkRoutes(platform, exit, videoId, signal);
    // Another video tells whether the routes failed, or the owner of this one has removed it.
    const other = first.some(({ code }) => code === null) ? null : canary.nextVideo();
    if (other !== null) await checkRoutes(platform, exit, other, signal);
    const checks = canary.keep(exit, first);
    const translation = await checkTranslation(platform, videoId, signal);
    signal.throwIfAborted();
    const routes = checks.map(({ strategy, exit, code }) => ({ strategy, exit, passed: code === null }));
    const failedChecks = checks.filter(({ code }) => code !== null);
    const passed = checks.length - failedChecks.length;
    countChecks({ passed, failed: failedChecks.length });
    record.add({ passed, failed: failedChecks.map(formatCheck).join(', ') });
    const checkedAt = (await readDatabaseClock(db)).toISOString();
    const checked = { instance: observer.instance, checkedAt, routes, translation };
    await messaging.transaction(db, (_tx, send) => send.emit(transcriptFetcher.canaryChecked, checked));
  },
);

const formatCheck = ({ strategy, exit, code }: { strategy: string; exit: string; code: string | null }) =>
  `${strategy} by ${exit}: ${code}`;

/** Emits the strategies and capacity that this instance observes, at each change and each minute. */
export const observeStrategies = onSchedule(
  async ({ db, messaging, platform, proxyBytesPerDay, limits, observer, outcomes, now }: HealthDeps) => {
    const { at, ...usage } = await readSharedUse(db);
    const observation = {
      strategies: observedRoutes(platform.strategyHealth(), now()),
      capacity: toColdCapacity(usage, { ...limits, proxyBytesPerDay }),
      ...toFaultShare(outcomes.counts()),
    };
    if (!observer.isNew(observation, at)) return;
    const observed = { instance: observer.instance, observedAt: at.toISOString(), ...observation };
    await messaging.transaction(db, (_tx, send) => send.emit(transcriptFetcher.strategyObserved, observed));
    observer.markEmitted(observation, at);
  },
);
