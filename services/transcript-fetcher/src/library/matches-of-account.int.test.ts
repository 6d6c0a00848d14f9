import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openLibrary, type TestLibrary } from '../test-support/library.ts';
import { LIST_ALL } from './store/word-matches.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

describe('the matches of an account', () => {
  it('are those of all its monitors in one list, the newest first', async () => {
    const one = await library.addWatch(['quay']);
    const other = await library.addWatch(['quay', 'dock'], { accountId: one.accountId });
    const stranger = await library.addWatch(['quay']);
    for (const watches of [[one], [other, stranger]]) {
      const { id } = await library.addTranscript(['The quay and the dock.']);
      for (const { accountId, jobId } of watches) await library.receive(accountId, id, jobId);
      await library.index();
      await library.match(
        id,
        watches.map(({ watch }) => watch),
      );
    }
    const { total, matches } = await library.matches(one.accountId);
    expect([total, matches.at(-1)?.monitor_id]).toEqual([3, one.monitorId]);
    expect(matches.map(({ monitor_id }) => monitor_id)).not.toContain(stranger.monitorId);
    const second = await library.matches(one.accountId, undefined, { limit: 1, offset: 2 });
    expect(second).toMatchObject({ total: 3, offset: 2, matches: matches.slice(2) });
  });

  it('are read by their index, however many each monitor has', async () => {
    const { id } = await library.addTranscript(['The quay.']);
    const account = '11111111-2222-4333-8444-555555555555';
    await library.query(
      `INSERT INTO word_matches (id, account_id, monitor_id, job_id, transcript_id, query, passages, found_at)
       SELECT gen_random_uuid(), CASE n % 2 WHEN 0 THEN $1::uuid ELSE gen_random_uuid() END, n % 25, gen_random_uuid(), $2, 'quay',
         '[]', now() - n * interval '1 minute' FROM generate_series(1, 40000) AS n`,
      [account, id],
    );
    await library.query('ANALYZE word_matches');
    const rows = await library.query<{ 'QUERY PLAN': { Plan: object }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${LIST_ALL}`,
      [account, null, 5, 0, null],
    );
    const plan = JSON.stringify(rows);
    expect(plan).toContain('word_matches_of_account');
    expect(plan).not.toMatch(/"Seq Scan"[^}]*"word_matches"/);
    const page = await library.matches(account, undefined, { limit: 5, offset: 0 });
    expect([page.matches.length, page.total]).toEqual([5, 20_000]);
  });
});
