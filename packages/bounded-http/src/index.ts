export {
  Announced,
  AnswerTooLarge,
  boundedAgent,
  boundedPools,
  type Headers,
  type Meter,
  type Received,
  receive,
} from './receive.ts';
