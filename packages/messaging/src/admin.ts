export { type DeadLetter, dropDeadLetter, listDeadLetters, replayDeadLetter } from './events/dead-letters.ts';
export { republishSince } from './housekeeping.ts';
