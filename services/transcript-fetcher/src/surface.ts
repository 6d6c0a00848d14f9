import { bulkOrchestrator, creditsLedger, defineSurface, identity, transcriptFetcher } from '@tds/contracts';

export const surface = defineSurface(transcriptFetcher, {
  calls: [
    identity.getKeyPhase,
    identity.checkOwnWork,
    creditsLedger.getBalance,
    creditsLedger.reserveItems,
    creditsLedger.resolveItems,
    creditsLedger.chargeItems,
    creditsLedger.refundItems,
    creditsLedger.lookUpJob,
    creditsLedger.lookUpItems,
    creditsLedger.listOpenReservations,
  ],
  subscriptions: [
    identity.accountStatusChanged,
    identity.keyRevoked,
    identity.sessionOpened,
    bulkOrchestrator.jobCompleted,
    bulkOrchestrator.jobCancelled,
    bulkOrchestrator.jobErased,
  ],
  broadcasts: [transcriptFetcher.rowsEnded, transcriptFetcher.rowsReady],
  outside: ['platform'],
  schedules: {
    observeStrategies: { everySeconds: 5, onEveryInstance: true },
    checkCanary: { everySeconds: 30 },
    purgeOldOperations: { everySeconds: 3_600 },
    reconcileReservations: { everySeconds: 60 },
    takeOverLostWork: { everySeconds: 5, whenDue: true },
    indexLibrary: { everySeconds: 1, whenDue: true },
    reindexLibraries: { everySeconds: 600 },
    purgeLibraries: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
