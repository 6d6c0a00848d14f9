export {
  AnswerTooLarge,
  boundedAgent,
  boundedPools,
  type Headers,
  type Meter,
  type ReceivedAnswer as Received,
  receive,
  TooManyAnnouncements as Announced,
} from './receive.ts';
