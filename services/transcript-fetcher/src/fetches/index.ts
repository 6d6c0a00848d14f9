export type { FinishedFetch, ReadCallers, RowsEnded } from './end-fetch.ts';
export type { LaterCaptions } from './later-captions.ts';
export type { EndedRow } from './store/end-rows.ts';
export { holdRows, type OpenedRow, type OpenRequest, openRows, queueBatch } from './store/rows.ts';
export type { Worker } from './worker.ts';
