export { type FetchResult, toEndRow } from './fetch-result.ts';
export { fetchTrack } from './fetch-track.ts';
export { findKnownLanguages, inspectLanguages } from './languages.ts';
export {
  findRestoreWaits,
  findTranscripts,
  lookUpCache,
  type StartedFetchRow,
  toStartedFetch,
} from './store/cache.ts';
export { saveDates } from './store/transcripts.ts';
export { loadCues, loadRendered, renderAndStore, type TrackDeps } from './track-files.ts';
