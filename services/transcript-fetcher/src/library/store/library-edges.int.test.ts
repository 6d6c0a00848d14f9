import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, openLibrary, type TestLibrary } from '../../test-support/library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

const passagesOf = async (id: string): Promise<string[]> => {
  const text = 'SELECT text FROM passages WHERE transcript_id = $1 ORDER BY position';
  return (await library.query<{ text: string }>(text, [id])).map((row) => row.text);
};
/** Different words, in captions of some of them. */
const captionsOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count / 10 }, (_, n) =>
    Array.from({ length: 10 }, (_, m) => `${prefix}${(n * 10 + m).toString(36)}`).join(' '),
  );
/** The last words before an edge and the first ones after it. */
const around = (before: string, after: string, count: number, separator = ' ') => ({
  last: before.split(separator).slice(-count).join(separator),
  first: after.split(separator).slice(0, count).join(separator),
});

describe('a sentence over the edge of two passages', () => {
  it('is found once, as a phrase and by its words, where it begins', async () => {
    const account = newAccount();
    const { id } = await library.addIndexed(account, captionsOf('wq', 600));
    const passages = await passagesOf(id);
    expect(passages.length).toBeGreaterThan(2);
    for (const [index, before] of passages.slice(0, -1).entries()) {
      for (const count of [1, 4, 12]) {
        const { last, first } = around(before, passages[index + 1] ?? '', count);
        for (const query of [`"${last} ${first}"`, `${first} ${last}`, `"${last}" "${first}"`]) {
          const { total, results } = await library.search(account, query);
          expect(total).toBe(1);
          expect(results[0]).toMatchObject({ text: before, match: { text: last } });
        }
        expect(await library.search(account, `"${first}"`)).toMatchObject({ total: 1 });
        expect(await library.search(account, `"${last}"`)).toMatchObject({ total: 1 });
        expect(await library.search(account, `"${first} ${last}"`)).toMatchObject({ total: 0 });
      }
    }
  });

  it('is found in a script without spaces, where a word may stand over the edge', async () => {
    const account = newAccount();
    const letters = Array.from({ length: 1_800 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    const captions = letters.match(/.{1,30}/gu) ?? [];
    const { id } = await library.addIndexed(account, captions, { languageCode: 'zh' });
    const [before = '', after = ''] = await passagesOf(id);
    for (const count of [1, 4, 11]) {
      const { last, first } = around(before, after, count, '');
      const found = await library.search(account, last + first);
      expect(found).toMatchObject({ total: 1, results: [{ text: before, match: { text: last } }] });
    }
  });

  it('does not count again if the next passage has all words itself', async () => {
    const account = newAccount();
    const filler = captionsOf('zq', 300);
    const { id } = await library.addIndexed(account, [
      'Harbour.',
      ...filler,
      'Crane harbour night.',
      ...filler,
    ]);
    const passages = await passagesOf(id);
    const place = passages.findIndex((text) => text.includes('Crane'));
    expect(passages[0]).toContain('Harbour');
    expect(place).toBeGreaterThan(0);
    await library.query(
      `UPDATE passages SET words = words || '''harbour'':1 ''crane'':400A ''night'':402A' WHERE transcript_id = $1 AND position = $2`,
      [id, place - 1],
    );
    expect((await library.search(account, 'crane harbour')).results.map(({ text }) => text)).toEqual([
      passages[place],
    ]);
  });

  it('is not looked for in words that are left out: what the next passage begins with excludes nothing', async () => {
    const account = newAccount();
    const { id } = await library.addIndexed(account, captionsOf('vq', 300));
    const [before = '', after = ''] = await passagesOf(id);
    const { last, first } = around(before, after, 1);
    expect(await library.search(account, `${last} -${first}`)).toMatchObject({ total: 1 });
    expect(await library.search(account, `${first} -${last}`)).toMatchObject({ total: 1 });
  });
});

describe('words that people type', () => {
  it.each([
    ['en', 'A résumé of the naïve Beyoncé in a café.', ['resume', 'naive beyonce', 'CAFÉ', '“naive Beyonce”']],
    ['en', 'The resume of Beyonce', ['résumé', 'Beyoncé', '"résumé of Beyoncé"', 'Beyoncé resume']],
    ['es', 'Ellos hablarían así', ['hablar', 'hablaría', 'hablarian', '"hablaría así"', 'asi hablábamos']],
    ['fr', 'Elles étaient mangées', ['manger', 'mangé', 'mangees', 'étaient mangé']],
    ['tr', 'kızları', ['kız', 'kızlar']],
    ['pt', 'Em São Paulo há ações e canções.', ['sao paulo', 'acoes', 'canções']],
    ['fr', 'Répétées, l’été ; mangées.', ['repetees', 'ete', 'mangees', 'été']],
    ['pl', 'Mieszkam w Łodzi.', ['lodzi', 'Łodzi']],
    ['vi', 'Tôi sống ở Hà Nội.', ['ha noi', 'Hà Nội']],
    ['tr', 'İSTANBUL’da kızları', ['istanbul', 'İstanbul', 'kizlari']],
    ['de', 'Die Häuser der Größe', ['hauser', 'Haus', 'grosse']],
    ['ru', 'Красивый ёлочный май', ['красивая', 'елочный', 'май']],
    ['ar', 'قال مُحَمَّد إنّ', ['محمد', 'ان']],
    ['iw', 'שָׁלוֹם לכם', ['שלום']],
    ['ko', '서울에서 인공지능을 공부했다', ['서울', '인공지능', '공부', '"서울에서 인공"']],
    ['hi', 'हिन्दी में', ['हिन्दी']],
    ['en', 'A soft\u00adhyphen, co‑operate.', ['softhyphen', 'co-operate']],
  ])('in %s find %s', async (languageCode, text, queries) => {
    const account = newAccount();
    await library.addIndexed(account, [text], { languageCode });
    for (const query of queries)
      expect({ query, total: (await library.search(account, query)).total }).toEqual({ query, total: 1 });
  });
});

it('a long transcript is saved in pages of a hundred passages at most', async () => {
  const [account, sizes] = [newAccount(), [] as number[]];
  const record = (client: { query: (...given: never[]) => unknown }) => {
    const query = client.query.bind(client);
    client.query = (...given) => {
      const [{ text = '', values = [] } = {}] = given as { text?: string; values?: string[] }[];
      if (text.includes('INSERT INTO passages')) sizes.push(JSON.parse(values[2] ?? '').length);
      return query(...given);
    };
  };
  library.pool.on('acquire', record);
  const texts = Array.from({ length: 450 }, (_, n) => `Sentence number ${n} ${'is long '.repeat(80)}.`);
  const { id } = await library.addIndexed(account, texts);
  library.pool.off('acquire', record);
  expect(sizes.length).toBeGreaterThan(4);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  expect(await library.search(account, '"sentence number 449"')).toMatchObject({ total: 1 });
  expect(await library.query('SELECT FROM passages WHERE transcript_id = $1', [id])).toHaveLength(450);
});
