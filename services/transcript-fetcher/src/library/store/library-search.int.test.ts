import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isDatabaseAway } from '@tds/base';
import { newAccount, openLibrary, type TestLibrary } from '../../test-support/library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

const textsOf = async (...asked: Parameters<TestLibrary['search']>): Promise<string[]> =>
  (await library.search(...asked)).results.map(({ text }) => text);

describe('a search in a library', () => {
  it('finds a passage by its words in any order, case and ending, with its time and address', async () => {
    const account = newAccount();
    const { videoId } = await library.addIndexed(account, [
      'Nothing here, and',
      'the cranes were lifting containers at night.',
    ]);
    const found = await library.search(account, 'NIGHT crane lifts');
    expect(found).toMatchObject({ total: 1, is_complete: true });
    expect(found.results).toMatchObject([
      {
        video_id: videoId,
        language: 'en',
        kind: 'asr',
        start: 0,
        match: { start: 10, text: 'cranes were lifting containers at night' },
        url: `https://www.youtube.com/watch?v=${videoId}&t=10s`,
      },
    ]);
    expect(found.results[0]?.received_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('finds a phrase only where its words follow each other, also words that are in every sentence', async () => {
    const account = newAccount();
    await library.addIndexed(account, ['To be or not to be, that is the question.']);
    await library.addIndexed(account, ['Not a question: it has to be.']);
    expect(await textsOf(account, '"to be or not to be"')).toEqual([
      'To be or not to be, that is the question.',
    ]);
    expect(await textsOf(account, 'the')).toHaveLength(1);
    expect(await textsOf(account, '"be not"')).toEqual([]);
  });

  it('leaves out passages with an excluded word or phrase', async () => {
    const account = newAccount();
    await library.addIndexed(account, ['Steel bridges rust.']);
    await library.addIndexed(account, ['Wooden bridges rot.']);
    expect(await textsOf(account, 'bridge -steel')).toEqual(['Wooden bridges rot.']);
    expect(await textsOf(account, 'bridge -"wooden bridges"')).toEqual(['Steel bridges rust.']);
  });

  it('reads each transcript by the rules of its own language', async () => {
    const account = newAccount();
    await library.addIndexed(account, ['Die Häuser am Hafen sind alt.'], { languageCode: 'de' });
    await library.addIndexed(account, ['Las casas del puerto son viejas.'], { languageCode: 'es-419' });
    expect(await textsOf(account, 'haus')).toHaveLength(1);
    expect(await textsOf(account, 'CASA')).toHaveLength(1);
    expect(await textsOf(account, 'casa', { language: 'es' })).toHaveLength(1);
    expect(await textsOf(account, 'casa', { language: 'es-ES' })).toHaveLength(0);
    expect(await textsOf(account, 'casa', { language: 'de' })).toHaveLength(0);
  });

  it.each([
    ['ja', '東京都の港で働いています', ['東京', '京都', '港', '東京都の港', '働いて'], '京東'],
    ['zh-Hant', '我們在港口工作', ['港口', '港', '我們在港口'], '口港'],
    ['th', 'ผมทำงานที่ท่าเรือ', ['ท่าเรือ', 'ทำงาน'], 'งานทำ'],
  ])('finds words of %s, which has no spaces between them', async (languageCode, text, queries, missing) => {
    const account = newAccount();
    await library.addIndexed(account, [text], { languageCode });
    for (const query of queries) expect(await textsOf(account, query)).toEqual([text]);
    expect(await textsOf(account, missing)).toEqual([]);
  });

  it('shows nothing of other accounts: no hit, no count, and no part of their index', async () => {
    const [mine, theirs] = [newAccount(), newAccount()];
    const shared = await library.addIndexed(theirs, ['The secret word is xylograph.']);
    expect(await library.search(mine, 'xylograph')).toMatchObject({
      results: [],
      total: 0,
      index: { transcripts: 0 },
    });
    expect(await library.search(mine, 'xylograph', { videoId: shared.videoId })).toMatchObject({ total: 0 });
    await library.receive(mine, shared.id);
    await library.index();
    expect(await library.search(mine, 'xylograph')).toMatchObject({ total: 1 });
    const [keys] = await library.query<{ shared: number }>(
      `SELECT count(*)::int AS shared FROM library_entries AS a JOIN library_entries AS b ON a.account_id <> b.account_id AND a.words && b.words
       WHERE a.account_id = $1`,
      [mine],
    );
    expect(keys?.shared).toBe(0);
  });

  it('reads no page more after another account has written many words, or has written them in vain', async () => {
    const [mine, theirs] = [newAccount(), newAccount()];
    await library.addIndexed(mine, ['Mine alone.']);
    const { id } = await library.addIndexed(theirs, ['Theirs.']);
    const client = await library.pool.connect();
    const write = (prefix: string) =>
      client.query(
        `UPDATE library_entries SET words = library_keys(account_id, 'simple', ARRAY(SELECT $2 || n FROM generate_series(1, 30000) AS n))
         WHERE transcript_id = $1`,
        [id, prefix],
      );
    const countPages = async (): Promise<number> => {
      const { rows } = await client.query(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT FROM library_entries WHERE words @> library_keys('${mine}', 'simple', '{absent}')`,
      );
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    };
    try {
      await client.query('SET enable_seqscan = off');
      await write('before');
      const before = await countPages();
      await client.query('BEGIN');
      await write('in vain');
      await client.query('ROLLBACK');
      await write('kept');
      expect((await countPages()) - before).toBeLessThan(5);
    } finally {
      client.release(true);
    }
  });

  it('that does not end within two seconds is given up, as if the database were away', async () => {
    const account = newAccount();
    await library.addIndexed(account, ['Locked.']);
    const owner = await library.pool.connect();
    try {
      await owner.query('BEGIN');
      await owner.query('LOCK TABLE passages IN ACCESS EXCLUSIVE MODE');
      const failure = await library.search(account, 'locked').catch((error: unknown) => error);
      expect(isDatabaseAway(failure)).toBe(true);
    } finally {
      await owner.query('ROLLBACK');
      owner.release();
    }
    const refusal = await library.search(account, 'locked').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'search_in_progress' });
    const other = newAccount();
    await library.addIndexed(other, ['Locked.']);
    expect(await library.search(other, 'locked')).toMatchObject({ total: 1 });
  });

  it('waits while the account searches on another instance', async () => {
    const account = newAccount();
    await library.addIndexed(account, ['Elsewhere.']);
    const elsewhere = await library.pool.connect();
    await elsewhere.query('BEGIN');
    await elsewhere.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [account]);
    const waiting = library.search(account, 'elsewhere');
    expect(await library.search(newAccount(), 'elsewhere')).toMatchObject({ total: 0 });
    expect(await Promise.race([waiting, 'waits'])).toBe('waits');
    await elsewhere.query('COMMIT');
    elsewhere.release();
    expect(await waiting).toMatchObject({ total: 1 });
  });

  it('ranks fewer passages the more words it has, and says so', async () => {
    const account = newAccount();
    const letters = [...'abcdefghijklmnopqrstuvwxyz'].join(' ');
    await library.addIndexed(
      account,
      Array.from({ length: 2_500 }, () => letters),
    );
    const many = await library.search(account, letters);
    expect(many.is_complete).toBe(false);
    expect(many.total).toBeLessThan(100);
    expect(await library.search(account, 'a b c d')).toMatchObject({ is_complete: true });
    const pages = [0, 10, 20, 30].map((offset) => library.search(account, letters, { limit: 10, offset }));
    const shown = (await Promise.all(pages)).flatMap(({ results }) => results);
    expect(shown).toHaveLength(many.total);
  });

  it('narrows by job and by video', async () => {
    const [account, jobId] = [newAccount(), newAccount()];
    const one = await library.addIndexed(account, ['Rain in Bergen.'], { jobId });
    const other = await library.addIndexed(account, ['Rain in Oslo.']);
    expect(await textsOf(account, 'rain')).toHaveLength(2);
    expect(await textsOf(account, 'rain', { jobId })).toEqual(['Rain in Bergen.']);
    expect(await textsOf(account, 'rain', { videoId: other.videoId })).toEqual(['Rain in Oslo.']);
    expect(await textsOf(account, 'rain', { videoId: one.videoId, language: 'de' })).toEqual([]);
    expect(await textsOf(newAccount(), 'rain', { jobId })).toEqual([]);
  });

  it('puts words that stand together first, and pages without gaps', async () => {
    const account = newAccount();
    await library.addIndexed(account, [
      'Green is the colour that every one of these very old and tall trees has, says the tea farmer.',
    ]);
    await library.addIndexed(account, ['Green tea is best.']);
    const all = await library.search(account, 'green tea');
    expect(all.results[0]?.text).toBe('Green tea is best.');
    const pages = [0, 1].map((offset) => library.search(account, 'green tea', { limit: 1, offset }));
    expect((await Promise.all(pages)).flatMap(({ results }) => results)).toEqual(all.results);
    expect(await library.search(account, 'green tea', { offset: 2 })).toMatchObject({
      results: [],
      total: 2,
    });
  });
});
