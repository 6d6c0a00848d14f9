import { expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { newPrincipal } from '../test-support/builders.ts';
import { createReadSeeds } from './cache-reads.ts';

const principal = newPrincipal();

/** A ledger that answers after a turn, and counters that keep what they were given. */
const newSeeds = (recall: () => Promise<number>, settledMs = 20) => {
  const seeded = new Map<string, number>();
  const figures = { asked: 0, underWay: 0, most: 0, losses: 0 };
  const want = createReadSeeds({
    recall: async () => {
      figures.asked += 1;
      figures.underWay += 1;
      figures.most = Math.max(figures.most, figures.underWay);
      await new Promise(setImmediate);
      return recall().finally(() => {
        figures.underWay -= 1;
      });
    },
    seed: async (key, _principal, _day, reads) => void seeded.set(key, reads),
    onLost: () => {
      figures.losses += 1;
    },
    settledMs,
  });
  return { want, seeded, figures };
};

it('a counter requested by many callers is seeded once, after the gateways have reported their counts', async () => {
  const { want, seeded, figures } = newSeeds(async () => 7);
  const begun = performance.now();
  for (let round = 0; round < 50; round += 1) want('key', principal, 'day');
  await eventually(() => expect(seeded.get('key')).toBe(7));
  expect(performance.now() - begun).toBeGreaterThanOrEqual(19);
  expect(figures).toMatchObject({ asked: 1, losses: 1 });
});

it('thousands of counters are seeded a few at a time', async () => {
  const { want, seeded, figures } = newSeeds(async () => 1);
  for (let key = 0; key < 3_000; key += 1) want(`key ${key}`, principal, 'day');
  await eventually(() => expect(seeded.size).toBe(3_000));
  expect(figures.most).toBeLessThanOrEqual(16);
});

it('a failed seed is requested again by the next caller', async () => {
  let isAway = true;
  const { want, seeded, figures } = newSeeds(async () => {
    if (isAway) throw new Error('away');
    return 3;
  });
  want('key', principal, 'day');
  await eventually(() => expect(figures.asked).toBe(1));
  isAway = false;
  await eventually(() => {
    want('key', principal, 'day');
    expect(seeded.get('key')).toBe(3);
  });
});
