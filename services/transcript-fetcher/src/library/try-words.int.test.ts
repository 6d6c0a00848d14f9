import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeadlinePassed, isDatabaseAway } from '@tds/base';
import { newAccount, openLibrary, type TestLibrary } from '../test-support/library.ts';
import { tryQueries } from './find-words.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

describe('words that are tried', () => {
  it('are looked for in the newest ten transcripts: of the account, of a channel, of the jobs of a monitor', async () => {
    const monitor = await library.addWatch([]);
    const { accountId, monitorId, jobId } = monitor;
    const channelId = `UC${'x'.repeat(22)}`;
    for (let n = 0; n < 12; n += 1) {
      const { id } = await library.addIndexed(accountId, [`Try number ${n}.`], { jobId: n < 3 ? jobId : null });
      const at = `UPDATE library_entries SET received_at = now() + $2 * interval '1 second' WHERE transcript_id = $1`;
      await library.query(at, [id, n]);
      if (n === 5)
        await library.query(
          `UPDATE transcripts SET video = video || jsonb_build_object('channel_id', $2::text) WHERE id = $1`,
          [id, channelId],
        );
    }
    await library.addIndexed(newAccount(), ['Try number 13.']);
    const all = await library.tryWords(accountId, ['try', 'number -11']);
    expect([all.transcripts, all.matches.length]).toEqual([10, 19]);
    expect(await library.tryWords(accountId, ['try'], { channelId })).toMatchObject({
      transcripts: 1,
      matches: [{ query: 'try' }],
    });
    expect(await library.tryWords(accountId, ['"number 2"'], { monitorId })).toMatchObject({
      transcripts: 3,
      matches: [{}],
    });
    expect(await library.tryWords(randomUUID(), ['try'])).toEqual({ transcripts: 0, matches: [] });
    expect(library.foundFor(monitorId)).toEqual([]);
  });

  it('are looked for in as many transcripts as the time allows', async () => {
    const account = newAccount();
    for (const n of [1, 2, 3]) await library.addIndexed(account, [`Time number ${n}.`]);
    const request = { accountId: account, words: ['time'], channelId: null, monitorId: null };
    const time = new AbortController();
    let reads = 0;
    const stemmer: typeof library.matchDeps.stemmer = (...words) => {
      reads += 1;
      if (reads === 3) time.abort(new DeadlinePassed());
      return library.matchDeps.stemmer(...words);
    };
    const tried = await tryQueries({ ...library.matchDeps, stemmer }, request, time.signal);
    expect(tried).toMatchObject({ transcripts: 2, matches: [{}, {}] });
  });

  it('that find no time at all let their account wait, and no other', async () => {
    const [account, other] = [newAccount(), newAccount()];
    await library.addIndexed(account, ['Locked.']);
    const owner = await library.pool.connect();
    try {
      await owner.query('BEGIN; LOCK TABLE passages IN ACCESS EXCLUSIVE MODE');
      const failure = await library.tryWords(account, ['locked']).catch((error: unknown) => error);
      expect(isDatabaseAway(failure)).toBe(true);
    } finally {
      await owner.query('ROLLBACK');
      owner.release();
    }
    const refusal = await library.tryWords(account, ['locked']).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'search_in_progress' });
    expect(await library.search(other, 'locked')).toMatchObject({ total: 0 });
  });
});
