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
    search.findPublishDates,
    search.listVideos,
    webhookDispatcher.checkWebhookUrl,
    transcriptFetcher.openLine,
    transcriptFetcher.haltLine,
    transcriptFetcher.readChanges,
    transcriptFetcher.lineVersions,
    transcriptFetcher.listLines,
    transcriptFetcher.disownLine,
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
    compareLines: { everySeconds: 5, whenDue: true },
    // It keeps its own time, so that it also runs at the start.
    reconcileLines: { everySeconds: 60 },
    purgeJobs: { everySeconds: 3_600 },
  },
});

export type Surface = typeof surface;
