export { believedFor, isYoung, lacksForSeconds, UNKNOWN_AGE_FACT } from './passing-states.ts';
export {
  type Attempt,
  blamesRoute,
  broken,
  type Meaning,
  meanings,
  type Refusal,
  RefusedAnswer,
  refusal,
} from './refusal.ts';
export { firstMatch, type HttpFacts, httpRows, playabilityRows, toRefusal } from './rows.ts';
