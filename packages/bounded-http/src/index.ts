export {
  AnswerTooLarge,
  boundedAgent,
  boundedPools,
  type Headers,
  type Meter,
  type ReceivedAnswer,
  receive,
  TooManyAnnouncements,
} from './receive.ts';
