import { defineService } from '@tds/kit';
import {
  batchVersions,
  listBatches,
  pauseBatch,
  readChanges,
  submitBatch,
  waiveBatch,
} from './batches/commands.ts';
import { createDeps } from './create-deps.ts';
import { listLibrary, recordReads, searchLibrary } from './library/commands.ts';
import { indexLibrary, purgeLibraries, reindexLibraries } from './library/schedules.ts';
import { checkWords, listMatches, matchWords, tryWords } from './library/words-commands.ts';
import {
  accountStatusChanged,
  jobCancelled,
  jobCompleted,
  jobErased,
  keyRevoked,
  rowsEnded,
  rowsReady,
} from './listeners.ts';
import { getTranscript, pollRequest, waiveRequest } from './reads/commands.ts';
import {
  checkCanary,
  observeStrategies,
  purgeOldOperations,
  reconcileReservations,
  takeOverLostWork,
} from './schedules.ts';
import { surface } from './surface.ts';
import { findCachedVideos, getVideoFacts, listLanguages, renderTranscripts } from './tracks/commands.ts';

export { coldLimits } from './credits/domain/cold-caps.ts';

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
    checkWords,
    matchWords,
    tryWords,
    listMatches,
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
    reindexLibraries,
  },
});
