import { randomUUID } from 'node:crypto';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFetcher } from '../test-support/start-fetcher.ts';

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
beforeAll(async () => {
  fetcher = await startFetcher();
  // The first call of a process takes its time on a busy machine, and a ledger that is late is an error of its own.
  await eventually(() => fetcher.get({ videoId: loadVideoId(9) }));
});
afterAll(() => fetcher?.stop());

/** All of them lead to the videos' English track. */
const english = ['en', 'en-GB', 'en-US', 'en-AU'];

type Asked = { readonly accountId: string; readonly videoId: string };
const readAll = async (asked: Asked) => {
  const requests = english.map((language) => ({ ...asked, language, requestId: randomUUID() }));
  const answers = await Promise.all(requests.map((request) => fetcher.get(request)));
  const charges = answers.map((answer) =>
    answer.state === 'delivered' ? answer.creditsCharged : Number.NaN,
  );
  return {
    caches: answers.map((answer) => answer.state === 'delivered' && answer.cache).sort(),
    charged: charges.reduce((sum, charge) => sum + charge, 0),
    outcomes: () => requests.map(({ requestId }) => fetcher.ledger.reservations.get(requestId)).sort(),
  };
};

describe('an account pays once for a track', () => {
  it('that it asks for in several languages at the same time: the others are hits, and their credits are given back', async () => {
    const videoId = loadVideoId(1);
    const accountId = randomUUID();
    const read = await fetcher.whileUnderWay(videoId, english.length, () => readAll({ accountId, videoId }));
    expect(read.caches).toEqual(['HIT', 'HIT', 'HIT', 'MISS']);
    expect(read.charged).toBe(1);
    await eventually(() => expect(read.outcomes()).toEqual(['released', 'released', 'released', 'settled']));
  });

  it('that it asks for in several languages, one after the other', async () => {
    const asked = { accountId: randomUUID(), videoId: loadVideoId(2) };
    const charges = [];
    for (const language of english) {
      const answer = await fetcher.get({ ...asked, language });
      charges.push(answer.state === 'delivered' && answer.creditsCharged);
    }
    expect(charges).toEqual([1, 0, 0, 0]);
  });

  it('and so does every other account that asks at the same time', async () => {
    const videoId = loadVideoId(3);
    const accounts = [randomUUID(), randomUUID(), randomUUID()];
    const all = await fetcher.whileUnderWay(videoId, accounts.length * english.length, () =>
      Promise.all(accounts.map((accountId) => readAll({ accountId, videoId }))),
    );
    expect(all.map(({ charged }) => charged)).toEqual([1, 1, 1]);
  });
});
