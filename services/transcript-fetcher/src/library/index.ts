export { saveWatchedJob } from './store/word-matches.ts';
