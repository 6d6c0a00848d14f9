export { republishSince } from './housekeeping.ts';
export { type DeadLetter, dropDeadLetter, listDeadLetters, replayDeadLetter } from './inbox/dead-letters.ts';
