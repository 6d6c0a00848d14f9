export { ownContext } from './flusher.ts';
export type { Latency } from './latency.ts';
export type { LibraryReads } from './library-reads.ts';
export type { LogRequest } from './request-log.ts';
export type { Usage } from './usage.ts';
