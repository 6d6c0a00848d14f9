/** For operators and audits: what was given up, and what has to be published again. */
export { type DeadLetter, dropDeadLetter, listDeadLetters, replayDeadLetter } from './events/dead-letters.ts';
export { republishSince } from './messaging/housekeeping.ts';
