export { AnswerTooLarge, boundedAgent, boundedPools } from './bounded-pools.ts';
export { Announced, type Headers, type Meter, type Received, receive } from './receive.ts';
