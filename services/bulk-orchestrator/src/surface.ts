import { bulkOrchestrator, creditsLedger, defineSurface, search, transcriptFetcher } from '@tds/contracts';

export const surface = defineSurface(bulkOrchestrator, {
  calls: [
    creditsLedger.reserveInParts,
    creditsLedger.settleParts,
    creditsLedger.releaseReservation,
    creditsLedger.getBalance,
    creditsLedger.listOpenReservations,
    creditsLedger.listChargedReservations,
    creditsLedger.refundCharge,
    search.listVideos,
    transcriptFetcher.fetchTranscripts,
    transcriptFetcher.findCachedSelections,
  ],
  subscriptions: [creditsLedger.creditsGranted],
  schedules: {
    sweepJobs: { everySeconds: 5 },
    reconcileReservations: { everySeconds: 60 },
    reconcileCharges: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
