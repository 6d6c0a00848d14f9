import { archiver, bulkOrchestrator, defineSurface, transcriptFetcher } from '@tds/contracts';

export const surface = defineSurface(archiver, {
  calls: [bulkOrchestrator.getJobManifest, transcriptFetcher.renderTranscripts],
  subscriptions: [bulkOrchestrator.jobErased],
  readsObjects: [transcriptFetcher.objects.rendered],
  schedules: {
    resumeBuilds: { everySeconds: 60 },
    deleteOldArchives: { everySeconds: 60 },
  },
});

export type Surface = typeof surface;
