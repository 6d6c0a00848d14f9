import {
  bulkOrchestrator,
  creditsLedger,
  defineSurface,
  identity,
  monitorScheduler,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';

export const surface = defineSurface(webhookDispatcher, {
  calls: [identity.getKeyPhase],
  subscriptions: [
    bulkOrchestrator.jobCompleted,
    bulkOrchestrator.jobFailed,
    bulkOrchestrator.jobPaused,
    bulkOrchestrator.jobResumed,
    monitorScheduler.newVideosFound,
    transcriptFetcher.wordsFound,
    identity.accountStatusChanged,
    creditsLedger.balanceRanLow,
    creditsLedger.balanceRanLowForMail,
  ],
  outside: ['receivers'],
  schedules: {
    sendDeliveries: { everySeconds: 0.5, whenDue: true },
    endAbandonedAttempts: { everySeconds: 5, whenDue: true },
    purgeOldRows: { everySeconds: 3_600 },
    reencryptSecrets: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
