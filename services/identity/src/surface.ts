import {
  billing,
  bulkOrchestrator,
  creditsLedger,
  defineSurface,
  identity,
  monitorScheduler,
  toolSurface,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';

export const surface = defineSurface(identity, {
  redis: ['eval', 'evalsha', 'get', 'pttl', 'set', 'time', 'unlink'],
  subscriptions: [
    identity.accountStatusChanged,
    identity.accountTierChanged,
    identity.keyCreated,
    identity.personChanged,
    billing.customerChanged,
    billing.blockRefunded,
    billing.accountRefilled,
    billing.refillStopped,
    bulkOrchestrator.jobCompleted,
    bulkOrchestrator.jobFailed,
    bulkOrchestrator.jobPaused,
    creditsLedger.balanceRanLowForMail,
    monitorScheduler.monitorPaused,
    monitorScheduler.newVideosFound,
    transcriptFetcher.wordsFound,
    transcriptFetcher.videoMatched,
    webhookDispatcher.webhookChanged,
    webhookDispatcher.webhookDisabled,
    webhookDispatcher.receiverChanged,
  ],
  outside: ['smtp'],
  schedules: {
    refreshPrincipals: { everySeconds: 5 },
    tellEndedKeys: { everySeconds: 60 },
    purgeExpired: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;

/** The messages of operators' commands: they send the same ones and receive none. */
export const operatorSurface = toolSurface(identity);
export type OperatorSurface = typeof operatorSurface;
