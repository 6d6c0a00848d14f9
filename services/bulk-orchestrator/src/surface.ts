import {
  bulkOrchestrator,
  creditsLedger,
  defineSurface,
  identity,
  search,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';

export const surface = defineSurface(bulkOrchestrator, {
  calls: [
    identity.checkOwnWork,
    identity.getKeyPhase,
    search.findPublishDates,
    search.listVideos,
    webhookDispatcher.checkWebhookUrl,
    webhookDispatcher.checkReceivers,
    transcriptFetcher.submitBatch,
    transcriptFetcher.pauseBatch,
    transcriptFetcher.readChanges,
    transcriptFetcher.batchVersions,
    transcriptFetcher.listBatches,
    transcriptFetcher.waiveBatch,
  ],
  subscriptions: [
    creditsLedger.creditsGranted,
    identity.keyRevoked,
    identity.accountStatusChanged,
    transcriptFetcher.deliveriesLost,
    webhookDispatcher.jobDeliveryChanged,
    webhookDispatcher.webhookConfigured,
    webhookDispatcher.webhookRemoved,
  ],
  broadcasts: [transcriptFetcher.rowsEnded],
  schedules: {
    sweepJobs: { everySeconds: 1, whenDue: true },
    compareBatches: { everySeconds: 5, whenDue: true },
    // It keeps its own time, so that it also runs at the start.
    reconcileBatches: { everySeconds: 60 },
    purgeJobs: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
