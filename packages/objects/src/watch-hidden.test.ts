import { describe, expect, it, jest } from '@jest/globals';
import { watchHidden } from './object-store.ts';

const rights = { writes: ['archives/'], reads: ['rendered/'] };
const answering = (...answers: readonly (() => Promise<readonly string[]>)[]) => {
  const left = [...answers];
  return { hidden: jest.fn((_: readonly string[]) => (left.shift() ?? (async () => []))()) };
};
const hides =
  (...prefixes: readonly string[]) =>
  async () =>
    prefixes;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what the object store hides from a service', () => {
  it('is known before the service is asked whether it is ready, for all that it reads and keeps', async () => {
    const store = answering(hides('rendered/'));
    const refusals = await watchHidden(store, rights);
    expect(store.hidden).toHaveBeenCalledWith(['archives/', 'rendered/']);
    expect(refusals()).toEqual(["the object store shows nothing of rendered/ to this service's role"]);
  });

  it('is forgotten when the rights have come, and noticed when they are taken', async () => {
    const refusals = await watchHidden(answering(hides('rendered/'), hides(), hides('archives/')), rights);
    expect(refusals()).toHaveLength(1);
    await turn();
    expect(refusals()).toEqual([]);
    await turn();
    expect(refusals()).toEqual([expect.stringContaining('archives/')]);
  });

  it('is nothing while the store is away, whose absence is no refusal', async () => {
    const refusals = await watchHidden(
      answering(() => Promise.reject(new Error('away'))),
      rights,
    );
    expect(refusals()).toEqual([]);
  });

  it('is asked for once at a time, however often a store that does not answer is read', async () => {
    const store = answering(hides(), () => new Promise(() => {}));
    const refusals = await watchHidden(store, rights);
    for (let times = 0; times < 5; times += 1) expect(refusals()).toEqual([]);
    expect(store.hidden).toHaveBeenCalledTimes(2);
  });
});
