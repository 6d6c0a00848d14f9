import { creditsLedger, defineSurface, search, transcriptFetcher } from '@tds/contracts';

export const surface = defineSurface(search, {
  calls: [
    creditsLedger.reserveItems,
    creditsLedger.resolveItems,
    creditsLedger.chargeItems,
    creditsLedger.refundItems,
    creditsLedger.lookUpItems,
    creditsLedger.listOpenReservations,
    transcriptFetcher.findCachedVideos,
  ],
  outside: ['platform'],
  schedules: {
    endAbandonedSearches: { everySeconds: 5, whenDue: true },
    reconcileReservations: { everySeconds: 60 },
    purgeOldRows: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
