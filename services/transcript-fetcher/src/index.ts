import { defineService } from '@tds/kit';
import {
  batchVersions,
  listBatches,
  pauseBatch,
  readChanges,
  submitBatch,
  waiveBatch,
} from './commands/batches.ts';
import { findCachedVideos, getVideoFacts, listLanguages, renderTranscripts } from './commands/cache.ts';
import { listLibrary, recordReads, searchLibrary } from './commands/library.ts';
import { getTranscript, pollRequest, waiveRequest } from './commands/reads.ts';
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
    waiveRequest,
    findCachedVideos,
    getVideoFacts,
    listLanguages,
    submitBatch,
    pauseBatch,
    readChanges,
    batchVersions,
    listBatches,
    waiveBatch,
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
