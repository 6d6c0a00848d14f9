import { defineService } from '@tds/service-kit';
import { disownLine } from './commands/disown-line.ts';
import { disownRequest } from './commands/disown-request.ts';
import { findCachedVideos } from './commands/find-cached-videos.ts';
import { getTranscript } from './commands/get-transcript.ts';
import { getVideoFacts } from './commands/get-video-facts.ts';
import { haltLine } from './commands/halt-line.ts';
import { lineVersions } from './commands/line-versions.ts';
import { listLines } from './commands/list-lines.ts';
import { openLine } from './commands/open-line.ts';
import { pollRequest } from './commands/poll-request.ts';
import { readNews } from './commands/read-news.ts';
import { renderTranscripts } from './commands/render-transcripts.ts';
import { createDeps } from './create-deps.ts';
import { rowsEnded } from './listeners/rows-ended.ts';
import { rowsReady } from './listeners/rows-ready.ts';
import { checkCanary } from './schedules/check-canary.ts';
import { observeStrategies } from './schedules/observe-strategies.ts';
import { purgeOldOperations } from './schedules/purge-old-operations.ts';
import { reconcileReservations } from './schedules/reconcile-reservations.ts';
import { takeOverLostWork } from './schedules/take-over-lost-work.ts';
import { surface } from './surface.ts';

export { coldLimits } from './domain/cold-caps.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    getTranscript,
    pollRequest,
    disownRequest,
    findCachedVideos,
    getVideoFacts,
    openLine,
    haltLine,
    readNews,
    lineVersions,
    listLines,
    disownLine,
    renderTranscripts,
  },
  broadcasts: { rowsEnded, rowsReady },
  schedules: { observeStrategies, purgeOldOperations, reconcileReservations, takeOverLostWork, checkCanary },
});
