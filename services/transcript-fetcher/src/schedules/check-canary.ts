import { transcriptFetcher } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import { checkRoutes, checkTranslation } from '../application/canary.ts';
import type { Deps } from '../deps.ts';
import { readClock } from '../store/shared-use.ts';

/**
 * Fetches a known video through every strategy and exit, outside of all accounts: there is no row, no charge, and nothing is stored. It
 * is traffic like any other to the circuits, so that strategies which nobody uses are known, and what was blocked is tried again.
 */
export const checkCanary = onSchedule(
  async ({ db, messaging, platform, canary, countChecks, observer }: Deps, { signal, record }) => {
    const videoId = canary.next();
    if (videoId === null) return;
    const checks = await checkRoutes(platform, videoId, signal);
    const translation = await checkTranslation(platform, videoId, signal);
    signal.throwIfAborted();
    const routes = checks.map(({ strategy, egress, code }) => ({
      strategy,
      exit: egress,
      passed: code === null,
    }));
    const failed = checks.filter(({ code }) => code !== null);
    const passed = checks.length - failed.length;
    countChecks({ passed, failed: failed.length });
    record.add({ passed, failed: failed.map(nameOf).join(', ') });
    const checkedAt = await readClock(db);
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

const nameOf = ({ strategy, egress, code }: { strategy: string; egress: string; code: string | null }) =>
  `${strategy} by ${egress}: ${code}`;
