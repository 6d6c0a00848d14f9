export type { ReadDeps } from './deps.ts';
export { restoreTranscript } from './read-transcript.ts';
