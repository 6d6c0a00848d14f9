import {
  bulkOrchestrator,
  creditsLedger,
  defineSurface,
  identity,
  monitorScheduler,
  search,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';

export const surface = defineSurface(monitorScheduler, {
  calls: [
    search.resolveChannel,
    webhookDispatcher.checkWebhookUrl,
    webhookDispatcher.checkReceivers,
    identity.getKeyPhase,
    identity.checkOwnWork,
    bulkOrchestrator.createJob,
    transcriptFetcher.checkWords,
    transcriptFetcher.matchWords,
  ],
  subscriptions: [
    webhookDispatcher.webhookConfigured,
    webhookDispatcher.webhookRemoved,
    webhookDispatcher.webhookDisabled,
    webhookDispatcher.newVideosRefused,
    creditsLedger.creditsGranted,
    identity.accountStatusChanged,
    identity.accountTierChanged,
    identity.keyRevoked,
    bulkOrchestrator.jobLost,
    transcriptFetcher.watchedTranscriptIndexed,
  ],
  outside: ['platform'],
  schedules: {
    checkFeeds: { everySeconds: 5, whenDue: true },
    serveMonitors: { everySeconds: 1, whenDue: true },
    runActions: { everySeconds: 1, whenDue: true },
    purgeFeeds: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
