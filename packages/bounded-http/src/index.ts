export { AnswerTooLarge } from './answer-too-large.ts';
export { boundedAgent, boundedPools } from './bounded-pools.ts';
export { Announced, type Headers, type Meter, type Received, receive } from './receive.ts';
