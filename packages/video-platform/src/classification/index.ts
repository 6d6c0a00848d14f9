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
