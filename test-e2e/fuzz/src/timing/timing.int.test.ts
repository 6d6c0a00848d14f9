import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEvidence } from '@tds/audit';
import { createRandom } from '#support';
import { shareTestSystem, signUp, type TestSystem } from '#support/testing';
import { compareTimings } from './distinguishable.ts';
import { type LookAlikes, prepareLookAlikes } from './look-alikes.ts';
import { measure } from './measure.ts';

/** Of each side; `npm run test:fuzz -- --timing` takes a thousand. */
const SAMPLES = 120;
/** Each session has 120 requests a minute. */
const CALLERS = 8;
/** What a look-up more would cost. */
const HANDICAP_MS = 3;

let system: TestSystem;
let pairs: readonly LookAlikes[];
beforeAll(async () => {
  system = await shareTestSystem();
  const another = await signUp(system);
  const callers = await Promise.all(Array.from({ length: CALLERS }, () => signUp(system)));
  const evidence = openEvidence((service) => String(system.databases[service]?.adminUrl), { atRest: true });
  const place = {
    gateway: system.gateway,
    evidence,
    callers: callers.map((caller) => ({ ...caller, session: caller.cookie.split('=')[1] ?? '' })),
    keyOfAnother: another.keyId,
  };
  pairs = await prepareLookAlikes(place, 2 * SAMPLES);
});
afterAll(() => system?.stop());

const compared = async (pair: LookAlikes) =>
  compareTimings(await measure(pair, { count: SAMPLES, random: createRandom(13) }));

describe('the time of an answer', () => {
  it.each([0, 1, 2])('tells as little as the answer itself (pair %i)', async (index) => {
    const pair = pairs[index] as LookAlikes;
    expect(await compared(pair)).toMatchObject({ name: pair.name, isToldApart: false });
  });

  it(`would be noticed if one side took as long again, or ${HANDICAP_MS} ms more`, async () => {
    const { name, left, right } = pairs[2] as LookAlikes;
    let lastMs = 0;
    const timed = async () => {
      const startedAt = performance.now();
      const answer = await right();
      lastMs = performance.now() - startedAt;
      return answer;
    };
    const late = async () => {
      // On a busy machine three milliseconds are lost among those that every call waits.
      await new Promise((resolve) => setTimeout(resolve, Math.max(HANDICAP_MS, lastMs)));
      return left();
    };
    expect(await compared({ name, left: late, right: timed })).toMatchObject({ isToldApart: true });
  });
});
