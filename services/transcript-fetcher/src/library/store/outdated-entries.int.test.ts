import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { newAccount, openLibrary, type TestLibrary } from '../../test-support/library.ts';
import type { IndexedPassage } from '../domain/index-pages.ts';
import { countOutdated, queueOutdated } from './outdated-entries.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

/** As the release before has indexed it. */
const makeOutdated = async (account: string, lexemes: readonly string[]) => {
  const vector = lexemes.map((lexeme, n) => `'${lexeme}':${n + 1}`).join(' ');
  await library.query(
    `UPDATE passages SET words = $2::tsvector WHERE transcript_id IN (SELECT transcript_id FROM library_entries WHERE account_id = $1)`,
    [account, vector],
  );
  await library.query(
    `UPDATE library_entries SET index_rules = 0, words = library_keys(account_id, 'english_stem', $2) WHERE account_id = $1`,
    [account, lexemes],
  );
};
const addOutdated = async (account: string, count = 1): Promise<string[]> => {
  const added = await Promise.all(Array.from({ length: count }, () => library.addTranscript(['Kept café'])));
  for (const { id } of added) await library.receive(account, id);
  await library.index();
  await makeOutdated(account, ['kept', 'café']);
  return added.map(({ id }) => id);
};
const outdatedOf = (account: string) =>
  library.query('SELECT FROM library_entries WHERE account_id = $1 AND index_rules = 0', [account]);

describe('a search in entries that were indexed by earlier rules', () => {
  it('waits for the few of a small library, and misses nothing', async () => {
    const account = newAccount();
    await addOutdated(account, 3);
    const searching = library.search(account, 'cafe');
    await eventually(async () => {
      await library.index();
      expect(await outdatedOf(account)).toEqual([]);
    });
    expect(await searching).toMatchObject({ total: 3, is_complete: true, index: { indexed: 3 } });
  });

  it('finds at once what is written as before in a larger one, says that it may miss some, and has the newest indexed first', async () => {
    const account = newAccount();
    const ids = await addOutdated(account, 101);
    const oldest = ids[0];
    await library.query(
      `UPDATE library_entries SET received_at = now() - interval '1 day' WHERE transcript_id = $1`,
      [oldest],
    );
    const before = { is_complete: false, index: { transcripts: 101, indexed: 0, is_growing: true } };
    expect(await library.search(account, 'kept')).toMatchObject({ total: 101, ...before });
    await library.index();
    expect(
      await library.query(
        'SELECT transcript_id AS id FROM library_entries WHERE account_id = $1 AND index_rules = 0',
        [account],
      ),
    ).toEqual([{ id: oldest }]);
    const searching = library.search(account, 'kept');
    await eventually(async () => {
      await library.index();
      expect(await outdatedOf(account)).toEqual([]);
    });
    expect(await searching).toMatchObject({ total: 101, is_complete: true });
    expect(await library.search(account, 'cafe')).toMatchObject({ total: 101, is_complete: true });
  });

  it('finds a transcript as before after a try that ended in the middle', async () => {
    const account = newAccount();
    await addOutdated(account);
    await queueOutdated(library.pool, 1_000);
    function* breaking(): Generator<IndexedPassage[]> {
      yield [
        { startMs: 0, endMs: 1, text: 'Half', captions: [], chapters: [], position: 0, tokens: [], signs: '' },
      ];
      throw new Error('ended');
    }
    await library.rows.makeDue('unindexed_transcripts');
    await library.index({ splitCues: async () => breaking() });
    expect(await library.search(account, 'kept')).toMatchObject({ total: 1, results: [{ text: 'Kept café' }] });
  });
});

describe('what was indexed by earlier rules', () => {
  it('is indexed again in turn, and the count says how far that is', async () => {
    const account = newAccount();
    const ids = await addOutdated(account, 3);
    const { count } = await countOutdated(library.sql);
    expect(await queueOutdated(library.pool, 2)).toBe(2);
    const due = 'SELECT FROM unindexed_transcripts WHERE id = ANY ($1::uuid[]) AND due_at > now()';
    expect(await library.query(due, [ids])).toHaveLength(2);
    await untilOutdated(account, 1);
    expect(await queueOutdated(library.pool, 2)).toBe(1);
    await untilOutdated(account, 0);
    expect(await countOutdated(library.sql)).toEqual({ count: count - 3 });
    expect(await library.search(account, 'cafe')).toMatchObject({ total: 3, is_complete: true });
  });

  it('stays as it is while its captions are lost, and holds up no other', async () => {
    const account = newAccount();
    await library.addIndexed(account, ['Lost café']);
    library.cues.clear();
    await makeOutdated(account, ['lost', 'café']);
    const other = newAccount();
    await addOutdated(other);
    await queueOutdated(library.pool, 1_000);
    await untilOutdated(other, 0);
    expect(await outdatedOf(account)).toHaveLength(1);
    expect(await library.search(account, 'lost')).toMatchObject({ total: 1, is_complete: false });
  });

  it('is indexed again for all accounts when one more receives it', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const [id = ''] = await addOutdated(account);
    await library.receive(other, id);
    await library.index();
    expect(await library.search(account, 'cafe')).toMatchObject({ total: 1 });
    expect(await library.search(other, 'cafe')).toMatchObject({ total: 1 });
  });

  const untilOutdated = (account: string, count: number) =>
    eventually(async () => {
      await library.index();
      expect(await outdatedOf(account)).toHaveLength(count);
    });
});
