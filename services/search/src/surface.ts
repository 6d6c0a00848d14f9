import { creditsLedger, defineSurface, search, transcriptFetcher } from '@tds/contracts';

export const surface = defineSurface(search, {
  calls: [
    creditsLedger.reserveParts,
    creditsLedger.resolveParts,
    creditsLedger.chargeParts,
    creditsLedger.refundParts,
    creditsLedger.lookUpParts,
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
