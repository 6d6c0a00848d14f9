import { defineSurface, status, transcriptFetcher } from '@tds/contracts';

export const surface = defineSurface(status, {
  subscriptions: [transcriptFetcher.strategyObserved, transcriptFetcher.canaryChecked],
  schedules: {
    updateIncidents: { everySeconds: 15 },
    evaluateDays: { everySeconds: 300 },
    purgeOldRows: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
