import { creditsLedger, defineSurface, transcriptFetcher } from '@tds/contracts';

export const surface = defineSurface(transcriptFetcher, {
  calls: [
    creditsLedger.reserveCredits,
    creditsLedger.settleReservation,
    creditsLedger.releaseReservation,
    creditsLedger.refundCharge,
    creditsLedger.listOpenReservations,
    creditsLedger.lookUpReservations,
  ],
  broadcasts: [transcriptFetcher.operationEnded, transcriptFetcher.operationsEnded],
  schedules: {
    endAbandonedOperations: { everySeconds: 5 },
    observeStrategies: { everySeconds: 60, onEveryInstance: true },
    purgeOldOperations: { everySeconds: 3_600 },
    reconcileReservations: { everySeconds: 60 },
  },
});

export type Surface = typeof surface;
