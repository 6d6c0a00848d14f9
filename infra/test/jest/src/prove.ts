/**
 * How much of something a test does: `few` in `npm test`; `many` in `npm run prove`, which repeats promises with larger sizes, more runs and
 * more servers. `proven(it.skip, it)` is a test that only repeats what `npm test` keeps elsewhere.
 */
export const proven = <T>(few: T, many: T): T => (process.env.TDS_PROVE === '1' ? many : few);
