export { firstEvent, formatProgress, type JobStreams } from './job-streams.ts';
