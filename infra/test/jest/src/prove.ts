import { describe, it } from '@jest/globals';

/** `npm run prove` sets it: each promise again, with larger sizes, more runs and more servers than `npm test` has time for. */
const proves = process.env.TDS_PROVE === '1';

/** How much of something a test does: `few` in `npm test`, `many` in `npm run prove`. */
export const proven = <T>(few: T, many: T): T => (proves ? many : few);

/** What repeats a promise that `npm test` keeps elsewhere. */
export const describeProves = proves ? describe : describe.skip;
export const itProves = proves ? it : it.skip;
