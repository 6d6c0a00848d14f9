import { randomUUID } from 'node:crypto';
import { each, purgeEach, readDatabaseClock } from '@tds/base';
import { creditsLedger, MAX_REFS, transcriptFetcher } from '@tds/contracts';
import { onSchedule } from '@tds/kit';
import type { Context } from '@tds/messaging';
import type { Delivery, ReservationOwner, Resolution } from '@tds/reservations';
import { giveUp, settleNow, TRANSCRIPT_REASON, toCharge } from './credits/credits.ts';
import {
  chargedRows,
  findRowsByRefs,
  type RowOfItem,
  settlementQueue,
  waivedRows,
} from './credits/store/settlements.ts';
import type { Deps } from './deps.ts';
import { abandonedError } from './domain/operation.ts';
import { waitingPriorities } from './fetches/store/rows.ts';
import { MAX_OPENING_SECONDS } from './fetches/store/workers.ts';
import { observedRoutes, toColdCapacity, toFaultShare } from './health/domain/observed-routes.ts';
import { checkRoutes, checkTranslation } from './health/observing.ts';
import { readSharedUse } from './health/store/metrics.ts';
import { abandonedReads, failRead } from './reads/store/operations.ts';
import { createPurges } from './store/purge.ts';

/**
 * Fetches a known video through every strategy of the next exit, without an account, a row, a charge or a stored file. Circuits count it
 * like any traffic, so unused strategies are observed and blocked ones are retried.
 */
export const checkCanary = onSchedule(
  async ({ db, messaging, platform, canary, countChecks, observer }: Deps, { signal, record }) => {
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
    const routes = checks.map(({ strategy, exit, code }) => ({
      strategy,
      exit,
      passed: code === null,
    }));
    const failedChecks = checks.filter(({ code }) => code !== null);
    const passed = checks.length - failedChecks.length;
    countChecks({ passed, failed: failedChecks.length });
    record.add({ passed, failed: failedChecks.map(formatCheck).join(', ') });
    const checkedAt = await readDatabaseClock(db);
    await messaging.transaction(db, (_tx, send) =>
      send.emit(transcriptFetcher.canaryChecked, {
        instance: observer.instance,
        checkedAt: checkedAt.toISOString(),
        routes,
        translation,
      }),
    );
  },
);

const formatCheck = ({ strategy, exit, code }: { strategy: string; exit: string; code: string | null }) =>
  `${strategy} by ${exit}: ${code}`;

/** Emits the strategies and capacity that this instance observes, at each change and each minute. */
export const observeStrategies = onSchedule(
  async ({ db, messaging, platform, proxyBytesPerDay, limits, observer, outcomes, now }: Deps) => {
    const { at, ...usage } = await readSharedUse(db);
    const observation = {
      strategies: observedRoutes(platform.strategyHealth(), now()),
      capacity: toColdCapacity(usage, { ...limits, proxyBytesPerDay }),
      ...toFaultShare(outcomes.counts()),
    };
    if (!observer.isNew(observation, at)) return;
    const { instance } = observer;
    await messaging.transaction(db, (_tx, send) =>
      send.emit(transcriptFetcher.strategyObserved, {
        instance,
        observedAt: at.toISOString(),
        ...observation,
      }),
    );
    observer.markEmitted(observation, at);
  },
);

export const purgeOldOperations = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  record.add(await purgeEach(createPurges(db), { signal }));
});

/**
 * Makes ledger and rows agree again after one of their databases was restored. Skips work under way, so it changes nothing between two
 * sound databases.
 */
export const reconcileReservations = onSchedule(async (deps: Deps, context) => {
  await deps.compare(toReservationOwner(deps), context);
  await refundVoid(deps, context);
});

const toReservationOwner = ({ call, log, sql, db, orphanedAfterMs }: Deps): ReservationOwner => ({
  call,
  log,
  reason: TRANSCRIPT_REASON,
  orphanedAfterMs,
  resolveHeld: async (reservations) => {
    const rows = await findRowsByRefs(
      sql,
      reservations.map(({ ref }) => ref),
    );
    const rowsByRef = Map.groupBy(rows, ({ ref }) => ref);
    return reservations.map(({ ref, held: items }) => toResolution(ref, items, rowsByRef.get(ref) ?? []));
  },
  listDeliveries: async (after) =>
    (await chargedRows(sql, after, MAX_REFS)).map((row): Delivery => {
      const { cursor, ref, item } = row;
      return { cursor, charge: toCharge(row, [item], ref) };
    }),
  markUncollected: ({ charge }) => giveUp({ db, log }, charge),
});

/** A row is saved before its credit is held, so an item without a row was lost. */
const toResolution = (ref: string, held: readonly number[], rows: readonly RowOfItem[]): Resolution => {
  const charges = new Map(rows.map(({ item, charge }) => [item, charge]));
  return {
    ref,
    charge: held.filter((item) => charges.get(item) === true),
    release: held.filter((item) => !charges.has(item) || charges.get(item) === false),
  };
};

/** Refunds waived charges again that a restored ledger has lost. */
const refundVoid = async ({ sql, call }: Deps, context: Context): Promise<void> => {
  const waived = await waivedRows(sql, MAX_REFS);
  if (waived.length === 0) return;
  const refs = waived.map(({ ref }) => ref);
  const { rows } = await call(creditsLedger.lookUpItems, { refs }, context);
  for (const { ref, charged, refunded } of rows) {
    const isVoid = new Set(waived.find((each) => each.ref === ref)?.items);
    const items = charged.filter((item) => isVoid.has(item) && !refunded.includes(item));
    if (items.length > 0) await call(creditsLedger.refundItems, { ref, items }, context);
  }
};

const SETTLEMENT_BATCH_SIZE = 50;

/**
 * Takes over the work of dead processes and of lost hints: fetches, reads that never began, waiting rows, and settlements. Runs on every
 * instance.
 */
export const takeOverLostWork = onSchedule(async (deps: Deps) => {
  const steps = [
    () => deps.worker.adopt(),
    () => wakePriorities(deps),
    () => endAbandonedReads(deps),
    () => settlePending(deps),
  ];
  await each<() => Promise<void>>((step) => step())(steps);
});

const wakePriorities = async ({ sql, worker }: Deps): Promise<void> => {
  for (const priority of await waitingPriorities(sql)) worker.wake(priority);
};

/** Their process died before they began; the ledger may hold their credit. */
const endAbandonedReads = async ({ sql }: Deps): Promise<void> => {
  const counters = { scopes: [], day: '1970-01-01' };
  for (const { id } of await abandonedReads(sql, MAX_OPENING_SECONDS)) {
    await failRead(sql, id, { error: abandonedError, counters, settlementId: randomUUID() });
  }
};

const settlePending = async (deps: Deps): Promise<void> => {
  for (const settlement of await settlementQueue.claim(deps.pool, SETTLEMENT_BATCH_SIZE))
    await settleNow(deps, settlement);
};
