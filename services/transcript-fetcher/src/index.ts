import { defineService } from '@tds/service-kit';
import { disownRequest } from './commands/disown-request.ts';
import { fetchTranscripts } from './commands/fetch-transcripts.ts';
import { findCachedSelections } from './commands/find-cached-selections.ts';
import { findCachedVideos } from './commands/find-cached-videos.ts';
import { getTranscript } from './commands/get-transcript.ts';
import { getVideoFacts } from './commands/get-video-facts.ts';
import { pollRequest } from './commands/poll-request.ts';
import { renderTranscripts } from './commands/render-transcripts.ts';
import { createDeps } from './deps.ts';
import { operationEnded } from './listeners/operation-ended.ts';
import { operationsEnded } from './listeners/operations-ended.ts';
import { endAbandonedOperations } from './schedules/end-abandoned-operations.ts';
import { observeStrategies } from './schedules/observe-strategies.ts';
import { purgeOldOperations } from './schedules/purge-old-operations.ts';
import { reconcileReservations } from './schedules/reconcile-reservations.ts';
import { surface } from './surface.ts';
import { fetchTrack } from './tasks/fetch-track.ts';
import { fetchTracks } from './tasks/fetch-tracks.ts';
import { settleOperation } from './tasks/settle-operation.ts';

export { coldLimits } from './domain/cold-caps.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    ...{ getTranscript, pollRequest, disownRequest, findCachedVideos, getVideoFacts },
    ...{ fetchTranscripts, findCachedSelections, renderTranscripts },
  },
  tasks: { fetchTrack, fetchTracks, settleOperation },
  broadcasts: { operationEnded, operationsEnded },
  schedules: { endAbandonedOperations, observeStrategies, purgeOldOperations, reconcileReservations },
});
