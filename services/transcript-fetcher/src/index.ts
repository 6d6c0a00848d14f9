import { defineService } from '@tds/kit';
import { findCachedVideos, getVideoFacts, listLanguages, renderTranscripts } from './commands/cache.ts';
import { listLibrary, recordReads, searchLibrary } from './commands/library.ts';
import { disownLine, haltLine, lineVersions, listLines, openLine, readChanges } from './commands/lines.ts';
import { disownRequest, getTranscript, pollRequest } from './commands/reads.ts';
import { createDeps } from './create-deps.ts';
import { indexLibrary, purgeLibraries } from './library-schedules.ts';
import {
  accountStatusChanged,
  jobCancelled,
  jobCompleted,
  jobErased,
  keyRevoked,
  rowsEnded,
  rowsReady,
} from './listeners.ts';
import {
  checkCanary,
  observeStrategies,
  purgeOldOperations,
  reconcileReservations,
  takeOverLostWork,
} from './schedules.ts';
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
    listLanguages,
    openLine,
    haltLine,
    readChanges,
    lineVersions,
    listLines,
    disownLine,
    renderTranscripts,
    listLibrary,
    searchLibrary,
    recordReads,
  },
  subscriptions: { accountStatusChanged, jobCancelled, jobCompleted, jobErased, keyRevoked },
  broadcasts: { rowsEnded, rowsReady },
  schedules: {
    observeStrategies,
    purgeOldOperations,
    reconcileReservations,
    takeOverLostWork,
    checkCanary,
    indexLibrary,
    purgeLibraries,
  },
});
