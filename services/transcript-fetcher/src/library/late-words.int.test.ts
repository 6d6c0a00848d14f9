import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openLibrary, type TestLibrary } from '../test-support/library.ts';
import { matchTranscript } from './match-words.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

type Watch = Awaited<ReturnType<TestLibrary['addWatch']>>;

const deliver = async (text: string, watches: readonly Watch[]) => {
  const transcript = await library.addTranscript([text]);
  for (const { accountId, jobId } of watches) await library.receive(accountId, transcript.id, jobId);
  await library.index();
  return transcript;
};
const idsAndWatches = (monitors: readonly Watch[]) => ({
  monitorIds: monitors.map(({ monitorId }) => monitorId),
  watches: monitors.map(({ watch }) => watch),
});

/** Instances on which the database takes too long for passages with a word. */
const slowFor = (word: string) => {
  const connect = async () => {
    const client = await library.pool.connect();
    const query = (statement: { readonly values?: readonly unknown[] }, values?: readonly unknown[]) =>
      JSON.stringify(statement.values ?? []).includes(word)
        ? Promise.reject(Object.assign(new Error('canceled'), { code: '57014' }))
        : client.query(statement as never, values as never);
    const listen = { on: client.on.bind(client), off: client.off.bind(client) };
    return { query, ...listen, release: client.release.bind(client) };
  };
  return { ...library.matchDeps, pool: { connect } as unknown as typeof library.pool };
};

describe('words of a monitor that take too long to find', () => {
  it('are left out after three tries, and those of other monitors are found in the first', async () => {
    const slow = await library.addWatch(['slow']);
    const others = await Promise.all([1, 2, 3, 4].map(() => library.addWatch(['swift', 'rapids'])));
    const monitors = [...others.slice(0, 2), slow, ...others.slice(2)];
    const { id } = await deliver('Slow water, swift water, rapids.', monitors);
    const match = () =>
      matchTranscript(
        slowFor('slow'),
        { transcriptId: id, ...idsAndWatches(monitors) },
        AbortSignal.timeout(60_000),
      );
    for (const left of [1, 1, 0]) {
      await match();
      expect(await library.waiting(id)).toHaveLength(left);
      for (const { monitorId } of others) expect(library.foundFor(monitorId)).toHaveLength(2);
    }
    expect(library.foundFor(slow.monitorId)).toEqual([]);
  });

  it('wait with all others if their caller has left', async () => {
    const monitor = await library.addWatch(['gone']);
    const { id } = await deliver('Gone.', [monitor]);
    const request = { transcriptId: id, ...idsAndWatches([monitor]) };
    await expect(matchTranscript(library.matchDeps, request, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(await library.waiting(id)).toHaveLength(1);
  });
});
